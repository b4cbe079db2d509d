import { expect, it } from 'vitest';
import { recorded, vary } from '~/api/recorded';
import { closureOfWire, madeOf } from './closure';
import { DEFAULT_CLOSURES, splitClosures } from './closureFilter';

// spec: 3.clos.04
it('a closure knows whether feeds have it, by which id, and what else they say of it', () => {
  const row = recorded('getClosure.ok').data;
  expect(row.is_wzdx_compliant && row.is_dashboard_managed && row.external_id !== '' && row.group_id !== '').toBe(true);
  expect(closureOfWire(row)).toMatchObject({
    is_wzdx_compliant: row.is_wzdx_compliant,
    is_dashboard_managed: row.is_dashboard_managed,
    external_id: row.external_id,
    group_id: row.group_id,
    location_method: 'channel-device-method',
    vehicle_impact: 'some-lanes-closed',
  });
});

// spec: 1.feat.02 3.clos.01 3.clos.02
it('a closure has every field of its row', () => {
  const row = vary(recorded('getClosure.ok').data, {
    is_in_service: false,
    description: 'Paving',
    alert_message: 'Keep left',
    direction: 'N',
    impacted_lanes: [1, 2],
    street_start: '5th St',
    street_end: '9th St',
    start_time: '2026-11-21T10:00:00Z',
    end_time: '2026-11-21T12:00:00Z',
    last_start_time: '2026-11-20T10:00:00Z',
  });
  expect(closureOfWire(row)).toMatchObject({
    id: row.id,
    is_in_service: false,
    description: 'Paving',
    alert_message: 'Keep left',
    direction: 'N',
    impacted_lanes: [1, 2],
    street_start: '5th St',
    street_end: '9th St',
    start_time: Date.parse('2026-11-21T10:00:00Z'),
    end_time: Date.parse('2026-11-21T12:00:00Z'),
    last_start_time: Date.parse('2026-11-20T10:00:00Z'),
  });
  for (const type of ['manual', 'automated', 'feed'] as const)
    expect(closureOfWire(vary(row, { closure_type: type })).closure_type).toBe(type);
  for (const status of ['active', 'standby', 'pending', 'offline'] as const)
    expect(closureOfWire(vary(row, { status })).status).toBe(status);
});

it('tells the change that ended or activated it from other edits, as long as it was the last', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const row = closureOfWire(recorded('getClosure.ok').data);
  const ended = {
    ...row,
    start_time: 0,
    end_time: 0,
    last_start_time: now - 9e6,
    ended_at: now - 60_000,
    end_reason: 'ended',
  };
  expect(madeOf(ended, now - 60_500, now)).toBe('ended');
  expect(madeOf(ended, now - 30_000, now)).toBeNull();
  expect(madeOf({ ...ended, end_reason: 'moved' }, now - 60_500, now)).toBeNull();
  const active = { ...row, start_time: now - 60_000, end_time: now + 9e6, ended_at: 0, end_reason: '' };
  expect(madeOf(active, now - 60_500, now)).toBe('activated');
  expect(madeOf({ ...active, end_time: now - 1 }, now - 60_500, now)).toBeNull();
});

it('active ones come by their end', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const row = closureOfWire(recorded('getClosure.ok').data);
  const at = (id: string, hours: number) => ({
    ...row,
    id,
    closure_type: 'manual' as const,
    start_time: now - 1,
    end_time: now + hours * 3.6e6,
  });
  const day = { now, from: now - 4e7, to: now + 4e7 };
  expect(splitClosures([at('a', 5), at('b', 1), at('c', 3)], DEFAULT_CLOSURES, day).shown).toEqual(['b', 'c', 'a']);
});
