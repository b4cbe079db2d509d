// @vitest-environment jsdom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { ChunkError } from '~/lib/chunk';
import { stubBrowser } from '~/lib/testing';
import { liveStore, streamStore } from '~/live';
import { preferences, session, setPreference } from '~/session';
import { brand, brandOf } from '~/session/brand';
import { profileOf } from '~/session/profile';
import { wireOrganization, wireProfile } from '~/session/session.fakes';
import { createAppRouter } from '../router';
import { FailureScreen, NotFound, Refused } from '../screens';
import { runningVersion } from '../version';
import { ConnectionBanner } from './ConnectionBanner';

let root: Root;
let page: HTMLElement;
let width = 1440;

/** What the page of one's own account is answered: the wrong shape would take the page away as soon as it comes. */
const OWN = {
  '/api/profile': 'getProfile.ok',
  '/api/session/second_factor': 'getSecondFactor.none',
  '/api/sessions': 'listSessions.ok',
} as const;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  stubBrowser(() => ({ width, pointer: width < 769 ? 'coarse' : 'fine' }));
  vi.stubGlobal('fetch', (url: string) => {
    const path = url.split('?')[0] as keyof typeof OWN;
    return Promise.resolve(replayed(OWN[path] ?? 'listThings.empty'));
  });
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  setPreference('hideSupportDialog', true);
  setPreference('alwaysShowSupport', false);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  width = 1440;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const render = (node: ReactNode) => act(async () => root.render(node));
const texts = (selector: string, under: ParentNode = page) =>
  [...under.querySelectorAll(selector)].map(element => element.textContent);

function signIn(permissions: string[], sections: string[], others = 1, more: Parameters<typeof wireProfile>[0] = {}) {
  const wire = wireProfile({ permissions, dashboard_access: sections, ...more });
  wire.managed_organizations = Array.from({ length: others }, (_, index) => wireOrganization(`m${index}`));
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
}

/** Draws the app at an address; the screens come with their chunks. */
async function visit(address: string, until: string, within = (node: ReactNode) => node) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }));
  await render(within(<RouterProvider router={router} />));
  // What comes later comes by itself, outside of any act.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  await vi.waitFor(() => expect(page.textContent).toContain(until));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  return router;
}

const button = (name: string) => [...document.querySelectorAll('button')].find(one => one.textContent?.trim() === name);

/** Types as a person does: React listens to the native setter. */
function type(field: HTMLInputElement, text: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const FORBIDDEN = 'Sorry, you are not currently authorized to access this page.';

describe('guard', () => {
  // spec: 2.guard.01
  it('says that a section is not permitted', async () => {
    signIn(['thing:read'], ['things']);
    await visit('/dashboard/closures', FORBIDDEN);
  });

  it('says so of the section over the map too', async () => {
    signIn([], []);
    await visit('/dashboard/things', FORBIDDEN);
  });

  // spec: 2.guard.02 2.guard.03
  it.each(['zones', 'trips', 'hazards', 'data/exports', 'accounts'])(
    'says that %s is not for phones',
    async section => {
      width = 390;
      signIn(['haas:manage', 'user:manage'], ['things', section]);
      await visit(`/dashboard/${section}`, "This page isn't available on mobile devices.");
    },
  );

  // spec: 2.route.24
  it('does not know other addresses', async () => {
    signIn(['thing:read'], ['things']);
    await visit('/dashboard/nonsense', 'Sorry, the requested URL was not found here.');
    await act(async () => root.unmount());
    root = createRoot(page);
    await visit('/nonsense', 'Sorry, the requested URL was not found here.');
  });
});

describe('one’s own account', () => {
  // Changing a password, adding a second factor and ending a session ask for no permission.
  it('is there without access to Accounts, by the menu and by its address', async () => {
    signIn(['thing:read'], ['things']);
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const router = await visit('/dashboard/closures', FORBIDDEN, node => (
      <QueryClientProvider client={queries}>{node}</QueryClientProvider>
    ));
    await act(async () => page.querySelector<HTMLButtonElement>('[aria-label*="profile of"]')?.click());
    const entries = () => [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    expect(entries().map(entry => entry.textContent)).not.toContain('Manage Accounts & Users');
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    entries()
      .find(entry => entry.textContent === 'My Profile')
      ?.click();
    await vi.waitFor(() => expect(texts('h1')).toEqual(['My Profile']));
    expect(router.state.location.pathname).toBe('/dashboard/profile');
    await vi.waitFor(() => expect(document.getElementById('sessions')).not.toBeNull());
    expect(document.getElementById('password')).not.toBeNull();
    expect(document.getElementById('second-factor')).not.toBeNull();
  });

  it('is the Account tab for who has access to Accounts', async () => {
    signIn(['user:manage'], ['accounts']);
    await visit('/dashboard/closures', FORBIDDEN);
    await act(async () => page.querySelector<HTMLButtonElement>('[aria-label*="profile of"]')?.click());
    const entries = [...document.querySelectorAll('[role="menuitem"]')].map(entry => entry.textContent);
    expect(entries).toContain('Profile & Preferences');
    expect(entries).not.toContain('My Profile');
  });
});

describe('the live picture', () => {
  // spec: 6.poll.01
  it.each([
    [[], false],
    [['thing:read'], true],
  ])('is asked for with the permissions %j: %s', async (permissions, isAsked) => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url);
      return Promise.resolve(replayed('listThings.empty'));
    });
    const sockets = vi.fn();
    vi.stubGlobal(
      'WebSocket',
      class {
        constructor() {
          sockets();
        }
        close() {}
      },
    );
    signIn(permissions, ['things']);
    await visit('/dashboard/closures', FORBIDDEN);
    await act(async () => await new Promise(done => setTimeout(done, 50)));
    expect(asked.some(url => url.startsWith('/api/organization/things'))).toBe(isAsked);
    if (!isAsked) expect([asked.filter(url => /things|locations/.test(url)), sockets.mock.calls]).toEqual([[], []]);
  });
});

describe('desktop', () => {
  // spec: 2.nav.02 2.nav.03
  it('has permitted links and Refer a Fleet', async () => {
    brand.set({ ...brand.get(), referUrl: 'https://refer.example/fleet' });
    signIn(['thing:read'], ['things', 'closures']);
    await visit('/dashboard/closures', FORBIDDEN);
    expect(texts('nav a').map(text => text?.replace(/\d+$/, ''))).toEqual(['Live', 'Refer a Fleet']);
    expect(page.querySelector('a[href="https://refer.example/fleet"]')).not.toBeNull();
  });
});

describe('every section', () => {
  const SECTIONS = ['things', 'events', 'areas', 'closures', 'zones', 'trips', 'hazards'];
  const labels = () => texts('nav a').map(text => text?.replace(/\d+$/, ''));

  // spec: 2.nav.01 2.nav.04 1.feat.04
  it('stands in the navigation in its order, and the data of who may see any of it top right', async () => {
    signIn(['haas:manage', 'report:read'], [...SECTIONS].reverse().concat('data'));
    await visit('/dashboard/nonsense', 'Sorry, the requested URL was not found here.');
    expect(labels().slice(0, SECTIONS.length)).toEqual([
      'Live',
      'Events',
      'Areas',
      'Closures',
      'Zones',
      'Trips',
      'Hazards',
    ]);
    expect(texts('a[title="Data"]')).toEqual(['Data']);
  });
});

describe('the switch of organizations', () => {
  const shown = async (others: number, acs: boolean) => {
    const wire = wireProfile({ permissions: ['thing:read'], dashboard_access: ['things'] });
    wire.organization = wireOrganization('o1', { organization_type: { id: 't1', name: 'fire', acs } });
    wire.managed_organizations = Array.from({ length: others }, (_, index) => wireOrganization(`m${index}`));
    session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
    await visit('/dashboard/closures', FORBIDDEN);
    return texts('label, span.visually-hidden').includes('Organization');
  };

  // spec: 2.nav.08 6.link.03
  it.each([
    [1, true, true],
    [0, true, false],
    [1, false, false],
  ])('with %d others and the flag %s is there: %s', async (others, acs, isThere) => {
    expect(await shown(others, acs)).toBe(isThere);
  });
});

describe('phone', () => {
  beforeEach(() => {
    width = 390;
  });

  // spec: 2.mob.01
  it('has a top bar with the organization and tabs by permission', async () => {
    signIn(['thing:read'], ['things']);
    await visit('/dashboard/closures', FORBIDDEN);
    expect(texts('header')).toEqual(['Organization o1']);
    expect(texts('nav a')).toEqual(['Live']);
  });

  async function openAccount() {
    await visit('/dashboard/closures', FORBIDDEN);
    await act(async () => page.querySelector<HTMLButtonElement>('[aria-label="Account"]')?.click());
    const dialog = document.querySelector('[role="dialog"]');
    if (!dialog) throw new Error('the dropdown did not open');
    return dialog;
  }

  // spec: 2.mob.02 2.mob.03
  it('lists user, address, Sign Out and five organizations without a search', async () => {
    signIn(['thing:read'], ['things'], 4);
    const dropdown = await openAccount();
    expect(dropdown.textContent).toContain('Dana Moore');
    expect(dropdown.textContent).toContain('dana@fire.example');
    expect(dropdown.textContent).toContain('Sign Out');
    expect(texts('li', dropdown)).toHaveLength(5);
    expect(dropdown.querySelector('input[type="search"]')).toBeNull();
  });

  // spec: 2.mob.03
  // spec: 9.ui.05
  it('searches six organizations by name, once, 350 ms after the last key', async () => {
    signIn(['thing:read'], ['things'], 5);
    const dropdown = await openAccount();
    const search = dropdown.querySelector<HTMLInputElement>('input[type="search"]');
    if (!search) throw new Error('there is no search');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await act(async () => type(search, 'M3'));
    await act(async () => vi.advanceTimersByTime(349));
    expect(texts('li', dropdown)).toHaveLength(6);
    await act(async () => vi.advanceTimersByTime(1));
    expect(texts('li', dropdown)).toEqual(['Organization m3']);
  });
});

describe('support dialog', () => {
  const dialog = () => document.querySelector('[role="dialog"]');
  let router: Awaited<ReturnType<typeof visit>>;
  const comes = () => vi.waitFor(() => expect(dialog()?.textContent).toContain('Support'));
  const press = (text: string) =>
    act(async () => {
      const buttons = [...document.querySelectorAll<HTMLElement>('button')];
      buttons.find(one => one.textContent === text)?.click();
    });
  const goes = () => vi.waitFor(() => expect(dialog()).toBeNull());

  beforeEach(() => {
    brand.set({
      ...brand.get(),
      supportEmail: 'help@county.example',
      supportPhone: '+1 302 555 0100',
      referUrl: 'https://refer.example/fleet',
      helpUrl: 'https://help.example/',
    });
    signIn(['thing:read'], ['things']);
  });

  // spec: 2.chrome.04 2.chrome.05
  it('opens on first use and says so in the address, until it was dismissed', async () => {
    setPreference('hideSupportDialog', false);
    router = await visit('/dashboard/closures?x=1', FORBIDDEN);
    await comes();
    expect(router.state.location.search).toMatchObject({ 'utm-content': 'supportBtn' });
    await press('Close');
    await goes();
    expect(router.state.location.search).not.toHaveProperty('utm-content');
    expect(preferences.get().hideSupportDialog).toBe(true);
    await act(async () => root.unmount());
    root = createRoot(page);
    router = await visit('/dashboard/closures', FORBIDDEN);
    expect(dialog()).toBeNull();
    expect(router.state.location.search).not.toHaveProperty('utm-content');
  });

  it('opens at every start where its user wants that', async () => {
    setPreference('alwaysShowSupport', true);
    await visit('/dashboard/closures', FORBIDDEN);
    await comes();
  });

  // spec: 2.chrome.03
  it('names no mailbox and no telephone on a fresh installation, and its own help has every topic', async () => {
    brand.set({ ...brandOf({}) });
    await visit('/dashboard/closures', FORBIDDEN);
    expect(texts('nav a')).not.toContain('Refer a Fleet');
    await press('Support');
    await comes();
    const links = [...(dialog()?.querySelectorAll('a') ?? [])].map(link => link.getAttribute('href'));
    expect(links).toEqual(['/help#rename-assets', '/help#add-users', '/help#view-reports', '/help#create-exports']);
    expect(dialog()?.textContent).not.toContain('localhost');
    expect(dialog()?.textContent).not.toContain('contact us');
    expect(dialog()?.textContent).not.toContain('Phone');
    expect(dialog()?.querySelector('dl')).toBeNull();
    await press('Close');
    await goes();
    await act(async () => root.unmount());
    root = createRoot(page);
    await visit('/help', 'Take me back to the main page');
    expect([...page.querySelectorAll('section[id]')].map(topic => `/help#${topic.id}`)).toEqual(links);
  });

  // spec: 9.list.08
  it.each([
    ['staging', 1440, 'staging'],
    ['staging', 390, 'staging'],
    ['production-uk', 1440, undefined],
  ])('says beside the version that this is %s, and the shell at %d px does', async (environment, px, tag) => {
    width = px;
    brand.set({ ...brandOf({ environment }) });
    runningVersion.set('1.4.2');
    await visit('/dashboard/closures', FORBIDDEN);
    const tags = texts('nav [class*=tag], header [class*=tag]').filter(text => text !== '');
    expect(tags).toEqual(tag ? [tag] : []);
    setPreference('hideSupportDialog', false);
    if (px === 390) return;
    await press('Support');
    await comes();
    expect(dialog()?.textContent).toContain(`Version 1.4.2 · ${environment}`);
  });

  // spec: 2.chrome.02 2.chrome.03 2.chrome.05
  it('opens by its button with address, telephone and six links', async () => {
    router = await visit('/dashboard/closures', FORBIDDEN);
    await press('Support');
    await comes();
    expect(router.state.location.search).toMatchObject({ 'utm-content': 'supportBtn' });
    const links = [...(dialog()?.querySelectorAll('a') ?? [])].map(link => link.getAttribute('href'));
    expect(links).toEqual([
      'https://help.example/#rename-assets',
      'https://help.example/#add-users',
      'https://help.example/#view-reports',
      'https://help.example/#create-exports',
      'mailto:help@county.example?subject=Feedback%20on%20Safety%20Cloud',
      'https://refer.example/fleet',
      'mailto:help@county.example',
      'tel:+13025550100',
    ]);
  });
});

describe('profile menu', () => {
  async function entries() {
    await visit('/dashboard/closures', FORBIDDEN);
    await act(async () => page.querySelector<HTMLButtonElement>('[aria-label*="profile of"]')?.click());
    return texts('[role^="menuitem"]', document).map(text => text?.replace(/\?$/, ''));
  }

  // spec: 2.nav.05 2.nav.06 2.nav.07
  it('has the places that are built and permitted, and Sign Out', async () => {
    signIn(['thing:read', 'user:read', 'engineer:test'], ['things', 'accounts', 'accounts-new']);
    expect(await entries()).toEqual([
      'Profile & Preferences',
      'New Accounts (test)',
      'Manage Accounts & Users',
      'System',
      'Dark',
      'Light',
      'Sound',
      'Keyboard shortcuts',
      'Sign Out',
    ]);
  });

  // spec: 2.nav.05 2.nav.06 1.feat.11 2.manager.01
  it('has none of them for users who may not', async () => {
    signIn(['thing:read'], ['things']);
    expect(await entries()).toEqual([
      'My Profile',
      'System',
      'Dark',
      'Light',
      'Sound',
      'Keyboard shortcuts',
      'Sign Out',
    ]);
  });

  // spec: 2.manager.01 6.link.01
  it('leads who may look after accounts to them', async () => {
    signIn(['user:read'], ['things', 'accounts']);
    const router = await visit('/dashboard/closures', FORBIDDEN);
    await act(async () => page.querySelector<HTMLButtonElement>('[aria-label*="profile of"]')?.click());
    const entry = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
      one => one.textContent === 'Manage Accounts & Users',
    );
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    entry?.click();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/user'));
  });

  // spec: 1.feat.11
  it('switches the awareness mode for those who may', async () => {
    const change = vi.spyOn(session, 'setAwareness').mockResolvedValue();
    signIn(['thing:read'], ['things'], 1, { has_awareness_mode_access: true });
    await entries();
    const entry = [...document.querySelectorAll<HTMLElement>('[role="menuitemcheckbox"]')].find(
      one => one.textContent === 'Situational awareness',
    );
    await act(async () => entry?.click());
    expect(change).toHaveBeenCalledExactlyOnceWith(true);
  });
});

describe('the filters of Live', () => {
  it('are those of the address, and come back to it from another section', async () => {
    signIn(['thing:read', 'user:read', 'user:admin:manage'], ['things', 'accounts']);
    const within = (node: ReactNode) => <QueryClientProvider client={new QueryClient()}>{node}</QueryClientProvider>;
    const router = await visit('/dashboard/things?q=engine&status=active', 'Live', within);
    expect(liveStore.getFilter().search).toBe('engine');
    await act(() => router.navigate({ href: '/dashboard/profile' }));
    expect(router.state.location.searchStr).toBe('');
    await act(() => router.navigate({ href: '/dashboard/things' }));
    expect(router.state.location.searchStr).toBe('?q=engine&status=active');
    expect(liveStore.getFilter().search).toBe('engine');
  });
});

describe('notices', () => {
  it('announce the end of the session, with the way to stay', async () => {
    const extend = vi.spyOn(session, 'extend').mockResolvedValue();
    signIn(['thing:read'], ['things']);
    session.ending.at.set(Date.parse('2026-11-21T19:20:00Z'));
    await visit('/dashboard/closures', 'Your session ends at 2:20 PM.');
    const stay = [...page.querySelectorAll('button')].find(one => one.textContent === 'Stay signed in');
    await act(async () => stay?.click());
    expect(extend).toHaveBeenCalledTimes(1);
    await act(async () => session.ending.at.set(undefined));
  });

  it('ask for the second factor that the organization requires, and lead to where it is added', async () => {
    const due = { second_factor_due: '2026-11-21T19:20:00Z' };
    signIn(['thing:read', 'user:read'], ['things', 'accounts'], 1, due);
    const router = await visit(
      '/dashboard/closures',
      'Your organization requires two-factor authentication. Set it up before 2:20 PM.',
    );
    await act(async () => button('Dismiss')?.click());
    expect(page.textContent).not.toContain('requires two-factor authentication');
    // The last quarter of an hour asks whatever was dismissed.
    await act(async () => session.ending.at.set(Date.parse(due.second_factor_due)));
    expect(page.textContent).toContain('requires two-factor authentication');
    expect(button('Dismiss')).toBeUndefined();
    await act(async () => button('Set up 2FA')?.click());
    expect(router.state.location.pathname).toBe('/dashboard/accounts/account/second-factor');
    await act(async () => session.ending.at.set(undefined));
    await act(async () => signIn(['thing:read', 'user:read'], ['things', 'accounts']));
    expect(page.textContent).not.toContain('requires two-factor authentication');
  });

  it.each([1440, 390])('lead who has no account page to that part of their own profile (%d px)', async px => {
    width = px;
    const seen: string[] = [];
    Element.prototype.scrollIntoView = function () {
      seen.push(this.id);
    };
    signIn(['thing:read'], ['things'], 1, { second_factor_due: '2026-11-21T19:20:00Z' });
    const router = await visit('/dashboard/closures', 'Set it up before 2:20 PM.', node => (
      <QueryClientProvider client={new QueryClient()}>{node}</QueryClientProvider>
    ));
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    button('Set up 2FA')?.click();
    await vi.waitFor(() => expect(seen).toContain('second-factor'));
    expect(router.state.location.href).toBe('/dashboard/profile#second-factor');
    expect(document.querySelector('[role="dialog"]')).toBeNull();
  });

  it('of the end stay away in awareness mode, which no confirmation prolongs', async () => {
    const wire = wireProfile({
      permissions: ['thing:read'],
      dashboard_access: ['things'],
      second_factor_due: '2026-11-21T19:20:00Z',
    });
    wire.session = { ...wire.session, awareness_mode: true, ends_at: '2026-11-21T19:20:00Z' };
    session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
    session.ending.at.set(Date.parse('2026-11-21T19:20:00Z'));
    await visit('/dashboard/closures', 'Set it up before 2:20 PM.');
    expect(page.textContent).not.toContain('Your session ends');
    await act(async () => session.ending.at.set(undefined));
  });

  // spec: 9.format.06
  it('announce a password that expires within 14 days', async () => {
    signIn(['thing:read'], ['things'], 1, { password_expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString() });
    await visit('/dashboard/closures', 'Your password expires on');
    expect(page.textContent).toMatch(/expires on [A-Z][a-z]{2}-\d{2}-\d{4}\. Choose/);
    await act(async () =>
      signIn(['thing:read'], ['things'], 1, {
        password_expires_at: new Date(Date.now() + 15 * 86_400_000).toISOString(),
      }),
    );
    await vi.waitFor(() => expect(page.textContent).not.toContain('Your password expires'));
  });
});

describe('words', () => {
  // spec: 2.route.24 2.route.25
  it('of the screens in need are those of the requirements', async () => {
    await render(<NotFound />);
    expect(texts('h1')).toEqual(['Sorry, the requested URL was not found here.']);
    expect(texts('a[href="/"]')).toEqual(['Take me back to the main page']);
    await render(<FailureScreen />);
    expect(texts('h1')).toEqual(['Sorry, there was an incident.']);
    expect(page.querySelector('a[href="/"]')).not.toBeNull();
    await render(<Refused why="notOnMobile" />);
    expect(texts('h1')).toEqual(["This page isn't available on mobile devices."]);
  });

  it('of a part that did not come offer another try', async () => {
    await render(<FailureScreen error={new ChunkError('timeout')} />);
    expect(texts('h1')).toEqual(['This page could not be loaded.']);
    expect(page.textContent).toContain('took too long');
    await render(<FailureScreen error={new TypeError('Failed to fetch dynamically imported module: /a.js')} />);
    expect(page.textContent).toContain("didn't load");
    expect(texts('button')).toEqual(['Back', 'Retry']);
  });

  // spec: 2.chrome.01
  it('of the connection banner come when the stream has been lost for a while', async () => {
    vi.useFakeTimers();
    await render(<ConnectionBanner />);
    await act(async () => streamStore.patch({ phase: 'reconnecting', asOf: 0 }));
    await act(async () => vi.advanceTimersByTimeAsync(3999));
    expect(page.textContent).toBe('');
    await act(async () => vi.advanceTimersByTimeAsync(1));
    expect(page.textContent).toBe(
      "Looks like your connection is having trouble - we'll keep trying to get you back online or you can try to restart your browser.",
    );
    await act(async () => streamStore.patch({ phase: 'live' }));
    expect(page.textContent).toBe('');
  });
});
