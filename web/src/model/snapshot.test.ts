import { describe, expect, it } from 'vitest';
import type { WireSnapshot, WireThing } from '~/api';
import { headOfSnapshot, thingOfRow, wholeRows } from './snapshot';
import { snapshotOf, wireThing } from './testing';
import { type Thing, thingOfWire } from './thing';

const T0 = Date.parse('2026-11-21T10:42:00.000Z');
const at = (ms: number) => new Date(T0 + ms).toISOString();
/** A list row whose reports are `ms` after T0. */
const rowAt = (id: string, ms: number, over: Partial<WireThing> = {}) =>
  wireThing({ id, heartbeat_datetime: at(ms), at: at(ms), status_at: at(0), stale_at: at(ms + 30_000), ...over });

/** What the snapshot leaves to a single read. */
const LEFT = ['isComplete', 'isIntegrationOrg', 'feedSubscriptions', 'incidentEndAt', 'activeClosures', 'refused'];
const rest = (thing: Thing) => Object.fromEntries(Object.entries(thing).filter(([name]) => !LEFT.includes(name)));

const thingsOf = (s: WireSnapshot, known?: Thing) =>
  s.id.map((_, i) => thingOfRow(s, i, headOfSnapshot(s).texts, known));

const ROWS: WireThing[] = [
  rowAt('a', 0, { device_type: 'api', station_id: 'st-1', is_active: false, enroute: false, status: 'stationary' }),
  rowAt('b', 10, {
    nickname: '',
    vin_number: '',
    thing_subtype_id: '',
    features: { r2r: false },
    is_responder: false,
    is_publicly_alerting: false,
    in_service: false,
    course: null,
    organization: { id: 'org-2', name: 'Towing', type: 'tow' },
    organization_relationships: [
      { organization_uuid: 'org-1', organization_name: 'Wilmington Fire Dept', relationship_type: 'manager' },
    ],
  }),
  rowAt('c', 20, { status: 'active_location', enroute: false, location: { id: 'l-1', start_time: at(15) } }),
  rowAt('d', 0, {
    lat: null,
    lng: null,
    course: null,
    speed: 0,
    street: '',
    status: 'offline',
    at: null,
    stale_at: null,
    is_active: false,
    enroute: false,
  }),
];

describe('a row of the snapshot', () => {
  it('reads the same as the row of a list', () => {
    const listed = ROWS.map(row => rest(thingOfWire(row, T0)));
    expect(thingsOf(snapshotOf(ROWS, at(0))).map(rest)).toEqual(listed);
  });

  it('says that the rest is read on its own', () => {
    for (const thing of thingsOf(snapshotOf(ROWS, at(0)))) expect(thing.isComplete).toBe(false);
  });

  it('keeps what is known where a column has ended', () => {
    const known = thingOfWire(ROWS[0] as WireThing, T0);
    const moved = snapshotOf([rowAt('a', 500, { lat: 40, lng: -76 })], at(500));
    const { id, lat, lng, at: reported, heartbeat_at, ...others } = moved;
    const ended = Object.fromEntries(Object.entries(others).map(([name, v]) => [name, Array.isArray(v) ? [] : v]));
    const part = { ...moved, ...ended, id, lat, lng, at: reported, heartbeat_at } as WireSnapshot;
    expect(wholeRows(part)).toBe(0);
    expect(thingsOf(part, known)[0]).toEqual({
      ...known,
      ...{ lat: 40, lng: -76, at: T0 + 500, heartbeatAt: T0 + 500, stampAt: known.stampAt },
    });
  });

  it('is read on its own again when its profile or its state is another one', () => {
    const known = thingOfWire(ROWS[2] as WireThing, T0);
    const complete = (over: Partial<WireThing>) =>
      thingsOf(snapshotOf([{ ...(ROWS[2] as WireThing), ...over }], at(900)), known)[0]?.isComplete;
    expect(complete({ at: at(900) })).toBe(true);
    expect(complete({ version: 4 })).toBe(false);
    expect(complete({ status: 'standby', status_at: at(900) })).toBe(false);
  });
});
