import type { WireSnapshot } from '~/api';
import { type Instant, instantOf } from './instant';
import { Status, THING_STATUSES } from './status';
import {
  type Identity,
  type Integration,
  integrationsOfWire,
  namesOf,
  type OrganizationRef,
  type Relationship,
  relationsOfWire,
  type Thing,
} from './thing';

const IN_SERVICE = 1;
const ALERTING = 2;
const HAS_POSITION = 4;
const HAS_COURSE = 8;
const R2R = 16;
const PUBLICLY = 32;
const RESPONDER = 64;
const ENROUTE = 128;
const CLOSURES = 256;
const MAY_TEST = 512;
const IN_TEST = 1024;

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
  'organization',
  'relations',
  'integrations',
  'version',
  'status',
  'status_at',
  'flags',
  'location_id',
  'location_at',
  'station_id',
  'run_id',
  'run_start_at',
  'lat',
  'lng',
  'course',
  'speed',
  'accuracy',
  'street',
  'at',
  'received_at',
  'run_points',
  'heartbeat_at',
  'stale_at',
] as const satisfies readonly (keyof WireSnapshot)[];

/** Some rows of a snapshot. */
export type SnapshotRows = Pick<WireSnapshot, (typeof SNAPSHOT_COLUMNS)[number]>;

/** What the columns index, as the model has it: one object for all assets that share it. */
export interface SnapshotTexts {
  types: readonly string[];
  subtypes: readonly string[];
  deviceTypes: readonly string[];
  relations: readonly (readonly Relationship[])[];
  integrations: readonly (readonly Integration[])[];
  organizations: readonly OrganizationRef[];
  streets: readonly string[];
}

/** What a snapshot says of itself. */
export interface SnapshotHead {
  count: number;
  /** how many assets are seen, in this answer or not */
  total: number;
  texts: SnapshotTexts;
  asOf: Instant;
  /** every asset is in it */
  isFull: boolean;
  isLarge: boolean;
  gone: readonly string[];
}

/** The head of a snapshot. */
export function headOfSnapshot(s: WireSnapshot): SnapshotHead {
  return {
    count: s.count,
    asOf: instantOf(s.as_of),
    total: s.total,
    isFull: s.full,
    isLarge: s.is_large,
    gone: s.gone,
    texts: {
      types: s.types,
      subtypes: s.subtypes,
      deviceTypes: s.device_types,
      streets: s.streets,
      organizations: s.orgs.map(o => ({ id: o.id, name: o.name, type: o.type ?? '' })),
      relations: s.relation_set.map(relationsOfWire),
      integrations: s.integration_set.map(integrationsOfWire),
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
  refused: null,
  cutAt: 0,
  config: null,
};

/** A value of a column, or what is known where the column has ended. */
const at = <T>(column: readonly T[], i: number, known: T): T => (i < column.length ? (column[i] as T) : known);

/** The text that a value of a column points to; '' for none. */
const textAt = (column: readonly number[], i: number, texts: readonly string[], known: string): string =>
  i < column.length ? (texts[column[i] as number] ?? '') : known;

/** What a value of a column points to; `none` for nothing. */
const placeAt = <T>(column: readonly number[], i: number, values: readonly T[], none: T, known: T): T =>
  i < column.length ? (values[column[i] as number] ?? none) : known;

/** Names and the keys to sort and search by; of the known asset when none of them has changed. */
function identityOf(s: SnapshotRows, i: number, texts: SnapshotTexts, known: Thing) {
  const fields: Identity = {
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

/** Flags of the known asset, for a row where the column has ended. */
function flagsOf(known: Thing): number {
  return (
    (known.inService ? IN_SERVICE : 0) |
    (known.isActive ? ALERTING : 0) |
    (known.hasPosition ? HAS_POSITION : 0) |
    (known.course !== null ? HAS_COURSE : 0) |
    (known.isR2REnabled ? R2R : 0) |
    (known.isPubliclyReporting ? PUBLICLY : 0) |
    (known.isResponderType ? RESPONDER : 0) |
    (known.enroute ? ENROUTE : 0) |
    (known.isAllowedForClosures ? CLOSURES : 0) |
    (known.isAllowedForTestMode ? MAY_TEST : 0) |
    (known.isTestModeOn ? IN_TEST : 0)
  );
}

/** A value of degrees where the asset has a position. */
function degreesAt(column: readonly number[], i: number, known: number): number {
  return i < column.length ? (column[i] as number) / DEGREE : known;
}

/** Meters, null when the device did not say. */
function accuracyAt(column: readonly number[], i: number, known: number | null): number | null {
  if (i >= column.length) return known;
  const meters = column[i] as number;
  return meters < 0 ? null : meters;
}

/**
 * An asset of a row of the snapshot. What only the detail needs and a row does not say (closures, feeds) stays as it is
 * known, or is absent; it is read on its own when somebody looks, which `isComplete: false` says. `known` is the asset as
 * it stands here; without it the row has to stand in every column.
 */
export function thingOfRow(s: SnapshotRows, i: number, texts: SnapshotTexts, known: Thing | undefined): Thing {
  const base = known ?? BLANK;
  const identity = identityOf(s, i, texts, base);
  const flags = i < s.flags.length ? (s.flags[i] as number) : flagsOf(base);
  const hasPosition = (flags & HAS_POSITION) !== 0;
  const heartbeatAt = at(s.heartbeat_at, i, base.heartbeatAt);
  const reportedAt = at(s.at, i, base.at);
  const receivedAt = at(s.received_at, i, base.receivedAt);
  const statusAt = at(s.status_at, i, base.statusAt);
  const status = i < s.status.length ? (THING_STATUSES[s.status[i] as number] ?? Status.OFFLINE) : base.status;
  const version = at(s.version, i, base.version);
  const staleAt = at(s.stale_at, i, base.staleAt);
  // What a single read told of closures holds for as long as the state does.
  const isSameState = status === base.status && statusAt === base.statusAt;
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
    isAllowedForClosures: (flags & CLOSURES) !== 0,
    isAllowedForTestMode: (flags & MAY_TEST) !== 0,
    isTestModeOn: (flags & IN_TEST) !== 0,
    isResponderType: (flags & RESPONDER) !== 0,
    isR2REnabled: (flags & R2R) !== 0,
    isIntegrationOrg: base.isIntegrationOrg,
    organization: placeAt(s.organization, i, texts.organizations, NOBODY, base.organization),
    relationships: placeAt(s.relations, i, texts.relations, NO_TEXTS, base.relationships),
    integrations: placeAt(s.integrations, i, texts.integrations, NO_TEXTS, base.integrations),
    version,
    isComplete: base.isComplete && version === base.version && isSameState,
    nameKey: identity.nameKey,
    searchKey: identity.searchKey,
    lat: hasPosition ? degreesAt(s.lat, i, base.lat) : 0,
    lng: hasPosition ? degreesAt(s.lng, i, base.lng) : 0,
    hasPosition,
    course: (flags & HAS_COURSE) !== 0 ? at(s.course, i, base.course ?? 0) : null,
    speed: at(s.speed, i, base.speed),
    accuracy: accuracyAt(s.accuracy, i, base.accuracy),
    street: textAt(s.street, i, texts.streets, base.street),
    at: reportedAt,
    receivedAt,
    staleAt,
    stampAt: Math.max(heartbeatAt, reportedAt, receivedAt, statusAt),
    status,
    statusAt,
    isActive: (flags & ALERTING) !== 0,
    enroute: (flags & ENROUTE) !== 0,
    heartbeatAt,
    runId: at(s.run_id, i, base.runId),
    runStartAt: at(s.run_start_at, i, base.runStartAt),
    runPointsCount: at(s.run_points, i, base.runPointsCount),
    locationId: at(s.location_id, i, base.locationId),
    incidentStartAt: at(s.location_at, i, base.incidentStartAt),
    incidentEndAt: isSameState ? base.incidentEndAt : 0,
    stationId: at(s.station_id, i, base.stationId),
    activeClosures: isSameState ? base.activeClosures : NO_TEXTS,
    refused: isSameState ? base.refused : null,
    cutAt: heartbeatAt === base.heartbeatAt && staleAt === base.staleAt ? base.cutAt : 0,
    config: isSameState ? base.config : null,
  };
}
