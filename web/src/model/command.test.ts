import limits from '@catalog/limits.json';
import { describe, expect, it } from 'vitest';
import {
  type Command,
  commandStatusText,
  commandText,
  fateOf,
  lightRefusal,
  mergedCommands,
  r2rRefusal,
} from './command';
import { Status } from './status';
import { makeThing } from './testing';

const NOW = Date.parse('2026-11-21T10:42:07.000Z');
const WAIT = limits.command.shownUndeliveredMs.value;

const command = (over: Partial<Command> = {}): Command => ({
  id: 'c1',
  thingId: 'thing-1',
  type: 'r2r_test',
  value: '',
  status: 'accepted',
  issuedAt: NOW,
  acknowledgedAt: 0,
  expiresAt: NOW + 60_000,
  issuedBy: { kind: 'user', id: 'u1', name: 'Dana Moore' },
  message: '',
  ...over,
});

/** A fire engine that may be tested; `over` breaks a condition. */
const able = (over: Parameters<typeof makeThing>[0] = {}) =>
  makeThing({
    deviceType: 'ha7',
    thingTypeId: '01900000-0000-7000-8000-100000000001',
    isR2REnabled: true,
    isAllowedForTestMode: true,
    status: Status.STANDBY,
    ...over,
  });

describe('what is said of a command', () => {
  // spec: 8.asset.09
  it('is delivered only by the word of the device, and undelivered after 10 s without it', () => {
    expect(WAIT).toBe(10_000);
    expect(fateOf(undefined, NOW, NOW + WAIT - 1)).toBe('waiting');
    expect(fateOf(command({ status: 'sent' }), NOW, NOW + WAIT - 1)).toBe('waiting');
    expect(fateOf(command({ status: 'sent' }), NOW, NOW + WAIT)).toBe('overdue');
    expect(fateOf(undefined, NOW, NOW + WAIT)).toBe('overdue');
    expect(fateOf(command({ status: 'delivered' }), NOW, NOW + 40_000)).toBe('delivered');
    expect(fateOf(command({ status: 'failed' }), NOW, NOW)).toBe('failed');
    expect(fateOf(command({ status: 'expired' }), NOW, NOW)).toBe('expired');
  });

  it('comes from whoever knows more of it, newest first', () => {
    const old = command({ id: 'c0', issuedAt: NOW - 1 });
    const rows = mergedCommands([command({ status: 'delivered' }), old], [command({ status: 'sent' })]);
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['c1', 'delivered'],
      ['c0', 'accepted'],
    ]);
    expect(mergedCommands([command()], [command({ status: 'sent' })])[0]?.status).toBe('sent');
  });

  it('is said in words', () => {
    expect(commandText({ type: 'r2r_test', value: '' })).toBe('Test alert');
    expect(commandText({ type: 'test_mode', value: 'off' })).toBe('Test Mode: Off');
    expect(commandText({ type: 'light_intensity', value: 'high' })).toBe('LED Intensity: High');
    expect(commandStatusText({ status: 'sent' })).toBe('Sent');
  });
});

describe('why a device action is refused', () => {
  // spec: 6.thing.03
  it('is said of the first condition that fails: hardware, permission, enabled, status', () => {
    const broken = { deviceType: 'api', isR2REnabled: false, status: Status.OFFLINE };
    expect(r2rRefusal(able(), true)).toBeUndefined();
    expect(r2rRefusal(able(broken), false)).toBe('hardware');
    expect(r2rRefusal(able({ ...broken, deviceType: 'ha5' }), false)).toBe('permission');
    expect(r2rRefusal(able({ ...broken, deviceType: 'ha5' }), true)).toBe('enabled');
    expect(r2rRefusal(able({ status: Status.OFFLINE }), true)).toBe('status');
  });

  it('counts as not enabled where it is off, not allowed, or of no type of responders', () => {
    const tow = '01900000-0000-7000-8000-100000000007';
    for (const over of [{ isR2REnabled: false }, { isAllowedForTestMode: false }, { thingTypeId: tow }])
      expect(r2rRefusal(able(over), true)).toBe('enabled');
  });

  it('lets test mode end in every status', () => {
    const can = (isTestModeOn: boolean) =>
      Object.values(Status).filter(status => !r2rRefusal(able({ status, isTestModeOn }), true));
    expect(can(false)).toEqual([Status.STANDBY, Status.STATIONARY]);
    expect(can(true)).toEqual(Object.values(Status));
  });

  // spec: 6.thing.02
  it('of another light intensity asks for hardware, permission and a status up to stationary', () => {
    const can = Object.values(Status).filter(status => !lightRefusal(able({ status }), true));
    expect(can).toEqual([Status.LOCATION, Status.ACTIVE, Status.STANDBY, Status.STATIONARY]);
    expect(lightRefusal(able({ deviceType: 'api', status: Status.OFFLINE }), false)).toBe('hardware');
    expect(lightRefusal(able({ status: Status.OFFLINE }), false)).toBe('permission');
    expect(lightRefusal(able({ status: Status.PENDING }), true)).toBe('status');
  });
});
