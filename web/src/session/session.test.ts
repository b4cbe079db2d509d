import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { thrownAlone } from '~/lib/testing';
import { MARKER_KEY } from './marker';
import type { Session } from './session';
import {
  type FakeServer,
  fakeServer,
  memoryStorage,
  openTab,
  tabsOfOneBrowser,
  wireOrganization,
  wireProfile,
} from './session.fakes';

const HOUR = 3_600_000;
let server: FakeServer;
let storage: ReturnType<typeof memoryStorage>;
let tab: () => Session;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
  server = fakeServer();
  storage = memoryStorage();
  const tabs = tabsOfOneBrowser();
  tab = () => openTab(server, { tabs: tabs(), storage });
});
afterEach(() => vi.useRealTimers());

const phase = (session: Session) => session.state.get().phase;
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('sign-in', () => {
  // spec: 4.auth.01 7.auth.01
  it('asks with the password grant and keeps nothing secret in the browser', async () => {
    const session = tab();
    await session.signIn('dana@fire.example', 'Secret-1');
    expect(server.calls[0]).toMatchObject({
      path: '/user_token',
      token: null,
      body: {
        grant_type: 'password',
        application: 'dashboard',
        username: 'dana@fire.example',
        password: 'Secret-1',
        token_delivery: 'cookie',
      },
    });
    expect(phase(session)).toBe('signedIn');
    expect(server.calls[1]).toMatchObject({ path: '/profile', token: 'Bearer access-1' });
    expect(
      storage
        .keys()
        .map(key => storage.getItem(key))
        .join(),
    ).not.toContain('access-1');
  });

  it('throws the failure and stays signed out', async () => {
    const session = tab();
    await session.restore();
    server.token = () => replayed('createUserToken.invalid_grant');
    await expect(session.signIn('a@b.example', 'x')).rejects.toMatchObject({ status: 400, code: 'invalid_grant' });
    expect(phase(session)).toBe('signedOut');
  });

  // spec: 2.pub.06
  it('exchanges the token of a sign-in link for a pair of its own', async () => {
    const session = tab();
    await session.signInByLink('lb_at_link', 'lb_rt_link');
    expect(server.calls[0]?.body).toEqual({
      grant_type: 'link',
      access_token: 'lb_at_link',
      refresh_token: 'lb_rt_link',
      token_delivery: 'cookie',
    });
    expect(phase(session)).toBe('signedIn');
  });
});

describe('restore', () => {
  it('asks nothing when no session was left', async () => {
    const session = tab();
    await session.restore();
    expect(phase(session)).toBe('signedOut');
    expect(server.calls).toEqual([]);
  });

  // spec: 4.auth.01 7.auth.02
  it('brings the session back through the cookie', async () => {
    await tab().signIn('a@b.example', 'x');
    const again = openTab(server, { tabs: tabsOfOneBrowser()(), storage });
    const restored = again.restore();
    await vi.advanceTimersByTimeAsync(500); // nobody else has the token to hand over
    await restored;
    expect(phase(again)).toBe('signedIn');
    expect(server.calls.at(-2)?.body).toEqual({ grant_type: 'refresh_token', token_delivery: 'cookie' });
  });

  // spec: 4.auth.07
  it('drops a stored session that is past its end', async () => {
    storage.setItem(MARKER_KEY, JSON.stringify({ expiresAt: Date.now() - 1 }));
    const session = tab();
    await session.restore();
    expect(phase(session)).toBe('signedOut');
    expect(storage.getItem(MARKER_KEY)).toBeNull();
    expect(server.calls).toEqual([]);
  });

  // spec: 4.auth.08 8.session.03 9.session.07
  it('says that the session has expired for 3 seconds when the server refuses, then signs out', async () => {
    storage.setItem(MARKER_KEY, JSON.stringify({ expiresAt: Date.now() + HOUR }));
    server.token = () => replayed('createUserToken.token_not_verified');
    const session = tab();
    const restored = session.restore();
    for (let ms = 0; ms < 1000 && !session.alert.get(); ms += 1) await vi.advanceTimersByTimeAsync(1);
    await restored;
    expect(session.alert.get()).toMatchObject({ title: 'Session Expired', text: 'Please log in to Dashboard again' });
    await vi.advanceTimersByTimeAsync(2998);
    expect(phase(session)).toBe('restoring');
    await vi.advanceTimersByTimeAsync(2);
    expect(phase(session)).toBe('signedOut');
    expect(session.alert.get()).toBeUndefined();
  });

  it('waits for a server that cannot be reached, and asks again on demand', async () => {
    storage.setItem(MARKER_KEY, JSON.stringify({ expiresAt: Date.now() + HOUR }));
    server.down = true;
    const session = tab();
    void session.restore();
    await vi.advanceTimersByTimeAsync(500);
    expect(phase(session)).toBe('unreachable');
    server.down = false;
    void session.retry();
    await vi.advanceTimersByTimeAsync(500);
    expect(phase(session)).toBe('signedIn');
  });
});

describe('profile', () => {
  // spec: 4.auth.05 7.user.02 8.session.01
  it('signs out in words when the user belongs to another organization', async () => {
    server.profile = () => answered('getProfile.ok', wireProfile({ organization_id: 'elsewhere' }));
    const session = tab();
    await session.signIn('a@b.example', 'x').catch(() => undefined);
    expect(session.alert.get()).toMatchObject({
      title: 'Invalid Credentials',
      text: 'Organization was changed, please log back in.',
    });
    expect(phase(session)).toBe('signedOut');
  });

  // spec: 8.session.01
  it('says so too when the server answers it with 401 organization_changed', async () => {
    const session = tab();
    await session.signIn('a@b.example', 'x');
    server.profile = () => replayed('getProfile.organization_changed');
    await session.checkAccess();
    expect(session.alert.get()?.title).toBe('Invalid Credentials');
    expect(phase(session)).toBe('signedOut');
  });

  // spec: 5.data.01
  it('leaves out organizations that are none, and keeps the rest', async () => {
    const wire = wireProfile();
    const rows: unknown[] = [
      ...wire.managed_organizations,
      { ...wireOrganization('o7'), organization_type: 'fire' },
      { ...wireOrganization('o8'), organization_managers: null },
      { id: 'o9' },
      null,
      'o10',
    ];
    wire.managed_organizations = rows as typeof wire.managed_organizations;
    server.profile = () => answered('getProfile.ok', wire);
    const session = tab();
    await session.signIn('a@b.example', 'x');
    const state = session.state.get();
    expect(state.phase === 'signedIn' && state.profile.organizations.map(one => one.id)).toEqual(['o1', 'o2']);
    expect(session.alert.get()).toBeUndefined();
  });

  // spec: 8.session.02
  it('says Error when the profile cannot be had', async () => {
    server.profile = () => replayed('getSecondFactor.internal');
    const session = tab();
    await session.signIn('a@b.example', 'x').catch(() => undefined);
    expect(session.alert.get()).toMatchObject({ title: 'Error', text: 'Please log back in.' });
    expect(phase(session)).toBe('signedOut');
  });
});

describe('renewal', () => {
  // spec: 4.auth.06 9.session.01
  it('asks 10 seconds before the end', async () => {
    server.lifetime = 60;
    const session = tab();
    await session.signIn('a@b.example', 'x');
    await vi.advanceTimersByTimeAsync(49_999);
    expect(server.count('/user_token')).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.count('/user_token')).toBe(2);
    expect(session.accessToken()).toBe('access-2');
  });

  // spec: 4.auth.06
  it('asks at the end where less than 10 seconds are left, and not before', async () => {
    server.lifetime = 6;
    const session = tab();
    await session.signIn('a@b.example', 'x');
    await vi.advanceTimersByTimeAsync(5_999);
    expect(server.count('/user_token')).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.count('/user_token')).toBe(2);
    expect(session.accessToken()).toBe('access-2');
    expect(session.alert.get()).toBeUndefined();
  });

  // spec: D.auth.04
  it('asks once for all tabs, and all have the new token', async () => {
    server.lifetime = 60;
    const first = tab();
    const second = tab();
    const third = tab();
    await second.restore();
    await third.restore();
    await first.signIn('a@b.example', 'x');
    await settle();
    expect([phase(second), phase(third)]).toEqual(['signedIn', 'signedIn']);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(server.count('/user_token')).toBe(2);
    expect([first, second, third].map(one => one.accessToken())).toEqual(['access-2', 'access-2', 'access-2']);
  });

  // spec: D.auth.04
  it('asks once where all tabs ask in the same moment: the others wait, and take what the first was given', async () => {
    server.lifetime = 60;
    const tabs = [tab(), tab(), tab()];
    for (const one of tabs.slice(1)) await one.restore();
    await tabs[0]?.signIn('a@b.example', 'x');
    await settle();
    const before = server.count('/user_token');
    // The answer takes its time: without the lock the second asks before the first has its answer.
    const grant = server.token;
    server.token = body => new Promise(resolve => setTimeout(() => resolve(grant(body)), 500));
    await vi.advanceTimersByTimeAsync(55_000);
    expect(server.count('/user_token')).toBe(before + 1);
    expect(new Set(tabs.map(one => one.accessToken()))).toEqual(new Set(['access-2']));
  });

  it('hands the token to a tab that is opened later', async () => {
    const first = tab();
    await first.signIn('a@b.example', 'x');
    const second = tab();
    await second.restore();
    expect(phase(second)).toBe('signedIn');
    expect(server.count('/user_token')).toBe(1);
  });

  it('tries again while the server is away, and ends when the token has', async () => {
    server.lifetime = 60;
    const session = tab();
    await session.signIn('a@b.example', 'x');
    server.down = true;
    await vi.advanceTimersByTimeAsync(54_500);
    expect(server.count('/user_token')).toBe(4);
    expect(session.alert.get()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(5_500);
    expect(session.alert.get()?.title).toBe('Session Expired');
    await vi.advanceTimersByTimeAsync(3000);
    expect(phase(session)).toBe('signedOut');
  });

  // spec: 4.auth.07
  it('ends at once when a tab wakes up past the end', async () => {
    const session = tab();
    await session.signIn('a@b.example', 'x');
    vi.setSystemTime(Date.now() + 5 * HOUR);
    session.wake();
    expect(session.alert.get()?.title).toBe('Session Expired');
  });

  it('does not renew at once a token that lives longer than a timer can', async () => {
    server.lifetime = 2_592_000;
    const session = tab();
    await session.signIn('a@b.example', 'x');
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.count('/user_token')).toBe(1);
  });
});

describe('sign-out', () => {
  // spec: 4.auth.02 4.auth.03 2.nav.07 7.auth.08
  it('revokes the token, clears what was stored and tells the other tabs', async () => {
    const first = tab();
    const second = tab();
    await second.restore();
    await first.signIn('a@b.example', 'x');
    await settle();
    const forgotten = vi.fn();
    first.whenEnded(forgotten);
    await first.signOut();
    expect(server.calls.at(-1)).toMatchObject({ path: '/revoke_token', body: { token: 'access-1' } });
    expect([phase(first), phase(second)]).toEqual(['signedOut', 'signedOut']);
    expect(first.accessToken()).toBeUndefined();
    expect(storage.getItem(MARKER_KEY)).toBeNull();
    expect(forgotten).toHaveBeenCalledTimes(1);
  });

  it('tells another tab why it ended there, until somebody signs in again', async () => {
    const first = tab();
    const second = tab();
    await second.restore();
    await first.signIn('a@b.example', 'x');
    await settle();
    await first.signOut();
    expect([first.endedElsewhere.get(), second.endedElsewhere.get()]).toEqual([false, true]);
    await first.signIn('a@b.example', 'x');
    await settle();
    expect(second.endedElsewhere.get()).toBe(false);
  });

  it('is whole though a screen cannot bear it: the token is revoked, and the other tabs are told', async () => {
    const first = tab();
    const second = tab();
    await second.restore();
    await first.signIn('a@b.example', 'x');
    await settle();
    const alone = thrownAlone();
    first.state.subscribe(() => {
      throw new Error('Nobody is signed in here.');
    });
    await first.signOut();
    expect(alone()).toEqual(['Nobody is signed in here.']);
    expect(server.calls.at(-1)).toMatchObject({ path: '/revoke_token', body: { token: 'access-1' } });
    expect([phase(first), phase(second)]).toEqual(['signedOut', 'signedOut']);
  });

  it('works without a network', async () => {
    const session = tab();
    await session.signIn('a@b.example', 'x');
    server.down = true;
    await session.signOut();
    expect(phase(session)).toBe('signedOut');
  });

  it('stands when a renewal or a profile comes late', async () => {
    server.lifetime = 60;
    const session = tab();
    await session.signIn('a@b.example', 'x');
    let answer: (response: Response) => void = () => {};
    server.token = () =>
      new Promise<Response>(resolve => {
        answer = resolve;
      });
    await vi.advanceTimersByTimeAsync(50_000);
    await session.signOut();
    answer(answered('createUserToken.cookie', server.grant()));
    await settle();
    expect([phase(session), session.accessToken(), storage.getItem(MARKER_KEY)]).toEqual([
      'signedOut',
      undefined,
      null,
    ]);

    server.token = () => answered('createUserToken.cookie', server.grant());
    server.profile = () =>
      new Promise<Response>(resolve => {
        answer = resolve;
      });
    const entering = session.signIn('a@b.example', 'x');
    await settle();
    await session.signOut();
    answer(answered('getProfile.ok', wireProfile()));
    await entering;
    expect(phase(session)).toBe('signedOut');
  });

  // spec: 4.auth.04
  it('is forced by a 401 that carried the token', async () => {
    const session = tab();
    await session.signIn('a@b.example', 'x');
    server.profile = () => replayed('listSessions.invalid_token');
    await session.checkAccess();
    expect(phase(session)).toBe('signedOut');
  });

  it('is told apart: by hand, by the server, and run out, in every tab until somebody signs in', async () => {
    const [first, second] = [tab(), tab()];
    const told = () => [first, second].map(one => [one.expired.get(), one.endedElsewhere.get()]);
    await first.signIn('a@b.example', 'x');
    await settle();
    server.profile = () => replayed('listSessions.invalid_token');
    await first.checkAccess();
    await settle();
    expect([phase(first), phase(second)]).toEqual(['signedOut', 'signedOut']);
    expect(told()).toEqual([
      [true, false],
      [true, false],
    ]);
    server.profile = () => answered('getProfile.ok', wireProfile());
    await first.signIn('a@b.example', 'x');
    await settle();
    expect(told().flat()).not.toContain(true);
    await first.signOut();
    expect(told()).toEqual([
      [false, false],
      [false, true],
    ]);
  });
});

describe('idle', () => {
  // spec: 4.auth.09 8.session.04 8.session.05 9.session.02
  it('asks after 4 hours and signs out 10 seconds later', async () => {
    server.lifetime = 30 * 86_400;
    const session = tab();
    await session.signIn('a@b.example', 'x');
    await vi.advanceTimersByTimeAsync(4 * HOUR - 1);
    expect(session.alert.get()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(session.alert.get()).toMatchObject({
      title: 'Inactivity Warning',
      text: 'Session has been inactive too long.',
      button: 'Stay Signed In',
    });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(phase(session)).toBe('signedIn');
    await vi.advanceTimersByTimeAsync(1);
    expect(phase(session)).toBe('signedOut');
    expect(session.alert.get()?.title).toBe('Session Expired - Activity');
    expect(server.count('/revoke_token')).toBe(1);
  });

  // spec: 4.auth.09
  it('goes on for 4 more hours when somebody answers', async () => {
    server.lifetime = 30 * 86_400;
    const session = tab();
    await session.signIn('a@b.example', 'x');
    await vi.advanceTimersByTimeAsync(4 * HOUR + 5000);
    session.staySignedIn();
    expect(session.alert.get()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(4 * HOUR - 1);
    expect(phase(session)).toBe('signedIn');
    expect(session.alert.get()).toBeUndefined();
  });
});

describe('organizations', () => {
  it('switches among those in reach, keeps the token and remembers the choice', async () => {
    const session = tab();
    await session.signIn('a@b.example', 'x');
    session.switchOrganization('o2');
    session.switchOrganization('unknown');
    expect(session.state.get()).toMatchObject({ organizationId: 'o2' });
    expect(session.accessToken()).toBe('access-1');
    await session.signOut();
    await session.signIn('a@b.example', 'x');
    expect(session.state.get()).toMatchObject({ organizationId: 'o2' });
    server.profile = () => answered('getProfile.ok', wireProfile({ id: 'u2' }));
    await session.signIn('b@b.example', 'x');
    expect(session.state.get()).toMatchObject({ organizationId: 'o1' });
  });
});
