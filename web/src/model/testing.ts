import type { Schemas, WireLocation, WireThing } from '~/api';
import type { Thing } from './thing';
import { namesOf, thingOfWire } from './thing';

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

/** The row of an asset that has gone: only its id means something. */
export const goneThing = (id: string): WireThing => wireThing({ id, lat: null, lng: null, is_deleted: true });

/** A complete incident for tests; `over` replaces fields. */
export function wireLocation(over: Partial<WireLocation> = {}): WireLocation {
  return {
    id: 'location-1',
    external_id: '',
    organization_id: 'org-1',
    is_active: true,
    lat: 39.7447,
    lng: -75.5484,
    street: '',
    roadway_heading: null,
    things_active: [],
    things_inactive: [],
    start_time: '2026-11-21T10:31:00.000Z',
    end_time: null,
    alert_message: '',
    wzdx_id: '',
    version: 1,
    ...over,
  };
}

/** An asset at an incident; `over` replaces fields. */
export function wireLocationThing(over: Partial<Schemas['LocationThing']> = {}): Schemas['LocationThing'] {
  return {
    id: 'thing-1',
    external_id: '',
    haas_id: '',
    nickname: '',
    vin_number: '',
    license_plate_number: '',
    registry_number: '',
    runtime: 0,
    start_time: '2026-11-21T10:31:00.000Z',
    end_time: null,
    ...over,
  };
}

/** Something that no sound server sends, where its shape is expected. */
export const broken = <T>(value: unknown): T => value as T;

/** An asset for tests; `over` replaces fields, names and keys follow. */
export function makeThing(over: Partial<Thing> = {}): Thing {
  const thing = { ...thingOfWire(wireThing(), 0), ...over };
  return { ...thing, ...namesOf(thing) };
}
