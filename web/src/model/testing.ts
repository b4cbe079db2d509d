import type { Schemas, WireLocation, WireSnapshot, WireThing } from '~/api';
import { firstOf, recorded, streamed, vary } from '~/api/recorded';
import { statusOfWire } from './status';
import type { Thing } from './thing';
import { namesOf, thingOfWire } from './thing';

/** An asset's row as the server sends it, of a ladder on its way; `over` replaces fields. */
export function wireThing(over: Partial<WireThing> = {}): WireThing {
  return vary(recorded('getThing.ok').data, {
    id: 'thing-1',
    lat: 39.7447,
    lng: -75.5484,
    course: 45,
    speed: 15.2,
    street: 'N Market St',
    status: 'active',
    status_at: '2026-11-21T10:38:26.000Z',
    is_active: true,
    enroute: true,
    heartbeat_datetime: '2026-11-21T10:42:07.250Z',
    at: '2026-11-21T10:42:07.250Z',
    received_at: '2026-11-21T10:42:07.300Z',
    stale_at: '2026-11-21T10:42:37.250Z',
    run_id: 'run-1',
    run_start_time: '2026-11-21T10:38:26.000Z',
    run_points_count: 221,
    external_id: 'X-418',
    haas_id: 'ha7-00418',
    nickname: 'Ladder 1',
    vin_number: '4S7AT2E97JC083112',
    license_plate_number: 'FD 4418',
    registry_number: 'L1',
    thing_subtype_id: '01900000-0000-7000-8000-200000000002',
    is_integration_org: true,
    organization: { id: 'org-1', name: 'Wilmington Fire Dept', type: 'fire' },
    organization_relationships: [],
    external_identifiers: [{ identifier_id: 'G9F021', system_name: 'geotab', is_deleted: false }],
    version: 3,
    ...over,
  });
}

/** The row of an asset that has gone: only its id means something. */
export const goneThing = (id: string): WireThing => vary(streamed('admin.removed').thing, { id });

const incident = () => firstOf(recorded('listActiveLocations.ok').data);

/** An incident as the server sends it, with nobody at it; `over` replaces fields. */
export function wireLocation(over: Partial<WireLocation> = {}): WireLocation {
  const begun = { things_active: [], start_time: '2026-11-21T10:31:00.000Z' };
  return vary(incident(), { id: 'location-1', organization_id: 'org-1', ...begun, ...over });
}

/** An asset at an incident; `over` replaces fields. */
export function wireLocationThing(over: Partial<Schemas['LocationThing']> = {}): Schemas['LocationThing'] {
  const arrived = { start_time: '2026-11-21T10:31:00.000Z', nickname: '', haas_id: '' };
  return vary(firstOf(incident().things_active), { id: 'thing-1', ...arrived, ...over });
}

/** Something that no sound server sends, where its shape is expected. */
export const broken = <T>(value: unknown): T => value as T;

/** An asset for tests; `over` replaces fields, names and keys follow. */
export function makeThing(over: Partial<Thing> = {}): Thing {
  const thing = { ...thingOfWire(wireThing(), 0), ...over };
  return { ...thing, ...namesOf(thing) };
}

/** Rows as the compact snapshot says them, in their order; `over` replaces parts of the answer. */
export function snapshotOf(rows: readonly WireThing[], as_of: string, over: Partial<WireSnapshot> = {}): WireSnapshot {
  const all = <T>(make: (row: WireThing) => T) => rows.map(make);
  const places = <T>(make: (row: WireThing) => T | null | undefined) => {
    const texts: T[] = [];
    const column = rows.map(row => {
      const text = make(row);
      if (text === null || text === undefined || (text as unknown) === '') return -1;
      const at = texts.findIndex(known => JSON.stringify(known) === JSON.stringify(text));
      return at < 0 ? texts.push(text) - 1 : at;
    });
    return [column, texts] as const;
  };
  const ms = (text: string | null | undefined) => (text ? Date.parse(text) : 0);
  const flags = (r: WireThing) =>
    [
      ...[r.in_service, r.is_active, r.lat !== null, (r.course ?? null) !== null, r.features?.r2r],
      ...[r.is_publicly_alerting, r.is_responder, r.enroute],
      ...[r.is_allowed_for_closures, r.is_allowed_for_test_mode, r.test_mode],
    ].reduce<number>((sum, on, i) => sum + (on ? 2 ** i : 0), 0);
  const [thing_type, types] = places(r => r.thing_type_id);
  const [thing_subtype, subtypes] = places(r => r.thing_subtype_id);
  const [device_type, device_types] = places(r => r.device_type);
  const [organization, orgs] = places(r => r.organization);
  const [relations, relation_set] = places(r =>
    r.organization_relationships?.length ? r.organization_relationships : null,
  );
  const [integrations, integration_set] = places(r =>
    r.external_identifiers?.length
      ? r.external_identifiers.map(i => ({ ...i, is_deleted: i.is_deleted ?? false }))
      : null,
  );
  const [street, streets] = places(r => r.street);
  return {
    count: rows.length,
    total: rows.length,
    full: false,
    is_large: true,
    id: all(r => r.id),
    haas_id: all(r => r.haas_id ?? ''),
    nickname: all(r => r.nickname ?? ''),
    external_id: all(r => r.external_id ?? ''),
    vin_number: all(r => r.vin_number ?? ''),
    license_plate_number: all(r => r.license_plate_number ?? ''),
    registry_number: all(r => r.registry_number ?? ''),
    ...{ thing_type, thing_subtype, device_type, relations, integrations, organization, street },
    version: all(r => r.version ?? 0),
    location_at: all(r => ms(r.location?.start_time)),
    run_id: all(r => r.run_id ?? ''),
    run_start_at: all(r => ms(r.run_start_time)),
    run_points: all(r => r.run_points_count ?? 0),
    accuracy: all(r => r.accuracy ?? -1),
    received_at: all(r => ms(r.received_at)),
    status: all(r => statusOfWire(r.status) ?? 0),
    flags: all(flags),
    lat: all(r => Math.round((r.lat ?? 0) * 1e7)),
    lng: all(r => Math.round((r.lng ?? 0) * 1e7)),
    course: all(r => r.course ?? 0),
    speed: all(r => r.speed ?? 0),
    heartbeat_at: all(r => ms(r.heartbeat_datetime)),
    at: all(r => ms(r.at)),
    stale_at: all(r => ms(r.stale_at)),
    location_id: all(r => r.location?.id ?? ''),
    status_at: all(r => ms(r.status_at)),
    station_id: all(r => r.station_id ?? ''),
    ...{ types, subtypes, device_types, relation_set, integration_set, orgs: orgs as WireSnapshot['orgs'], streets },
    gone: [],
    as_of,
    ...over,
  };
}
