import { statusOfWire } from './status';
import type { Thing } from './thing';
import { namesOf, thingOfWire } from './thing';
import type { WireSnapshot, WireThing } from './wire';

/** A complete wire row for tests; `over` replaces fields. */
export function wireThing(over: Partial<WireThing> = {}): WireThing {
  return {
    id: 'thing-1',
    lat: 39.7447,
    lng: -75.5484,
    course: 45,
    speed: 15.2,
    accuracy: 4,
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
    location: null,
    station_id: '',
    closures: [],
    external_id: 'X-418',
    haas_id: 'ha7-00418',
    nickname: 'Ladder 1',
    vin_number: '4S7AT2E97JC083112',
    license_plate_number: 'FD 4418',
    registry_number: 'L1',
    thing_type_id: '01900000-0000-7000-8000-100000000001',
    thing_subtype_id: '01900000-0000-7000-8000-200000000002',
    device_type: 'ha7',
    in_service: true,
    is_publicly_alerting: true,
    is_allowed_for_closures: false,
    is_allowed_for_test_mode: true,
    test_mode: false,
    is_responder: true,
    is_integration_org: true,
    features: { r2r: true },
    organization: { id: 'org-1', name: 'Wilmington Fire Dept', type: 'fire' },
    organization_relationships: [],
    external_identifiers: [{ identifier_id: 'G9F021', system_name: 'geotab', is_deleted: false }],
    version: 3,
    ...over,
  };
}

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
