// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas, WireThing } from '~/api';
import { answered, refused, replayed, streamed, vary } from '~/api/recorded';
import { liveStore, streamStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { byText, host, load, openThings, press, says, see, stageThings, text } from './testing';

const LIGHTS_ON = 'Please activate emergency lights to send a test alert to your R2R indicator.';
const COMMANDS = 'GET /things/a/commands';
const R2R = 'PUT /things/a/r2r';
const LIGHT = 'PUT /things/a/light_intensity';
/** No id of ours is one of the server's. */
const THING = 'GET /things/00000000-0000-0000-0000-000000000000';

let calls: { route: string; key: string | null; body: unknown }[];
let answers: Record<string, () => Response | Promise<Response>>;

/** A fire engine that stands and may be tested. */
const engine = (over: Partial<WireThing> = {}) =>
  rowAt('a', 0, {
    nickname: 'Engine 4',
    thing_type_id: '01900000-0000-7000-8000-100000000001',
    device_type: 'ha7',
    features: { r2r: true },
    is_allowed_for_test_mode: true,
    test_mode: false,
    status: 'standby',
    ...over,
  });

type Command = Schemas['DeviceCommand'];
const COMMAND = { id: 'c1', thing_id: 'a' };

/** A command as it was told, of our asset and now. */
const commandOf = (name: 'command.accepted', over: Partial<Command> = {}): Command =>
  vary(streamed(name).command, {
    ...COMMAND,
    issued_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 60_000).toISOString(),
    ...over,
  });

/** The stream says how far the command has come. */
const hear = (name: string, over: Partial<Command> = {}) =>
  liveStore.applyMessages(
    [vary(streamed(name as 'command.accepted'), { command: commandOf(name as 'command.accepted', over) })],
    Date.now(),
  );

const turned = (on: boolean, version: number) =>
  liveStore.applyMessages([{ type: 'thing', thing: engine({ test_mode: on, version }) }], Date.now());

stageThings('o1');
beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
  calls = [];
  answers = {
    [COMMANDS]: () => replayed('listThingCommands.empty'),
    [R2R]: () => answered('toggleTestMode.on', { command: commandOf('command.accepted'), test_mode: true }),
    [LIGHT]: () => answered('setLightIntensity.ok', { command: commandOf('command.accepted', LAMP), test_mode: false }),
  };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const route = `${init.method ?? 'GET'} ${url.replace('/api', '').split('?')[0]}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    calls.push({ route, key: new Headers(init.headers).get('Idempotency-Key'), body });
    return (await answers[route]?.()) ?? replayed('nothing.not_found');
  });
});

const LAMP = { type: 'light_intensity', value: 'high' } as const;

/** The detail of an asset, as somebody with these permissions sees it. */
async function open(permissions: readonly string[], over: Partial<WireThing> = {}) {
  const wire = profileWith({}, {}, { permissions: ['thing:read', ...permissions] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
  load(engine({ organization: { id: 'o1', name: 'Own', type: 'fire' }, ...over }));
  await openThings('/dashboard/things/a', 'Engine 4');
}

const OFFICER = ['thing:invoke_r2r'];
const MANAGER = [...OFFICER, 'thing:ha5_light_intensity_change'];
const sent = (route: string) => calls.filter(call => call.route === route);
const section = (name: string) => document.querySelector(`section[aria-label="${name}"]`);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a test alert', () => {
  // spec: 2.things.11 7.thing.07 8.asset.09 8.asset.11 9.session.05 D.alert.01
  it('is sent once, and delivered when the device says so; then the message goes', async () => {
    await open(OFFICER);
    await press('button', 'Send Test Alert');
    await says('Sending…');
    expect(section('R2R')?.querySelector('[role="status"]')?.textContent).toBe('Sending…');
    expect(sent(R2R)).toHaveLength(1);
    expect(sent(R2R)[0]?.key).toMatch(/^[\da-f-]{36}$/);
    expect(sent(R2R)[0]?.body).toBeUndefined();
    turned(true, 9);
    await says('Turn Off Test Mode');
    hear('command.sent');
    expect(text()).toContain('Sending…');
    hear('command.delivered');
    await says('Alert Delivered');
    expect(text()).toContain(LIGHTS_ON);
    expect(text()).not.toContain('Sending…');
    await pass(9000);
    expect(text()).toContain('Alert Delivered');
    await pass(2000); // its ten seconds begin with the next tick of the clock
    expect(text()).not.toContain('Alert Delivered');
    expect(section('Last commands')?.textContent).toContain('Test alert Delivered');
  });

  // spec: D.alert.02
  it('is not delivered after 10 s without a word, but is when the word comes late', async () => {
    await open(OFFICER);
    await press('button', 'Send Test Alert');
    await says('Sending…');
    await pass(8000);
    expect(text()).toContain('Sending…');
    await pass(3000);
    expect(text()).toContain('Alert Not Delivered');
    expect(text()).not.toContain('Unable to activate');
    await pass(11_000);
    expect(text()).not.toContain('Alert Not Delivered');
    hear('command.delivered');
    await says('Alert Delivered');
    expect(text()).not.toContain('Alert Not Delivered');
  });

  // spec: 8.asset.10
  it.each(['command.failed', 'command.expired'])('is not delivered and turns nothing on: %s', async name => {
    await open(OFFICER);
    await press('button', 'Send Test Alert');
    await says('Sending…');
    hear(name);
    await says('Alert Not Delivered');
    expect(text()).toContain('Unable to activate Test Mode');
    expect(text()).not.toContain(LIGHTS_ON);
  });

  // spec: 8.asset.10
  it('is refused at once where the server refuses it, and can be sent anew', async () => {
    answers[R2R] = () => refused('toggleTestMode.forbidden');
    await open(OFFICER);
    await press('button', 'Send Test Alert');
    await says('Alert Not Delivered');
    expect(text()).toContain('Unable to activate Test Mode');
    expect(sent(R2R)).toHaveLength(1);
    await press('button', 'Send Test Alert');
    await see(() => expect(sent(R2R)).toHaveLength(2));
    expect(sent(R2R)[1]?.key).not.toBe(sent(R2R)[0]?.key);
  });

  // spec: D.wire.12
  it('that nobody answers is sent again with the same key', async () => {
    const good = answers[R2R] as () => Response;
    answers[R2R] = () => (sent(R2R).length < 3 ? Promise.reject(new TypeError('fetch failed')) : good());
    await open(OFFICER);
    await press('button', 'Send Test Alert');
    await see(() => expect(sent(R2R)).toHaveLength(3));
    expect(new Set(sent(R2R).map(({ key }) => key)).size).toBe(1);
    hear('command.delivered');
    await says('Alert Delivered');
  });

  it('is followed by asking once a second while there is no stream', async () => {
    streamStore.patch({ phase: 'reconnecting' });
    await open(OFFICER);
    await see(() => expect(sent(COMMANDS)).toHaveLength(1));
    await pass(5000);
    expect(sent(COMMANDS)).toHaveLength(1);
    answers[COMMANDS] = () => answered('listThingCommands.ok', [commandOf('command.accepted')]);
    await press('button', 'Send Test Alert');
    await says('Sending…');
    await pass(3100);
    expect(sent(COMMANDS).length).toBeGreaterThanOrEqual(3);
    answers[COMMANDS] = () =>
      answered('listThingCommands.ok', [{ ...commandOf('command.accepted'), status: 'delivered' }]);
    const before = sent(THING).length;
    await says('Alert Delivered');
    await see(() => expect(sent(THING).length).toBeGreaterThan(before));
    const asked = sent(COMMANDS).length;
    await pass(5000);
    expect(sent(COMMANDS)).toHaveLength(asked);
  });
});

describe('test mode', () => {
  // spec: 7.thing.08 8.asset.10 4.test.02
  it('is turned off; nothing more is said once the device has done so', async () => {
    answers[R2R] = () =>
      answered('toggleTestMode.off', { command: commandOf('command.accepted', OFF), test_mode: false });
    await open(OFFICER, { test_mode: true });
    expect(text()).toContain('Test Mode');
    await press('button', 'Turn Off Test Mode');
    await says('Sending…');
    turned(false, 9);
    await says('Send Test Alert');
    hear('command.delivered', OFF);
    await see(() => expect(section('R2R')?.querySelector('[role="status"]')?.textContent).toBe(''));
    expect(text()).not.toContain('Unable');
  });

  it.each([
    ['the server refuses it', () => refused('toggleTestMode.forbidden'), undefined],
    ['the device fails', undefined, 'command.failed'],
  ])('cannot be turned off: %s', async (_, answer, name) => {
    answers[R2R] =
      answer ??
      (() => answered('toggleTestMode.off', { command: commandOf('command.accepted', OFF), test_mode: false }));
    await open(OFFICER, { test_mode: true });
    await press('button', 'Turn Off Test Mode');
    if (name) {
      await says('Sending…');
      hear(name, OFF);
    }
    await says('Unable to deactivate Test Mode');
    expect(text()).not.toContain('Alert Not Delivered');
  });
});

const OFF = { type: 'test_mode', value: 'off' } as const;

describe('what can be asked of a device', () => {
  const why = (label: string) => {
    const button = byText('button', label);
    return document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
  };

  // spec: 5.device.03 6.thing.03 6.thing.04 8.asset.13
  it.each([
    ['hardware', OFFICER, { device_type: 'api' }, 'R2R testing available only for HA5 and HA7 devices'],
    ['permission', [], {}, 'Not authorized'],
    ['feature', OFFICER, { features: { r2r: false } }, 'R2R not enabled'],
    ['status', OFFICER, { status: 'active' }, 'Invalid asset status'],
  ] as const)('is refused for want of the %s, and the button says why', async (_, permissions, over, words) => {
    await open(permissions, over);
    const button = byText('button', 'Send Test Alert');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(why('Send Test Alert')).toBe(words);
    expect(document.querySelector('[role="tooltip"]')).toBeNull();
    await press('button', 'Send Test Alert');
    await see(() => expect(document.querySelector('[role="tooltip"]')?.textContent).toBe(words));
    expect(sent(R2R)).toEqual([]);
  });

  it('is not offered where neither the device nor the user could', async () => {
    await open([], { device_type: 'api' });
    expect(section('Status')).not.toBeNull();
    for (const name of ['R2R', 'LED Intensity', 'Last commands']) expect(section(name)).toBeNull();
  });

  it('is refused to who may only look at the asset, without its history', async () => {
    const relation = { organization_uuid: 'o1', organization_name: 'Own', relationship_type: 'accessor' } as const;
    await open(OFFICER, {
      organization: { id: 'o9', name: 'Other', type: 'fire' },
      organization_relationships: [relation],
    });
    expect(why('Send Test Alert')).toBe('Not authorized');
    expect(section('Last commands')).toBeNull();
    expect(sent(COMMANDS)).toEqual([]);
  });

  it('is asked of the one that is shown, and its history has an error of its own', async () => {
    answers[COMMANDS] = () => refused('listThings.service_unavailable' as 'nothing.not_found');
    await open(OFFICER);
    await says('Retry');
    answers[COMMANDS] = () => answered('listThingCommands.ok', [commandOf('command.accepted', { message: 'busy' })]);
    await press('button', 'Retry');
    await see(() => expect(section('Last commands')?.textContent).toContain('busy'));
  });
});

describe('the intensity of the lights', () => {
  // spec: 3.enum.06
  it('is one of three', async () => {
    await open(MANAGER);
    await press('section[aria-label="LED Intensity"] button[aria-haspopup]', '');
    await see(() =>
      expect([...document.querySelectorAll('[role="option"]')].map(option => option.textContent)).toEqual([
        'Low',
        'Medium',
        'High',
      ]),
    );
  });

  const choose = async (word: string) => {
    await press('section[aria-label="LED Intensity"] button[aria-haspopup]', '');
    await press('[role="option"]', word);
  };

  // spec: 5.asset.12 7.thing.09 8.asset.12 9.session.05
  it('is updated once one is chosen; the message goes after 4 s', async () => {
    await open(MANAGER);
    expect((byText('button', 'Update') as HTMLButtonElement).disabled).toBe(true);
    await choose('High');
    await press('button', 'Update');
    await says('Sending update');
    expect(sent(LIGHT)[0]?.body).toEqual({ light_intensity: 'high' });
    await pass(20_000);
    expect(text()).toContain('Sending update');
    hear('command.delivered', LAMP);
    await says('Update was successful');
    await pass(3000);
    expect(text()).toContain('Update was successful');
    await pass(1500);
    expect(text()).not.toContain('Update was successful');
  });

  // spec: 8.asset.12
  it.each([
    ['failed', 'Something went wrong'],
    ['expired', 'Request timed out'],
  ])('that %s is said in the words of the asset', async (state, words) => {
    await open(MANAGER);
    await choose('Low');
    await press('button', 'Update');
    await says('Sending update');
    hear(`command.${state}`, LAMP);
    await says(words);
  });

  // spec: 6.thing.02 6.thing.04
  it.each([
    [OFFICER, {}, 'Not authorized'],
    [MANAGER, { status: 'pending' }, 'Invalid asset status'],
  ] as const)('is refused with the reason', async (permissions, over, words) => {
    await open(permissions, over);
    const update = byText('button', 'Update');
    expect(document.getElementById(update.getAttribute('aria-describedby') ?? '')?.textContent).toBe(words);
    expect(host.querySelector<HTMLButtonElement>('section[aria-label="LED Intensity"] button')?.disabled).toBe(true);
  });
});
