import type { WireSnapshot } from '~/api';
import { computeStatus, type Status, THING_STATUSES } from './status';
import { namesOf, type Thing } from './thing';

const IN_SERVICE = 1;
const ALERTING = 2;
const HAS_POSITION = 4;
const HAS_COURSE = 8;
const R2R = 16;
const PUBLICLY = 32;
const RESPONDER = 64;

const NO_TEXTS: readonly never[] = [];

/**
 * Assets of the compact snapshot. It carries what lists and the map show; what only the detail needs (VIN, plate,
 * relationships, integrations, run) is absent, marked by `isComplete: false`, and read on its own.
 */
export function thingsOfSnapshot(s: WireSnapshot, now: number): Thing[] {
  const things: Thing[] = [];
  for (let i = 0; i < s.count; i++) things.push(rowOf(s, i, now));
  return things;
}

function rowOf(s: WireSnapshot, i: number, now: number): Thing {
  const flags = s.flags[i] ?? 0;
  const hasPosition = (flags & HAS_POSITION) !== 0;
  const heartbeatAt = s.heartbeat_at[i] ?? 0;
  const at = s.at[i] ?? 0;
  const alerting = (flags & ALERTING) !== 0;
  const locationId = s.location_id[i] ?? '';
  const street = s.streets[s.street[i] ?? -1] ?? '';
  const org = s.orgs[s.organization[i] ?? -1];
  const identity = {
    nickname: s.nickname[i] ?? '',
    haasId: s.haas_id[i] ?? '',
    externalId: s.external_id[i] ?? '',
    // Only devices of type 'api' carry an external id that is shown.
    deviceType: s.external_id[i] ? 'api' : '',
    vinNumber: '',
    plateNumber: '',
    registryNumber: '',
  };
  const said = THING_STATUSES[s.status[i] ?? -1];
  const status: Status =
    said ??
    computeStatus(
      {
        hasActiveClosures: false,
        isOnIncident: locationId !== '',
        enroute: alerting && !locationId,
        hasStreet: street !== '',
        heartbeatAt,
      },
      now,
    );
  return {
    id: s.id[i] ?? '',
    ...identity,
    ...namesOf(identity),
    thingTypeId: s.types[s.thing_type[i] ?? -1] ?? '',
    thingSubtypeId: '',
    inService: (flags & IN_SERVICE) !== 0,
    isPubliclyReporting: (flags & PUBLICLY) !== 0,
    isAllowedForClosures: false,
    isAllowedForTestMode: false,
    isTestModeOn: false,
    isResponderType: (flags & RESPONDER) !== 0,
    isR2REnabled: (flags & R2R) !== 0,
    isIntegrationOrg: false,
    organization: { id: org?.id ?? '', name: org?.name ?? '', type: org?.type ?? '' },
    relationships: NO_TEXTS,
    integrations: NO_TEXTS,
    version: 0,
    isComplete: false,
    lat: hasPosition ? (s.lat[i] ?? 0) / 1e7 : 0,
    lng: hasPosition ? (s.lng[i] ?? 0) / 1e7 : 0,
    hasPosition,
    course: (flags & HAS_COURSE) !== 0 ? (s.course[i] ?? null) : null,
    speed: s.speed[i] ?? 0,
    accuracy: null,
    street,
    at,
    receivedAt: 0,
    staleAt: s.stale_at[i] ?? 0,
    stampAt: Math.max(heartbeatAt, at),
    status,
    statusAt: 0,
    isActive: alerting,
    enroute: alerting && locationId === '',
    heartbeatAt,
    runId: '',
    runStartAt: 0,
    runPointsCount: 0,
    locationId,
    incidentStartAt: 0,
    incidentEndAt: 0,
    stationId: '',
    activeClosures: NO_TEXTS,
  };
}
