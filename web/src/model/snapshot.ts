import { type Instant, instantOf } from './instant';
import { computeStatus, Status, THING_STATUSES } from './status';
import { namesOf, type OrganizationRef, type Relationship, type Thing } from './thing';
import type { WireSnapshot } from './wire';

const IN_SERVICE = 1;
const ALERTING = 2;
const HAS_POSITION = 4;
const HAS_COURSE = 8;
const R2R = 16;
const PUBLICLY = 32;
const RESPONDER = 64;

/** Coordinates of the snapshot are whole numbers of this part of a degree. */
const DEGREE = 1e7;

const NO_TEXTS: readonly never[] = [];
const NOBODY: OrganizationRef = { id: '', name: '', type: '' };

/** The columns of a snapshot: value i of each speaks of the same asset; one that is shorter says nothing of the rest. */
export const SNAPSHOT_COLUMNS = [
  'id',
  'haas_id',
  'nickname',
  'external_id',
  'vin_number',
  'license_plate_number',
  'registry_number',
  'thing_type',
  'thing_subtype',
  'device_type',
  'relations',
  'organization',
  'status',
  'flags',
  'lat',
  'lng',
  'course',
  'speed',
  'street',
  'heartbeat_at',
  'at',
  'stale_at',
  'location_id',
  'status_at',
  'station_id',
] as const satisfies readonly (keyof WireSnapshot)[];

/** Some rows of a snapshot. */
export type SnapshotRows = Pick<WireSnapshot, (typeof SNAPSHOT_COLUMNS)[number]>;

/** What the columns index, as the model has it: one object for all assets that share it. */
export interface SnapshotTexts {
  types: readonly string[];
  subtypes: readonly string[];
  deviceTypes: readonly string[];
  relations: readonly (readonly Relationship[])[];
  organizations: readonly OrganizationRef[];
  streets: readonly string[];
}

/** What a snapshot says of itself. */
export interface SnapshotHead {
  count: number;
  texts: SnapshotTexts;
  asOf: Instant;
  /** everything, although only changes were asked for */
  isFull: boolean;
  /** undefined: the server does not say */
  isLarge: boolean | undefined;
  gone: readonly string[];
}

/** The head of a snapshot. */
export function headOfSnapshot(s: WireSnapshot): SnapshotHead {
  return {
    count: s.count,
    asOf: instantOf(s.as_of),
    isFull: s.full ?? false,
    isLarge: s.is_large,
    gone: s.gone ?? NO_TEXTS,
    texts: {
      types: s.types,
      subtypes: s.subtypes,
      deviceTypes: s.device_types,
      streets: s.streets,
      organizations: s.orgs.map(o => ({ id: o.id, name: o.name, type: o.type ?? '' })),
      relations: s.relation_set.map(set =>
        set.map(r => ({
          organizationId: r.organization_uuid,
          organizationName: r.organization_name,
          relationType: r.relationship_type,
        })),
      ),
    },
  };
}

/** How many rows from the first one on stand in every column: only these can be new to us. */
export function wholeRows(rows: SnapshotRows): number {
  return Math.min(...SNAPSHOT_COLUMNS.map(name => rows[name].length));
}

/** What stands where neither the row nor what is known says anything. */
const BLANK: Thing = {
  id: '',
  externalId: '',
  haasId: '',
  nickname: '',
  primaryDisplayName: '',
  secondaryDisplayName: '',
  systemId: '',
  nameKey: '',
  searchKey: '',
  vinNumber: '',
  plateNumber: '',
  registryNumber: '',
  thingTypeId: '',
  thingSubtypeId: '',
  deviceType: '',
  inService: true,
  isPubliclyReporting: false,
  isAllowedForClosures: false,
  isAllowedForTestMode: false,
  isTestModeOn: false,
  isResponderType: true,
  isR2REnabled: false,
  isIntegrationOrg: false,
  feedSubscriptions: NO_TEXTS,
  organization: NOBODY,
  relationships: NO_TEXTS,
  integrations: NO_TEXTS,
  version: 0,
  isComplete: false,
  lat: 0,
  lng: 0,
  hasPosition: false,
  course: null,
  speed: 0,
  accuracy: null,
  street: '',
  at: 0,
  receivedAt: 0,
  staleAt: 0,
  stampAt: 0,
  status: Status.OFFLINE,
  statusAt: 0,
  isActive: false,
  enroute: false,
  heartbeatAt: 0,
  runId: '',
  runStartAt: 0,
  runPointsCount: 0,
  locationId: '',
  incidentStartAt: 0,
  incidentEndAt: 0,
  stationId: '',
  activeClosures: NO_TEXTS,
};

/** A value of a column, or what is known where the column has ended. */
const at = <T>(column: readonly T[], i: number, known: T): T => (i < column.length ? (column[i] as T) : known);

/** The text that a value of a column points to; '' for none. */
const textAt = (column: readonly number[], i: number, texts: readonly string[], known: string): string =>
  i < column.length ? (texts[column[i] as number] ?? '') : known;

/** Names and the keys to sort and search by; of the known asset when none of them has changed. */
function identityOf(s: SnapshotRows, i: number, texts: SnapshotTexts, known: Thing) {
  const fields = {
    externalId: at(s.external_id, i, known.externalId),
    haasId: at(s.haas_id, i, known.haasId),
    nickname: at(s.nickname, i, known.nickname),
    vinNumber: at(s.vin_number, i, known.vinNumber),
    plateNumber: at(s.license_plate_number, i, known.plateNumber),
    registryNumber: at(s.registry_number, i, known.registryNumber),
    deviceType: textAt(s.device_type, i, texts.deviceTypes, known.deviceType),
  };
  const isKnown =
    known !== BLANK &&
    fields.externalId === known.externalId &&
    fields.haasId === known.haasId &&
    fields.nickname === known.nickname &&
    fields.vinNumber === known.vinNumber &&
    fields.plateNumber === known.plateNumber &&
    fields.registryNumber === known.registryNumber &&
    fields.deviceType === known.deviceType;
  return isKnown ? known : { ...fields, ...namesOf(fields) };
}

/** Flags as they stand in a row; of the known asset where the column has ended. */
function flagsOf(known: Thing): number {
  return (
    (known.inService ? IN_SERVICE : 0) |
    (known.isActive ? ALERTING : 0) |
    (known.hasPosition ? HAS_POSITION : 0) |
    (known.course !== null ? HAS_COURSE : 0) |
    (known.isR2REnabled ? R2R : 0) |
    (known.isPubliclyReporting ? PUBLICLY : 0) |
    (known.isResponderType ? RESPONDER : 0)
  );
}

/**
 * An asset of a row of the snapshot. It carries what lists, filters, the search and the map show. What only the detail
 * needs (integrations, closures, run) stays as it is known, or absent; it is read on its own when somebody looks, which
 * `isComplete: false` says. `known` is the asset as it stands here; without it the row has to stand in every column.
 */
export function thingOfRow(
  s: SnapshotRows,
  i: number,
  texts: SnapshotTexts,
  known: Thing | undefined,
  now: Instant,
): Thing {
  const base = known ?? BLANK;
  const identity = identityOf(s, i, texts, base);
  const flags = i < s.flags.length ? (s.flags[i] as number) : flagsOf(base);
  const alerting = (flags & ALERTING) !== 0;
  const hasPosition = (flags & HAS_POSITION) !== 0;
  const heartbeatAt = at(s.heartbeat_at, i, base.heartbeatAt);
  const reportedAt = at(s.at, i, base.at);
  const statusAt = at(s.status_at, i, base.statusAt);
  const locationId = at(s.location_id, i, base.locationId);
  const street = textAt(s.street, i, texts.streets, base.street);
  const status =
    i < s.status.length
      ? statusAtRow(s.status[i] as number, { alerting, locationId, street, heartbeatAt }, now)
      : base.status;
  // What a single read told of a run or an incident holds for as long as the state does.
  const isSameState = status === base.status && statusAt === base.statusAt;
  const isSameIncident = isSameState && locationId === base.locationId;
  return {
    id: known ? known.id : (s.id[i] as string),
    externalId: identity.externalId,
    haasId: identity.haasId,
    nickname: identity.nickname,
    primaryDisplayName: identity.primaryDisplayName,
    secondaryDisplayName: identity.secondaryDisplayName,
    systemId: identity.systemId,
    vinNumber: identity.vinNumber,
    plateNumber: identity.plateNumber,
    registryNumber: identity.registryNumber,
    thingTypeId: textAt(s.thing_type, i, texts.types, base.thingTypeId),
    thingSubtypeId: textAt(s.thing_subtype, i, texts.subtypes, base.thingSubtypeId),
    deviceType: identity.deviceType,
    inService: (flags & IN_SERVICE) !== 0,
    isPubliclyReporting: (flags & PUBLICLY) !== 0,
    isAllowedForClosures: base.isAllowedForClosures,
    isAllowedForTestMode: base.isAllowedForTestMode,
    isTestModeOn: base.isTestModeOn,
    isResponderType: (flags & RESPONDER) !== 0,
    isR2REnabled: (flags & R2R) !== 0,
    isIntegrationOrg: base.isIntegrationOrg,
    feedSubscriptions: base.feedSubscriptions,
    organization:
      i < s.organization.length ? (texts.organizations[s.organization[i] as number] ?? NOBODY) : base.organization,
    relationships:
      i < s.relations.length ? (texts.relations[s.relations[i] as number] ?? NO_TEXTS) : base.relationships,
    integrations: base.integrations,
    version: base.version,
    isComplete: false,
    nameKey: identity.nameKey,
    searchKey: identity.searchKey,
    lat: hasPosition ? (i < s.lat.length ? (s.lat[i] as number) / DEGREE : base.lat) : 0,
    lng: hasPosition ? (i < s.lng.length ? (s.lng[i] as number) / DEGREE : base.lng) : 0,
    hasPosition,
    course: (flags & HAS_COURSE) !== 0 ? at(s.course, i, base.course ?? 0) : null,
    speed: at(s.speed, i, base.speed),
    accuracy: reportedAt === base.at ? base.accuracy : null,
    street,
    at: reportedAt,
    receivedAt: reportedAt === base.at ? base.receivedAt : 0,
    staleAt: at(s.stale_at, i, base.staleAt),
    stampAt: Math.max(heartbeatAt, reportedAt, statusAt),
    status,
    statusAt,
    isActive: alerting,
    enroute: alerting && locationId === '',
    heartbeatAt,
    runId: isSameState ? base.runId : '',
    runStartAt: isSameState ? base.runStartAt : 0,
    runPointsCount: isSameState ? base.runPointsCount : 0,
    locationId,
    incidentStartAt: isSameIncident ? base.incidentStartAt : 0,
    incidentEndAt: isSameIncident ? base.incidentEndAt : 0,
    stationId: at(s.station_id, i, base.stationId),
    activeClosures: isSameState ? base.activeClosures : NO_TEXTS,
  };
}

interface StateFacts {
  alerting: boolean;
  locationId: string;
  street: string;
  heartbeatAt: Instant;
}

/** The status that the row says; computed when it is not one that we know. */
function statusAtRow(rank: number, { alerting, locationId, street, heartbeatAt }: StateFacts, now: Instant): Status {
  return (
    THING_STATUSES[rank] ??
    computeStatus(
      {
        hasActiveClosures: false,
        isOnIncident: locationId !== '',
        enroute: alerting && locationId === '',
        hasStreet: street !== '',
        heartbeatAt,
      },
      now,
    )
  );
}
