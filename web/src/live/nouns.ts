import limits from '@catalog/limits.json';
import type { AnswerOf, ReadPath } from '~/api';
import { areaOfWire, compareAreas } from '~/model/area';
import { closureOfWire, compareClosures } from '~/model/closure';
import { type Command, commandOfWire, compareCommands, stepOf, type WireCommand } from '~/model/command';
import { compareFindings, type Finding, findingOfWire, isOpenFinding, stepOfFinding } from '~/model/finding';
import { compareHazards, hazardOfWire } from '~/model/hazard';
import { compareLocations, type Location, locationOfWire } from '~/model/location';
import { compareZones, zoneOfWire } from '~/model/zone';
import type { Requirement } from '~/session/permissions';
import type { Collection, Noun, WireRow } from './collection';

/** The rows that a list answers. */
type ListedBy<Path extends ReadPath> =
  AnswerOf<`GET ${Path}`> extends { data: readonly (infer Wire extends WireRow)[] } ? Wire : never;

/** Declares a noun: the rows on the wire are those of its list. */
export const noun = <Path extends ReadPath, Row extends { id: string }>(
  declared: { path: Path } & Noun<ListedBy<Path>, Row>,
): { path: Path } & Noun<ListedBy<Path>, Row> => declared;

/** Declares a noun without a list of all its rows. */
const heardNoun = <Wire extends WireRow, Row extends { id: string }>(
  declared: Omit<Noun<Wire, Row>, 'path' | 'longer'>,
): Noun<Wire, Row> => declared;

/** Every noun beside assets that is kept live. One that people edit over the map also has a row in section/noun.ts. */
export const NOUNS = {
  /** Every answer holds all active incidents: one that it lacks has ended. */
  location: noun({
    type: 'location',
    path: '/locations/active',
    longer: '/locations',
    requires: 'VIEW_EVENTS',
    keep: limits.lists.liveLocations.value,
    of: locationOfWire,
    versionOf: location => location.version,
    compare: compareLocations,
    absent: (location, asOf): Location =>
      location.is_active && location.start_time < asOf
        ? { ...location, is_active: false, end_time: location.end_time || asOf }
        : location,
    // One that stands here as active may have ended unheard: nobody else would say so.
    isWanted: ([first], isAnyOnScene) => isAnyOnScene || first?.is_active === true,
  }),
  area: noun({
    type: 'area',
    path: '/organization/exclusion_zone',
    requires: 'VIEW_AREAS',
    keep: limits.lists.liveAreas.value,
    of: areaOfWire,
    versionOf: area => area.version,
    compare: compareAreas,
  }),
  zone: noun({
    type: 'zone',
    path: '/organization/alerting_zones',
    requires: 'VIEW_ZONES',
    keep: limits.lists.liveAreas.value,
    of: zoneOfWire,
    // Activity does not raise the version.
    versionOf: zone => zone.updated_at,
    compare: compareZones,
  }),
  hazard: noun({
    type: 'hazard',
    path: '/organization/hazards',
    requires: 'VIEW_HAZARDS',
    keep: limits.lists.liveAreas.value,
    of: hazardOfWire,
    versionOf: hazard => hazard.version,
    compare: compareHazards,
  }),
  closure: noun({
    type: 'closure',
    path: '/organization/closure',
    requires: 'VIEW_CLOSURES',
    keep: limits.lists.liveAreas.value,
    of: closureOfWire,
    // What boards say of it does not raise the version.
    versionOf: closure => closure.updated_at,
    compare: compareClosures,
  }),
  /** What the watchdog finds. The list holds the open ones; the ended ones have a list of their own on their screen. */
  finding: noun({
    type: 'finding',
    path: '/organization/findings',
    query: { state: 'open' },
    hasPages: true,
    requires: 'VIEW_THINGS',
    keep: limits.watchdog.listed.value,
    of: findingOfWire,
    // What has ended is never told to be open.
    versionOf: finding => stepOfFinding(finding),
    compare: compareFindings,
    absent: (finding): Finding | undefined => (isOpenFinding(finding) ? undefined : finding),
  }),
  /** How far the commands to devices have come. Each asset has a list of its own, which its detail reads. */
  command: heardNoun<WireCommand, Command>({
    type: 'command',
    requires: 'VIEW_THINGS',
    keep: limits.lists.liveLocations.value,
    of: commandOfWire,
    // What has gone further is never told to be where it was.
    versionOf: stepOf,
    compare: compareCommands,
  }),
};

export type NounType = keyof typeof NOUNS;
export type CollectionOf<Type extends NounType> =
  (typeof NOUNS)[Type] extends Noun<infer Wire, infer Row> ? Collection<Wire, Row> : never;

/** The types that somebody may see. */
export const seenTypes = (can: (requirement: Requirement) => boolean): readonly string[] =>
  Object.values(NOUNS)
    .filter(({ requires }) => can(requires))
    .map(({ type }) => type);
