import type { Schemas, WireLocation, WireThing } from '~/api';
import { firstOf, recorded, streamed, vary } from '~/api/recorded';
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
