import { expect, it } from 'vitest';
import { recorded, vary } from '~/api/recorded';
import { closureOfWire, madeOf } from './closure';
import { DEFAULT_CLOSURES, splitClosures } from './closureFilter';

// spec: 3.clos.04
it('a closure knows whether feeds have it, by which id, and what else they say of it', () => {
  const row = recorded('getClosure.ok').data;
  expect(row.is_wzdx_compliant && row.is_dashboard_managed && row.external_id !== '' && row.group_id !== '').toBe(true);
  expect(closureOfWire(row)).toMatchObject({
    isPublished: row.is_wzdx_compliant,
    isManaged: row.is_dashboard_managed,
    wzdxId: row.external_id,
    groupId: row.group_id,
    locationMethod: 'channel-device-method',
    vehicleImpact: 'some-lanes-closed',
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
    inService: false,
    description: 'Paving',
    alertMessage: 'Keep left',
    direction: 'N',
    lanes: [1, 2],
    streetStart: '5th St',
    streetEnd: '9th St',
    startTime: Date.parse('2026-11-21T10:00:00Z'),
    endTime: Date.parse('2026-11-21T12:00:00Z'),
    lastStartTime: Date.parse('2026-11-20T10:00:00Z'),
  });
  for (const type of ['manual', 'automated', 'feed'] as const)
    expect(closureOfWire(vary(row, { closure_type: type })).type).toBe(type);
  for (const status of ['active', 'standby', 'pending', 'offline'] as const)
    expect(closureOfWire(vary(row, { status })).status).toBe(status);
});

it('tells the change that ended or activated it from other edits, as long as it was the last', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const row = closureOfWire(recorded('getClosure.ok').data);
  const ended = {
    ...row,
    startTime: 0,
    endTime: 0,
    lastStartTime: now - 9e6,
    endedAt: now - 60_000,
    endReason: 'ended',
  };
  expect(madeOf(ended, now - 60_500, now)).toBe('ended');
  expect(madeOf(ended, now - 30_000, now)).toBeNull();
  expect(madeOf({ ...ended, endReason: 'moved' }, now - 60_500, now)).toBeNull();
  const active = { ...row, startTime: now - 60_000, endTime: now + 9e6, endedAt: 0, endReason: '' };
  expect(madeOf(active, now - 60_500, now)).toBe('activated');
  expect(madeOf({ ...active, endTime: now - 1 }, now - 60_500, now)).toBeNull();
});

it('active ones come by their end', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const row = closureOfWire(recorded('getClosure.ok').data);
  const at = (id: string, hours: number) => ({
    ...row,
    id,
    type: 'manual' as const,
    startTime: now - 1,
    endTime: now + hours * 3.6e6,
  });
  const day = { now, from: now - 4e7, to: now + 4e7 };
  expect(splitClosures([at('a', 5), at('b', 1), at('c', 3)], DEFAULT_CLOSURES, day).shown).toEqual(['b', 'c', 'a']);
});
