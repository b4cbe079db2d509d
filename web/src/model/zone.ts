import type { Schemas } from '~/api';
import { type Timed, timed } from './row';
import { compareNames } from './sort';
import { primaryName } from './thing';

type Wire = Schemas['Zone'];

/** An alerting asset that stands in a zone, since it was first seen inside with its lights on. */
export interface ZoneThing extends Timed<Schemas['ZoneThing'], 'since'> {
  displayName: string;
}

const INSTANTS = ['active_until', 'updated_at'] as const;

/**
 * A place that becomes active while an alerting asset stands in it. `isZoneActive` judges `is_active` at an instant;
 * `active_until` is when it goes to standby by itself: 0 while an asset is inside, and on standby.
 */
export interface Zone
  extends Timed<Omit<Wire, 'features' | 'active_things'>, (typeof INSTANTS)[number]>,
    Readonly<Record<'active_things', readonly ZoneThing[]>> {
  /** its shapes; a circle is a point with `radius_dist` in meters */
  shapes: readonly Schemas['Feature'][];
  /** how long it stays active after the last asset has left, in seconds */
  expiryS: number;
  /** what the search looks through, one a line: zone id, description, thing id, name */
  searchKey: string;
}

const thingOf = (w: Schemas['ZoneThing']): ZoneThing => ({
  ...timed(w, ['since']),
  displayName: primaryName(w.nickname, w.haas_id),
});

/** A zone of a list row or zone message. */
export function zoneOfWire(w: Wire): Zone {
  const things = w.active_things.map(thingOf);
  const names = things.flatMap(t => [t.id, t.haas_id, t.displayName]);
  return {
    ...timed(w, INSTANTS),
    shapes: w.features?.features ?? [],
    active_things: things,
    expiryS: w.active_locations.default_expiry,
    searchKey: [w.id, w.external_id, w.description, ...names].join('\n').toLowerCase(),
  };
}

/** Active first, then by their descriptions. */
export const compareZones = (a: Zone, b: Zone): number =>
  Number(b.is_active) - Number(a.is_active) || compareNames(a.description, b.description) || (a.id < b.id ? -1 : 1);
