import type { Schemas, WireLive, WireThing } from '~/api';
import { type Instant, instantOf } from './instant';
import { ACCURACY_AT_STATION_M, ACCURACY_M } from './limits';
import { computeStatus, isStaleHeartbeat, mustCheckStation, type Status, statusOfWire } from './status';

export interface OrganizationRef {
  id: string;
  name: string;
  type: string;
}

export type RelationType = 'manager' | 'accessor';

export interface Relationship {
  organizationId: string;
  organizationName: string;
  relationType: RelationType;
}

export interface Integration {
  /** provider: geotab, samsara */
  name: string;
  id: string;
}

export interface ClosureRef {
  id: string;
  wzdxId: string;
}

/** Reports of an asset that were not taken: how many, and the last of them. */
export interface Refusals {
  count: number;
  at: Instant;
  /** why, in the server's words */
  reason: string;
}

/** What devices and the clock change. Units: degrees, meters, m/s, milliseconds (0 = none). */
export interface ThingLive {
  lat: number;
  lng: number;
  hasPosition: boolean;
  course: number | null;
  speed: number;
  accuracy: number | null;
  street: string;
  /** effective time of the position */
  at: Instant;
  receivedAt: Instant;
  staleAt: Instant;
  /** newest instant of the rest: what decides which of two reports is older */
  stampAt: Instant;
  status: Status;
  statusAt: Instant;
  isActive: boolean;
  enroute: boolean;
  heartbeatAt: Instant;
  runId: string;
  runStartAt: Instant;
  runPointsCount: number;
  locationId: string;
  incidentStartAt: Instant;
  incidentEndAt: Instant;
  stationId: string;
  activeClosures: readonly ClosureRef[];
  /** null: none, or not told by the snapshot */
  refused: Refusals | null;
  /** since when it is silent because its connection ended without a goodbye; 0: it did not, or not told by the snapshot */
  cutAt: Instant;
  /** null: its device was never configured, or not told by the snapshot */
  config: ConfigState | null;
}

/** Which configuration a device should have, and which it says that it has. */
export interface ConfigState {
  version: number;
  /** null: it never said */
  applied: number | null;
  /** when it was last sent to the device; 0: not yet */
  sentAt: Instant;
}

/** What an asset is known by. */
export interface Identity {
  externalId: string;
  /** system name */
  haasId: string;
  nickname: string;
  vinNumber: string;
  plateNumber: string;
  registryNumber: string;
  deviceType: string;
}

/** What people edit. */
export interface ThingProfile extends Identity {
  primaryDisplayName: string;
  secondaryDisplayName: string;
  systemId: string;
  thingTypeId: string;
  thingSubtypeId: string;
  inService: boolean;
  isPubliclyReporting: boolean;
  isAllowedForClosures: boolean;
  isAllowedForTestMode: boolean;
  isTestModeOn: boolean;
  isResponderType: boolean;
  isR2REnabled: boolean;
  isIntegrationOrg: boolean;
  organization: OrganizationRef;
  relationships: readonly Relationship[];
  integrations: readonly Integration[];
  /** grows with every edit */
  version: number;
  /** false for rows of the compact snapshot, whose profile is read on its own when somebody looks */
  isComplete: boolean;
  /** lower-cased name, made once: 100 000 rows are sorted by it */
  nameKey: string;
  /** lower-cased fields that the search looks at, one a line */
  searchKey: string;
}

/** An asset. A value: never changed in place, every change makes a new one. */
export interface Thing extends ThingProfile, ThingLive {
  id: string;
}

const EMPTY: readonly never[] = [];

/** The display name: the nickname, else the upper-cased system name. */
export function primaryName(nickname: string, systemName: string): string {
  return nickname || systemName.toUpperCase();
}

/** The secondary name: the system name, only when a nickname exists. */
export function secondaryName(nickname: string, systemName: string): string {
  return nickname ? systemName : '';
}

/** The system id: the external id, only for device type 'api'. */
export function systemIdOf(deviceType: string, externalId: string): string {
  return deviceType === 'api' ? externalId : '';
}

/** The texts that follow from identity fields: names, sort and search keys. */
export function namesOf(p: Identity) {
  const primaryDisplayName = primaryName(p.nickname, p.haasId);
  const systemId = systemIdOf(p.deviceType, p.externalId);
  return {
    primaryDisplayName,
    secondaryDisplayName: secondaryName(p.nickname, p.haasId),
    systemId,
    nameKey: primaryDisplayName.toLowerCase(),
    searchKey: [primaryDisplayName, p.haasId, systemId, p.vinNumber, p.plateNumber, p.registryNumber]
      .join('\n')
      .toLowerCase(),
  };
}

/** Who has what to do with an asset. */
export function relationsOfWire(list: readonly Schemas['Relationship'][]): Relationship[] {
  return list.map(r => ({
    organizationId: r.organization_uuid,
    organizationName: r.organization_name,
    relationType: r.relationship_type,
  }));
}

/** The integrations of an asset that stand. */
export function integrationsOfWire(list: readonly Schemas['ExternalIdentifier'][]): Integration[] {
  return list.filter(i => !i.is_deleted).map(i => ({ name: i.system_name, id: i.identifier_id }));
}

/** The profile part of a row. */
export function profileOfWire(w: WireThing): ThingProfile {
  const fields: Identity = {
    externalId: w.external_id ?? '',
    haasId: w.haas_id ?? '',
    nickname: w.nickname ?? '',
    vinNumber: w.vin_number ?? '',
    plateNumber: w.license_plate_number ?? '',
    registryNumber: w.registry_number ?? '',
    deviceType: w.device_type ?? '',
  };
  return {
    ...fields,
    ...namesOf(fields),
    thingTypeId: w.thing_type_id ?? '',
    thingSubtypeId: w.thing_subtype_id ?? '',
    inService: w.in_service ?? true,
    isPubliclyReporting: w.is_publicly_alerting ?? false,
    isAllowedForClosures: w.is_allowed_for_closures ?? false,
    isAllowedForTestMode: w.is_allowed_for_test_mode ?? false,
    isTestModeOn: w.test_mode ?? false,
    isResponderType: w.is_responder ?? true,
    isR2REnabled: w.features?.r2r ?? false,
    isIntegrationOrg: w.is_integration_org ?? false,
    organization: { id: w.organization?.id ?? '', name: w.organization?.name ?? '', type: w.organization?.type ?? '' },
    relationships: relationsOfWire(w.organization_relationships ?? []),
    integrations: integrationsOfWire(w.external_identifiers ?? []),
    version: w.version ?? 0,
    isComplete: true,
  };
}

/** The live part of a row or message; `now` (server time) is used only when the server gave no status. */
export function liveOfWire(w: WireLive, now: Instant): ThingLive {
  const heartbeatAt = instantOf(w.heartbeat_datetime);
  const at = instantOf(w.at);
  const receivedAt = instantOf(w.received_at);
  const statusAt = instantOf(w.status_at);
  const locationId = w.location?.id ?? '';
  const street = w.street ?? '';
  const enroute = w.enroute ?? false;
  const closures = w.closures;
  const hasPosition = typeof w.lat === 'number' && typeof w.lng === 'number';
  const course = w.course ?? null;
  const status =
    statusOfWire(w.status) ??
    computeStatus(
      {
        hasActiveClosures: !!closures && closures.length > 0,
        isOnIncident: locationId !== '',
        enroute,
        hasStreet: street !== '',
        heartbeatAt,
      },
      now,
    );
  return {
    lat: hasPosition ? (w.lat as number) : 0,
    lng: hasPosition ? (w.lng as number) : 0,
    hasPosition,
    course,
    speed: w.speed ?? 0,
    accuracy: w.accuracy ?? null,
    street,
    at,
    receivedAt,
    staleAt: instantOf(w.stale_at),
    stampAt: Math.max(heartbeatAt, at, receivedAt, statusAt),
    status,
    statusAt,
    isActive: w.is_active ?? false,
    enroute,
    heartbeatAt,
    runId: w.run_id ?? '',
    runStartAt: instantOf(w.run_start_time),
    runPointsCount: w.run_points_count ?? 0,
    locationId,
    incidentStartAt: instantOf(w.location?.start_time),
    incidentEndAt: instantOf(w.incident_end_time),
    stationId: w.station_id ?? '',
    activeClosures:
      closures && closures.length > 0 ? closures.map(c => ({ id: c.id, wzdxId: c.external_id ?? '' })) : EMPTY,
    refused: w.refused
      ? { count: w.refused.count ?? 0, at: instantOf(w.refused.at), reason: w.refused.reason ?? '' }
      : null,
    cutAt: instantOf(w.cut_at),
    config: w.config_version
      ? { version: w.config_version, applied: w.applied_config_version ?? null, sentAt: instantOf(w.config_sent_at) }
      : null,
  };
}

/**
 * Puts an asset together from its profile and the newest state and position. Every field is named, so that all assets
 * share one shape in memory: spreads of this many fields cost ten times as much at 2000 assets a second.
 */
export function composeThing(
  id: string,
  profile: ThingProfile,
  state: ThingLive,
  position: ThingLive = state,
  staleAt: Instant = position.staleAt,
): Thing {
  return {
    id,
    externalId: profile.externalId,
    haasId: profile.haasId,
    nickname: profile.nickname,
    primaryDisplayName: profile.primaryDisplayName,
    secondaryDisplayName: profile.secondaryDisplayName,
    systemId: profile.systemId,
    vinNumber: profile.vinNumber,
    plateNumber: profile.plateNumber,
    registryNumber: profile.registryNumber,
    thingTypeId: profile.thingTypeId,
    thingSubtypeId: profile.thingSubtypeId,
    deviceType: profile.deviceType,
    inService: profile.inService,
    isPubliclyReporting: profile.isPubliclyReporting,
    isAllowedForClosures: profile.isAllowedForClosures,
    isAllowedForTestMode: profile.isAllowedForTestMode,
    isTestModeOn: profile.isTestModeOn,
    isResponderType: profile.isResponderType,
    isR2REnabled: profile.isR2REnabled,
    isIntegrationOrg: profile.isIntegrationOrg,
    organization: profile.organization,
    relationships: profile.relationships,
    integrations: profile.integrations,
    version: profile.version,
    isComplete: profile.isComplete,
    nameKey: profile.nameKey,
    searchKey: profile.searchKey,
    lat: position.lat,
    lng: position.lng,
    hasPosition: position.hasPosition,
    course: position.course,
    speed: position.speed,
    accuracy: position.accuracy,
    street: position.street,
    at: position.at,
    receivedAt: position.receivedAt,
    staleAt,
    stampAt: state.stampAt,
    status: state.status,
    statusAt: state.statusAt,
    isActive: state.isActive,
    enroute: state.enroute,
    heartbeatAt: state.heartbeatAt,
    runId: state.runId,
    runStartAt: state.runStartAt,
    runPointsCount: state.runPointsCount,
    locationId: state.locationId,
    incidentStartAt: state.incidentStartAt,
    incidentEndAt: state.incidentEndAt,
    stationId: state.stationId,
    activeClosures: state.activeClosures,
    refused: state.refused,
    cutAt: state.cutAt,
    config: state.config,
  };
}

/** An asset of a list row or thing message. */
export function thingOfWire(w: WireThing, now: Instant): Thing {
  return composeThing(w.id, profileOfWire(w), liveOfWire(w, now));
}

/** Only assets with a position stand in lists and on the map (requirements 3.thing). */
export function isPlaced(t: Pick<Thing, 'hasPosition'>): boolean {
  return t.hasPosition;
}

/** True when the asset stands at an incident. */
export function isOnIncident(t: Pick<Thing, 'locationId'>): boolean {
  return t.locationId !== '';
}

/** True when the newest report of the asset said that its lights are on. */
export function isLatestPointActive(t: Pick<Thing, 'isActive' | 'at' | 'heartbeatAt'>): boolean {
  return t.isActive && t.at > 0;
}

/** Any status above ACTIVE: the asset's station must be checked. */
export function checkStation(t: Pick<Thing, 'status'>): boolean {
  return mustCheckStation(t.status);
}

type RunFacts = Pick<
  Thing,
  'runStartAt' | 'locationId' | 'incidentStartAt' | 'enroute' | 'at' | 'heartbeatAt' | 'staleAt'
>;

/**
 * Milliseconds of the run that the server names: until the arrival, while enroute until now, or until the newest
 * position where that is old. Null when there is none: a false time is worse than none.
 */
export function runTime(t: RunFacts, now: Instant): number | null {
  if (t.runStartAt === 0) return null;
  if (isOnIncident(t)) return timeToScene(t);
  return Math.max(0, (t.enroute && !isStale(t, now) ? now : t.at) - t.runStartAt);
}

/** Milliseconds from the start of the run to the arrival; null before the arrival, and when no run led to it. */
export function timeToScene(t: Pick<Thing, 'runStartAt' | 'locationId' | 'incidentStartAt'>): number | null {
  const isKnown = isOnIncident(t) && t.runStartAt > 0 && t.runStartAt < t.incidentStartAt;
  return isKnown ? t.incidentStartAt - t.runStartAt : null;
}

/** A report moves the marker only when it is accurate enough; stricter at a station (requirements 4.live). */
export function isAccurateEnough(l: Pick<ThingLive, 'accuracy' | 'stationId'>): boolean {
  return l.accuracy === null || l.accuracy <= (l.stationId ? ACCURACY_AT_STATION_M : ACCURACY_M);
}

/** Old: no fresh heartbeat, or the server's own limit for this position has passed. Hides speed and direction. */
export function isStale(t: Pick<Thing, 'heartbeatAt' | 'staleAt'>, now: Instant): boolean {
  return isStaleHeartbeat(t.heartbeatAt, now) || (t.staleAt > 0 && now >= t.staleAt);
}
