import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import type { Session } from './session';
import {
  type FakeServer,
  fakeServer,
  memoryStorage,
  openTab,
  type Tab,
  tabsOfOneBrowser,
  wireProfile,
} from './session.fakes';
import type { TabMessage, Tabs } from './tabs';

const HOUR = 3_600_000;
let server: FakeServer;
let storage: ReturnType<typeof memoryStorage>;
let channel: () => Tabs;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
  server = fakeServer();
  storage = memoryStorage();
  channel = tabsOfOneBrowser();
});
afterEach(() => vi.useRealTimers());

const open = (tabs = channel()): Tab => openTab(server, { tabs, storage });
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const phase = (session: Session) => session.state.get().phase;
const organization = (session: Session) => {
  const state = session.state.get();
  return state.phase === 'signedIn' ? state.organizationId : state.phase;
};
const user = (session: Session) => {
  const state = session.state.get();
  return state.phase === 'signedIn' ? state.profile.userId : state.phase;
};

/** Another tab of somebody who is signed in. */
async function another(): Promise<Tab> {
  const tab = open();
  const restored = tab.restore();
  await wait(1000);
  await restored;
  return tab;
}

/** A tab that hears nothing while it is frozen. */
function frozenTab() {
  const tabs = channel();
  const tab = { isFrozen: false, page: undefined as unknown as Tab };
  const listen = (listener: (message: TabMessage) => void) =>
    tabs.listen(message => {
      if (!tab.isFrozen) listener(message);
    });
  tab.page = open({ ...tabs, listen });
  return tab;
}

/** Dana has the first token, Uma the ones after it. */
const profileByToken = () => {
  server.profile = () => {
    const isDana = server.calls.at(-1)?.token?.endsWith('access-1');
    return answered('getProfile.ok', wireProfile(isDana ? {} : { id: 'u2', firstname: 'Uma' }));
  };
};

describe('another user in another tab', () => {
  it('is who the first tab goes on as, with nothing of the user before', async () => {
    profileByToken();
    const first = open();
    await first.signIn('dana@fire.example', 'x');
    const forgotten = vi.fn();
    first.whenEnded(forgotten);
    const second = open();
    await second.signInByLink('a'.repeat(401), 'r');
    await wait(1000);
    expect([user(first), user(second)]).toEqual(['u2', 'u2']);
    expect(forgotten).toHaveBeenCalledTimes(1);
  });

  it('is not signed out by a tab that missed the change', async () => {
    profileByToken();
    const old = frozenTab();
    const second = open();
    await old.page.signIn('dana@fire.example', 'x');
    old.isFrozen = true;
    await wait(2000);
    await second.signIn('uma@fire.example', 'x');
    server.others.set('/roles', () => replayed('getProfile.unauthorized'));
    await old.page.api.request('GET /roles').catch(() => undefined);
    expect([phase(old.page), user(second)]).toEqual(['signedOut', 'u2']);
    expect(user(await another())).toBe('u2');
  });
});

describe('a tab that was frozen', () => {
  it('takes the token that another one has had meanwhile, and ends nothing', async () => {
    const old = frozenTab();
    server.lifetime = 3600;
    await old.page.signIn('dana@fire.example', 'x');
    const second = await another();
    old.isFrozen = true;
    // Its timers do not run.
    (old.page as unknown as { renewal: { stop(): void } }).renewal.stop();
    await wait(HOUR + 60_000);
    expect(phase(second)).toBe('signedIn');
    old.isFrozen = false;
    old.page.wake();
    await wait(5000);
    expect([phase(old.page), phase(second)]).toEqual(['signedIn', 'signedIn']);
  });

  it('goes on when a token comes while it says that the session has ended', async () => {
    server.lifetime = 60;
    const first = open();
    await first.signIn('dana@fire.example', 'x');
    server.token = () => replayed('updateOwnOrganization.busy');
    await wait(61_000);
    expect(first.alert.get()?.kind).toBe('expired');
    const bundle = { access: 'access-9', issuedAt: Date.now(), expiresAt: Date.now() + HOUR };
    channel().tell({ kind: 'bundle', bundle });
    expect(first.alert.get()).toBeUndefined();
    await wait(4000);
    expect(phase(first)).toBe('signedIn');
  });
});

describe('a profile that cannot be read again', () => {
  it.each([
    ['a busy server', () => replayed('updateOwnOrganization.busy')],
    ['too many requests', () => replayed('verifyToken.rate_limited')],
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
  ] as const)('leaves every tab as it was: %s', async (_, answer) => {
    const first = open();
    await first.signIn('dana@fire.example', 'x');
    const second = await another();
    server.profile = answer;
    await expect(first.reloadProfile()).resolves.toBeUndefined();
    await wait(1000);
    expect([user(first), user(second)]).toEqual(['u1', 'u1']);
  });
});

it('a tab stays with its organization when another one has chosen and the profile is read again', async () => {
  const first = open();
  await first.signIn('dana@fire.example', 'x');
  const second = await another();
  second.switchOrganization('o2');
  await first.checkAccess();
  expect([organization(first), organization(second)]).toEqual(['o1', 'o2']);
  expect(organization(await another())).toBe('o2');
});

describe('a browser whose clock is hours ahead', () => {
  beforeEach(() => {
    const grant = server.grant.bind(server);
    server.grant = () => ({ ...grant(), created_at: Math.floor((Date.now() - 5 * HOUR) / 1000) });
  });

  it('stays signed in over a reload', async () => {
    await open().signIn('dana@fire.example', 'x');
    channel = tabsOfOneBrowser(); // the page before is gone
    expect(phase(await another())).toBe('signedIn');
  });

  it('stays signed in in a second tab', async () => {
    const first = open();
    await first.signIn('dana@fire.example', 'x');
    const second = await another();
    await wait(10_000);
    expect([phase(first), phase(second)]).toEqual(['signedIn', 'signedIn']);
  });
});
