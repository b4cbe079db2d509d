import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { askGrant } from './grants';
import {
  type FakeServer,
  fakeServer,
  memoryStorage,
  openTab,
  profileWith,
  type Tab,
  tabsOfOneBrowser,
} from './session.fakes';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let server: FakeServer;
let storage: ReturnType<typeof memoryStorage>;
let tab: () => Tab;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
  server = fakeServer();
  server.lifetime = 30 * 86_400;
  storage = memoryStorage();
  const tabs = tabsOfOneBrowser();
  tab = () => openTab(server, { tabs: tabs(), storage });
});
afterEach(() => vi.useRealTimers());

const phase = (one: Tab) => one.state.get().phase;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const answerProfile = (...parts: Parameters<typeof profileWith>) => {
  server.profile = () => answered('getProfile.ok', profileWith(...parts));
};

async function signedIn(): Promise<Tab> {
  const one = tab();
  await one.signIn('a@b.example', 'x');
  return one;
}

/** A tab that is opened while another one is signed in. */
async function joined(): Promise<Tab> {
  const one = tab();
  const restored = one.restore();
  await pass(500);
  await restored;
  return one;
}

describe('idle over several tabs', () => {
  // spec: 4.auth.09 9.session.02
  it('counts a use of any tab for all, told at most every 500 ms', async () => {
    const first = await signedIn();
    const second = await joined();
    const told = vi.spyOn(first.lock, 'touch');
    await pass(3 * HOUR);
    second.click();
    second.click();
    await pass(499);
    second.click();
    expect(told).toHaveBeenCalledTimes(1);
    await pass(1);
    second.click();
    expect(told).toHaveBeenCalledTimes(2);
    await pass(2 * HOUR);
    expect([first.alert.get(), second.alert.get()]).toEqual([undefined, undefined]);
    await pass(2 * HOUR);
    expect([first.alert.get()?.kind, second.alert.get()?.kind]).toEqual(['idle', 'idle']);
    second.staySignedIn();
    expect(first.alert.get()).toBeUndefined();
    await pass(MINUTE);
    expect([phase(first), phase(second)]).toEqual(['signedIn', 'signedIn']);
  });
});

describe('awareness mode', () => {
  // spec: 1.feat.10 D.auth.05
  it('is asked for by a refresh, in all tabs, and knows no idleness, lock or end', async () => {
    answerProfile({ lock_screen_ms: MINUTE }, { ends_at: '2026-11-22T12:00:00Z' });
    const first = await signedIn();
    const second = await joined();
    answerProfile({ lock_screen_ms: MINUTE }, { awareness_mode: true });
    await first.setAwareness(true);
    await pass(0);
    expect(server.calls.filter(call => call.path === '/user_token').at(-1)?.body).toEqual({
      grant_type: 'refresh_token',
      awareness_mode: true,
      token_delivery: 'cookie',
    });
    expect(second.accessToken()).toBe(first.accessToken());
    await pass(25 * HOUR);
    for (const one of [first, second]) {
      expect(phase(one)).toBe('signedIn');
      expect(one.alert.get()).toBeUndefined();
      expect(one.lock.locked.get()).toBe(false);
      expect(one.ending.at.get()).toBeUndefined();
    }
  });

  it('is left for the idle rule again, and tabs take the shorter token', async () => {
    answerProfile({}, { awareness_mode: true });
    const first = await signedIn();
    const second = await joined();
    answerProfile({}, { awareness_mode: false });
    server.lifetime = 14_400;
    await pass(1000);
    await first.setAwareness(false);
    await pass(0);
    expect(second.accessToken()).toBe(first.accessToken());
    await pass(4 * HOUR - MINUTE);
    expect(phase(second)).toBe('signedIn');
  });

  it('asks who is there when the server wants to know, then goes on; turned away from, it stays as it was', async () => {
    answerProfile({}, {});
    const session = await signedIn();
    const grant = server.token;
    server.others.set('/session/step_up', () => {
      server.token = grant;
      return replayed('stepUp.ok');
    });
    for (const confirms of [false, true]) {
      server.token = () => replayed('beginTOTP.step_up_required');
      const switched = session.setAwareness(true).then(
        () => 'on',
        error => error.code,
      );
      await pass(0);
      expect(session.stepUp.question.get()).toBe('action');
      if (confirms) await session.stepUp.prove({ password: 'x' });
      else session.stepUp.cancel();
      expect(await switched).toBe(confirms ? 'on' : 'step_up_required');
      expect(phase(session)).toBe('signedIn');
    }
    expect(server.calls.filter(call => call.path === '/user_token').at(-1)?.body).toMatchObject({
      awareness_mode: true,
    });
  });

  it('stays as it was when the server refuses', async () => {
    answerProfile({}, {});
    const session = await signedIn();
    server.token = () => replayed('createUserToken.awareness_not_allowed');
    await expect(session.setAwareness(true)).rejects.toMatchObject({ code: 'awareness_not_allowed' });
    expect(session.stepUp.question.get()).toBeUndefined();
    expect(phase(session)).toBe('signedIn');
    expect(session.accessToken()).toBe('access-1');
  });
});

describe('the absolute end', () => {
  // spec: D.auth.05
  it('is announced 15 minutes before, and ends the session', async () => {
    answerProfile({}, { ends_at: '2026-11-21T13:00:00Z' });
    const session = await signedIn();
    await pass(45 * MINUTE - 1);
    expect(session.ending.at.get()).toBeUndefined();
    await pass(1);
    expect(session.ending.at.get()).toBe(Date.parse('2026-11-21T13:00:00Z'));
    await pass(15 * MINUTE);
    expect(session.alert.get()?.title).toBe('Session Expired');
    await pass(3000);
    expect(phase(session)).toBe('signedOut');
  });

  it('moves away, in all tabs, once the user has confirmed who they are', async () => {
    answerProfile({}, { ends_at: '2026-11-21T12:10:00Z' });
    const first = await signedIn();
    const second = await joined();
    expect(second.ending.at.get()).toBeDefined();
    const extended = first.extend();
    expect(first.stepUp.question.get()).toBe('extend');
    answerProfile({}, { ends_at: '2026-11-22T12:00:00Z' });
    await first.stepUp.prove({ password: 'Secret-1' });
    await extended;
    await pass(0);
    expect(server.calls.find(call => call.path === '/session/step_up')?.body).toEqual({
      password: 'Secret-1',
      extend: true,
    });
    expect([first.ending.at.get(), second.ending.at.get()]).toEqual([undefined, undefined]);
    expect([first.accessToken(), second.accessToken()]).toEqual(['access-2', 'access-2']);
    await pass(20 * MINUTE);
    expect([phase(first), phase(second)]).toEqual(['signedIn', 'signedIn']);
  });
});

describe('lock screen', () => {
  const locked = (one: Tab) => one.lock.locked.get();

  // spec: D.auth.06
  it('comes after the time that the organization has set, in all tabs, and goes in all', async () => {
    answerProfile({ lock_screen_ms: 30 * MINUTE });
    const first = await signedIn();
    const second = await joined();
    await pass(29 * MINUTE);
    second.click();
    await pass(30 * MINUTE - 1);
    expect([locked(first), locked(second)]).toEqual([false, false]);
    await pass(1);
    expect([locked(first), locked(second)]).toEqual([true, true]);
    server.others.set('/session/step_up', () => replayed('stepUp.step_up_failed'));
    await expect(first.unlock({ password: 'wrong' })).rejects.toMatchObject({ code: 'step_up_failed' });
    expect(locked(first)).toBe(true);
    server.others.clear();
    await first.unlock({ password: 'Secret-1' });
    expect([locked(first), locked(second)]).toEqual([false, false]);
    await pass(30 * MINUTE);
    expect(locked(second)).toBe(true);
  });

  it('survives a reload and a closed browser, ends with the session, and a sign-in is no use for it', async () => {
    answerProfile({ lock_screen_ms: 30 * MINUTE });
    const first = await signedIn();
    await pass(30 * MINUTE);
    expect(locked(first)).toBe(true);
    const reloaded = await joined();
    expect(locked(reloaded)).toBe(true);
    await reloaded.signOut();
    expect([locked(first), locked(reloaded)]).toEqual([false, false]);

    await reloaded.signIn('a@b.example', 'x');
    expect(locked(reloaded)).toBe(false);
    vi.setSystemTime(Date.now() + HOUR);
    const later = openTab(server, { tabs: tabsOfOneBrowser()(), storage });
    const restored = later.restore();
    await pass(500);
    await restored;
    expect(locked(later)).toBe(true);
  });

  it('is no use of the page to click on it', async () => {
    answerProfile({ lock_screen_ms: 30 * MINUTE });
    const first = await signedIn();
    await pass(30 * MINUTE);
    first.click();
    expect(locked(first)).toBe(true);
  });

  it('does not come where the organization has set nothing', async () => {
    answerProfile({ lock_screen_ms: 0 });
    const first = await signedIn();
    await pass(3 * HOUR);
    expect(locked(first)).toBe(false);
    expect(storage.getItem('lightbar.lock')).toBeNull();
  });
});

describe('step-up', () => {
  const KEY = '/keys';
  const body = { description: 'gateway' };
  let fresh: boolean;

  beforeEach(() => {
    fresh = false;
    server.others.set(KEY, () =>
      fresh ? answered('createKey.ok', { id: 'k1' }) : replayed('beginTOTP.step_up_required'),
    );
    server.others.set('/session/step_up', () => {
      fresh = true;
      return replayed('stepUp.ok');
    });
  });

  it('opens for a refused call and repeats it once its user has confirmed; one question for several calls', async () => {
    const session = await signedIn();
    const calls = Promise.all([session.api.data('POST /keys', { body }), session.api.data('POST /keys', { body })]);
    await pass(0);
    expect(session.stepUp.question.get()).toBe('action');
    await session.stepUp.prove({ code: '123456' });
    await expect(calls).resolves.toMatchObject([{ id: 'k1' }, { id: 'k1' }]);
    expect(server.count('/session/step_up')).toBe(1);
    expect(server.calls.filter(call => call.path === KEY).map(call => call.body)).toEqual([body, body, body, body]);
    expect(session.stepUp.question.get()).toBeUndefined();
  });

  it('fails as the server said when the user turns away, and stands after a wrong proof', async () => {
    const session = await signedIn();
    server.others.set('/session/step_up', () => replayed('stepUp.step_up_failed'));
    const refused = expect(session.api.data('POST /keys', { body })).rejects.toMatchObject({
      code: 'step_up_required',
    });
    await pass(0);
    await expect(session.stepUp.prove({ password: 'x' })).rejects.toMatchObject({ code: 'step_up_failed' });
    expect(session.stepUp.question.get()).toBe('action');
    session.stepUp.cancel();
    await refused;
  });

  it('asks once for each call, and not at all where the call says so', async () => {
    const session = await signedIn();
    server.others.set('/session/step_up', () => replayed('stepUp.ok'));
    const refused = expect(session.api.data('POST /keys', { body })).rejects.toMatchObject({
      code: 'step_up_required',
    });
    await pass(0);
    await session.stepUp.prove({ password: 'x' });
    await refused;
    await expect(session.api.data('POST /keys', { body, stepUp: false })).rejects.toMatchObject({ status: 403 });
    expect(session.stepUp.question.get()).toBeUndefined();
  });

  it('is over when the session is', async () => {
    const session = await signedIn();
    const refused = expect(session.api.data('POST /keys', { body })).rejects.toMatchObject({
      code: 'step_up_required',
    });
    await pass(0);
    await session.signOut();
    await refused;
  });
});

describe('grants', () => {
  it('leave the refresh token to the cookie, whichever way somebody comes', async () => {
    const session = await signedIn();
    await askGrant(session.api, { grant_type: 'mfa', challenge: 'c', method: 'passkey', credential: { id: 'p' } });
    expect(server.calls.at(-1)).toMatchObject({
      path: '/user_token',
      token: null,
      body: { method: 'passkey', credential: { id: 'p' }, token_delivery: 'cookie' },
    });
  });

  it('bring a session from the cookie of a provider', async () => {
    const session = tab();
    await session.signInByCookie();
    expect(phase(session)).toBe('signedIn');
    await session.signOut();
    server.token = () => replayed('lookUpSignInLink.session_expired');
    await expect(session.signInByCookie()).rejects.toMatchObject({ code: 'session_expired' });
    expect(phase(session)).toBe('signedOut');
  });
});

describe('a computer that slept', () => {
  // Time passes, timers do not run.
  const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

  it('is locked before the first press counts as use', async () => {
    answerProfile({ lock_screen_ms: 30 * MINUTE });
    const one = await signedIn();
    sleep(120 * MINUTE);
    one.click();
    expect(one.lock.locked.get()).toBe(true);
  });

  it('is locked as it wakes, but not while another tab was used', async () => {
    answerProfile({ lock_screen_ms: 30 * MINUTE });
    const one = await signedIn();
    sleep(29 * MINUTE);
    one.wake();
    expect(one.lock.locked.get()).toBe(false);
    sleep(2 * MINUTE);
    one.wake();
    expect(one.lock.locked.get()).toBe(true);
  });

  it('asks whether somebody is there before a press counts', async () => {
    const one = await signedIn();
    sleep(5 * 60 * MINUTE);
    one.click();
    expect(one.alert.get()?.kind).toBe('idle');
  });
});
