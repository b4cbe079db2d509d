// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, refused, replayed } from '~/api/recorded';
import { alertUnderButtons } from '~/lib/testing';
import { liveStore, streamStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import { showAllFilter } from '~/model/filter';
import type { Organization } from '~/session';
import { session } from '~/session';
import { byText, load, openThings as open, press, see, stageThings, text } from './testing';

const POLICE = '01900000-0000-7000-8000-100000000002';

const organization: Organization = {
  id: 'org-1',
  name: 'Wilmington Fire Dept',
  timezone: 'America/New_York',
  countryCode: 'US',
  respondersType: 'some',
  eventWording: 'default',
  isLarge: false,
  isWzdx: false,
  typeName: 'Fire',
  acs: false,
  lat: null,
  lng: null,
  managers: [],
  accessors: [],
  lockScreenMs: 0,
  relation: 'own',
};

function signIn(...permissions: string[]): void {
  session.state.set({
    phase: 'signedIn',
    organizationId: 'org-1',
    profile: {
      userId: 'u',
      firstName: 'Dana',
      lastName: 'Moore',
      fullName: 'Dana Moore',
      initials: 'DM',
      email: 'd@example.org',
      permissions: new Set(permissions),
      sections: ['things'],
      organizations: [organization],
      mayAwareness: false,
      awareness: false,
      endsAt: undefined,
      method: 'password',
      hasSecondFactor: false,
      secondFactorDue: undefined,
      passwordExpiresAt: undefined,
    },
  });
}

const TYPES = [
  { id: 'fire', name: 'fire', display_name: 'Fire', is_emergency: true },
  { id: 'police', name: 'police', display_name: 'Police', is_emergency: true },
  { id: 'tow', name: 'tow', display_name: 'Tow', is_emergency: false },
  { id: 'other', name: 'other', display_name: 'Other', is_emergency: false },
];
const SUBTYPES = [
  { id: 'e', display_name: 'Engine', thing_type_id: 'fire' },
  { id: 'p', display_name: 'Patrol car', thing_type_id: 'police' },
  { id: 'h', display_name: 'Heavy duty', thing_type_id: 'tow' },
];

let puts: { url: string; body: Record<string, unknown>; ifMatch: string | null }[];
let answers: Record<string, () => Response>;

stageThings('org-1');
beforeEach(() => {
  puts = [];
  answers = {};
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace('/api', '').split('?')[0] ?? '';
    if (init.method === 'PUT') {
      const ifMatch = new Headers(init.headers).get('If-Match');
      puts.push({ url: path, body: JSON.parse(String(init.body)) as Record<string, unknown>, ifMatch });
    }
    const answer = answers[`${init.method ?? 'GET'} ${path}`];
    if (answer) return answer();
    if (path === '/thing_types') return replayed('listThingTypes.ok');
    if (path === '/thing_subtypes') return replayed('listThingSubtypes.ok');
    return replayed('nothing.not_found');
  });
});

describe('the Live list', () => {
  beforeEach(() => signIn('thing:read'));

  it('counts nothing and misses nothing before all is there', async () => {
    streamStore.patch({ phase: 'loading', asOf: 0 });
    load(rowAt('a', 0, { nickname: 'Ladder 1' }));
    await open('/dashboard/things', 'Ladder 1');
    expect(document.querySelector('h1')?.textContent).toBe('Live Assets –');
    for (const count of ['– online', '– offline', '– OOS']) expect(text()).toContain(count);
    liveStore.setFilter(showAllFilter('nobody'));
    await see(() => expect(text()).toContain('Loading assets'));
    expect(text()).not.toContain('No results found.');
    streamStore.patch({ phase: 'polling', asOf: 1 });
    await see(() => expect(text()).toContain('No results found.'));
    expect(document.querySelector('h1')?.textContent).toBe('Live Assets 0 / 1');
  });

  it('does not pass a part for all of it when the rest does not come', async () => {
    streamStore.patch({ phase: 'failed', asOf: 0, failure: new Error('no') });
    load(rowAt('a', 0, { nickname: 'Ladder 1' }));
    await open('/dashboard/things', 'Ladder 1');
    await see(() => expect(byText('button', 'Retry')).toBeDefined());
    expect(document.querySelector('h1')?.textContent).toBe('Live Assets –');
  });

  it('says how to get the first assets, as far as somebody may', async () => {
    await open('/dashboard/things', 'No results found.');
    await see(() => expect(text()).toContain('An administrator can register them.'));
    expect(document.querySelector('a[href*="accounts"]')).toBeNull();
    signIn('thing:read', 'thing:admin:manage', 'integration_configuration:create');
    await see(() => expect(text()).toContain('a phone with a tracker app'));
    for (const path of ['thing/new', 'thing/import', 'key/new'])
      expect(document.querySelector(`a[href$="/dashboard/accounts/${path}"]`)).not.toBeNull();
    load(rowAt('a', 0, { lat: null, lng: null }));
    liveStore.setFilter(showAllFilter('x'));
    await see(() =>
      expect(text()).toContain('1 asset is registered. It will appear here when it first reports a position.'),
    );
  });

  it('names the organizations that let one in when there is nothing of one’s own', async () => {
    signIn('thing:read');
    const partner = { ...organization, id: 'org-2', name: 'Harbor County', relation: 'accessed' as const };
    const letIn = (acs: boolean) =>
      session.state.set(signedIn => {
        if (signedIn.phase !== 'signedIn') return signedIn;
        return { ...signedIn, profile: { ...signedIn.profile, organizations: [{ ...organization, acs }, partner] } };
      });
    letIn(false);
    await open('/dashboard/things', 'No results found.');
    await see(() => expect(text()).toContain('An administrator can register them.'));
    expect(text()).not.toContain('Show Harbor County');
    letIn(true);
    await press('button', 'Show Harbor County');
    const now = session.state.get();
    expect(now.phase === 'signedIn' && now.organizationId).toBe('org-2');
  });

  // spec: 2.things.06, 2.things.07, 2.things.01
  it('has its header, counts, Filters and search', async () => {
    load(rowAt('a', 0), rowAt('b', 0, { status: 'offline' }), rowAt('c', 0, { in_service: false }));
    await open('/dashboard/things', 'Assets');
    await see(() => expect(document.querySelector('h1')?.textContent).toBe('Live Assets 3 / 3'));
    for (const count of ['1 online', '1 offline', '1 OOS']) await see(() => expect(text()).toContain(count));
    await see(() => expect(document.querySelector('input')?.placeholder).toBe('Search for an asset...'));
    await see(() => expect(byText('button', 'Filters')).toBeDefined());
  });

  // spec: 2.things.09, 2.things.16, 2.things.17, 2.things.18
  it('opens the asset of a pressed row and comes back with it chosen', async () => {
    load(rowAt('a', 0, { nickname: 'Engine 4' }), rowAt('b', 0, { nickname: 'Medic 2' }));
    const router = await open('/dashboard/things', 'Assets');
    await press('[role="row"]', 'Medic 2');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things/b'));
    await see(() => expect(document.querySelector('h1')?.textContent).toBe('Medic 2'));
    for (const label of ['Nickname', 'System Id', 'Type', 'Subtype', 'VIN', 'Plate#', 'Vehicle Id', 'Integrations']) {
      expect([...document.querySelectorAll('dt')].map(e => e.textContent)).toContain(label);
    }
    for (const label of ['Owner', 'Managers', 'Accessors']) byText('dt', label);
    await press('button', 'Live');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things'));
    await see(() => expect(document.querySelector('[aria-selected="true"]')?.textContent).toContain('Medic 2'));
  });

  // spec: 2.things.20, 8.empty.01
  it('says that nothing was found and what to do', async () => {
    load(rowAt('a', 0));
    await open('/dashboard/things?q=zzz', 'Assets');
    await see(() => expect(text()).toContain('No results found.'));
    await press('button', 'Clear search');
    await see(() => expect(liveStore.getCounts().shown).toBe(1));
  });

  // spec: 4.filter.02 8.empty.01
  it('says that the filters hide every asset, and shows all by one press', async () => {
    load(rowAt('a', 0));
    await open('/dashboard/things?status=offline', 'Assets 0 / 1');
    await see(() => expect(text()).toContain('Your filters hide every asset.'));
    await press('button', 'Show all');
    await see(() => expect(liveStore.getCounts().shown).toBe(1));
  });

  it('says why the first load failed and offers Retry', async () => {
    streamStore.patch({ phase: 'failed', asOf: 0, failure: undefined });
    await open('/dashboard/things', 'Assets');
    await see(() => expect(text()).toContain('Unknown failure'));
    await see(() => expect(byText('button', 'Retry')).toBeDefined());
  });
});

describe('the filters', () => {
  beforeEach(() => signIn('thing:read'));

  // spec: 2.things.02
  it('show types only when at least two have counts', async () => {
    load(rowAt('a', 0));
    await open('/dashboard/things', 'Assets');
    await press('button', 'Filters');
    const titles = () => [...document.querySelectorAll('fieldset h2')].map(e => e.textContent);
    await see(() => expect(titles()).toEqual(['Status', 'View']));
    load(rowAt('b', 0, { thing_type_id: POLICE }));
    await see(() => expect(titles()).toEqual(['Status', 'Type', 'View']));
  });

  // spec: 3.enum.04
  it('offer owned and managed where both are', async () => {
    load(rowAt('a', 0), rowAt('b', 0, { organization: { id: 'o2', name: 'City', type: 'other' } }));
    await open('/dashboard/things', 'Assets');
    await press('button', 'Filters');
    const part = byText('fieldset', 'Relationship');
    expect([...part.querySelectorAll('label')].map(e => e.textContent?.replace(/ \d+$/, ''))).toEqual([
      'Owned',
      'Managed',
    ]);
  });

  // spec: 2.things.10, 9.ui.07, 2.things.01
  it('are a draft until Apply, which closes them after 100 ms', async () => {
    load(rowAt('a', 0), rowAt('b', 0, { status: 'standby' }));
    await open('/dashboard/things', 'Assets');
    await press('button', 'Filters');
    (byText('label', 'Responding').querySelector('input') as HTMLElement).click();
    await see(() => expect(liveStore.getCounts().shown).toBe(2));
    await see(() => expect(document.querySelectorAll('form input:not(:checked)')).toHaveLength(2));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    byText('button', 'Apply').click();
    await see(() => expect(liveStore.visibleIds()).toEqual(['b']));
    vi.advanceTimersByTime(99);
    await see(() => expect(document.querySelector('form[aria-label="Filters"]')).not.toBeNull());
    vi.advanceTimersByTime(1);
    await see(() => expect(document.querySelector('form[aria-label="Filters"]')).toBeNull());
    vi.useRealTimers();
  });

  // spec: 2.things.04
  it('offer the density view by permission', async () => {
    load(rowAt('a', 0));
    await open('/dashboard/things', 'Assets');
    await press('button', 'Filters');
    await see(() => expect(text()).toContain('Group View'));
    await see(() => expect(text()).not.toContain('Density View'));
    signIn('thing:read', 'heatmap:read');
    await see(() => expect(text()).toContain('Density View'));
  });
});

describe('the detail', () => {
  // spec: 2.things.12, 2.things.13, 6.thing.01
  it('has edit links by permission and relations', async () => {
    signIn('thing:read');
    load(rowAt('a', 0));
    await open('/dashboard/things/a', 'Ladder 1');
    const links = () => [...document.querySelectorAll('a')].map(e => e.getAttribute('aria-label'));
    await see(() => expect(links()).toEqual([]));
    signIn('thing:read', 'thing:update');
    await see(() => expect(links()).toEqual(['Edit Profile']));
    const relation = { organization_uuid: 'm', organization_name: 'City', relationship_type: 'manager' as const };
    load(rowAt('a', 1, { version: 9, organization_relationships: [relation] }));
    await see(() => expect(links()).toEqual(['Edit Profile', 'Edit Organization Access']));
    await see(() => expect(text()).toContain('City'));
  });

  // spec: 8.asset.06
  it('says that an asset does not exist', async () => {
    signIn('thing:read');
    await open('/dashboard/things/nobody', 'Asset not found');
    await see(() => expect(text()).toContain('Asset not found'));
  });

  it('refuses the edit addresses without permission', async () => {
    signIn('thing:read');
    load(rowAt('a', 0));
    await open('/dashboard/things/a/edit/profile', 'Sorry, you are not');
    await see(() => expect(text()).toContain('Sorry, you are not currently authorized to access this page.'));
  });
});

describe('the profile form', () => {
  beforeEach(() => signIn('thing:read', 'thing:update'));

  async function type(label: string, value: string) {
    const field = await vi.waitFor(() => byText('label', label).parentElement);
    const input = field?.querySelector('input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
    await see(() => expect(input?.value).toBe(value));
  }
  const save = () => press('button', 'Save');

  // spec: 2.things.14, 7.thing.05, 3.thing.20
  it('saves with the version it began with and returns two levels up', async () => {
    load(rowAt('a', 0, { version: 3, nickname: 'Engine 4' }));
    answers['PUT /things/a'] = () => answered('updateThing.ok', rowAt('a', 0, { version: 4, nickname: 'Engine 9' }));
    const router = await open('/dashboard/things/a/edit/profile', 'Edit Profile');
    // The way back says whose form this is.
    await see(() => expect(byText('button', 'Engine 4')).toBeDefined());
    await type('Nickname', 'Engine 9');
    await save();
    await see(() =>
      expect(puts).toMatchObject([
        { url: '/things/a', ifMatch: '"3"', body: { id: 'a', nickname: 'Engine 9', in_service: true } },
      ]),
    );
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things/a'));
    await see(() => expect(document.querySelector('h1')?.textContent).toBe('Engine 9'));
  });

  // spec: 5.general.01, 5.general.02, 5.asset.04
  it('shows the rules’ texts after a failed submit and sends nothing', async () => {
    load(rowAt('a', 0));
    await open('/dashboard/things/a/edit/profile', 'Edit Profile');
    await see(() => expect(text()).not.toContain('Required'));
    await type('Nickname', '  ');
    await type('VIN', 'AB-1');
    await save();
    await see(() => expect(text()).toContain('Required'));
    await see(() => expect(text()).toContain('Please only use numbers or letters'));
    await see(() => expect(puts).toEqual([]));
  });

  // spec: 5.asset.07 7.thing.01
  it('offers every type, and the subtypes of all types with the same emergency flag', async () => {
    answers['GET /thing_types'] = () => answered('listThingTypes.ok', TYPES);
    answers['GET /thing_subtypes'] = () => answered('listThingSubtypes.ok', SUBTYPES);
    load(rowAt('a', 0, { thing_type_id: 'other', thing_subtype_id: '' }));
    await open('/dashboard/things/a/edit/profile', 'Edit Profile');
    const offered = (at: number) =>
      [...(document.querySelectorAll('form select')[at]?.querySelectorAll('option') ?? [])]
        .map(option => option.textContent)
        .filter(words => words?.trim());
    await see(() => expect(offered(0)).toEqual(['Fire', 'Police', 'Tow', 'Other']));
    await see(() => expect(offered(1)).toEqual(['None', 'Heavy duty (Tow)']));
    const type = document.querySelector('form select') as HTMLSelectElement;
    type.value = 'fire';
    type.dispatchEvent(new Event('change', { bubbles: true }));
    await see(() => expect(offered(1)).toEqual(['None', 'Engine', 'Patrol car (Police)']));
  });

  // spec: 1.feat.08
  it('offers the integrations of geotab and samsara', async () => {
    load(rowAt('a', 0, { external_identifiers: [] }));
    await open('/dashboard/things/a/edit/profile', 'Edit Profile');
    await press('button', 'Add integration');
    await see(() => {
      const choices = [...document.querySelectorAll('form select')].at(-1)?.querySelectorAll('option') ?? [];
      expect([...choices].map(option => option.textContent?.trim()).filter(Boolean)).toEqual(['geotab', 'samsara']);
    });
  });

  // spec: 3.enum.08
  it.each([
    [0, 'N'],
    [45, 'NE'],
    [90, 'E'],
    [135, 'SE'],
    [180, 'S'],
    [225, 'SW'],
    [270, 'W'],
    [315, 'NW'],
  ])('shows the course %d as %s in the detail', async (course, direction) => {
    vi.useFakeTimers({ toFake: ['Date'], now: T0 });
    load(rowAt('a', 0, { status: 'active', course, speed: 9 }));
    await open('/dashboard/things/a', 'Direction');
    await see(() => expect(byText('dt', 'Direction').nextElementSibling?.textContent).toBe(direction));
  });

  // spec: 8.asset.04, 8.generic.03
  it('stays on the page with the server’s text', async () => {
    load(rowAt('a', 0));
    answers['PUT /things/a'] = () => replayed('updateThing.validation_failed');
    const router = await open('/dashboard/things/a/edit/profile', 'Edit Profile');
    await type('Plate#', 'X');
    await save();
    await see(() => expect(alertUnderButtons()).toBe('Please check the marked fields.'));
    expect(router.state.location.pathname).toBe('/dashboard/things/a/edit/profile');
  });

  it('shows what is saved now beside the draft when somebody was faster, and lets the user decide', async () => {
    load(rowAt('a', 0, { version: 3 }));
    const theirs = rowAt('a', 0, { version: 7, nickname: 'Theirs' });
    const changed = { changed_by: 'Mary Jones', changed_at: new Date(Date.now() - 150_000).toISOString() };
    answers['PUT /things/a'] = () => refused('updateThing.conflict', { current: theirs, ...changed });
    const router = await open('/dashboard/things/a/edit/profile', 'Edit Profile');
    await type('Nickname', 'Mine');
    await save();
    await see(() => expect(document.querySelector('table')?.textContent).toContain('NicknameTheirsMine'));
    expect(text()).toContain('Mary Jones changed this 2 min ago.');
    answers['PUT /things/a'] = () => answered('updateThing.ok', rowAt('a', 0, { version: 8, nickname: 'Mine' }));
    await press('button', 'Save my version');
    await see(() => expect(puts.map(p => p.ifMatch)).toEqual(['"3"', '"7"']));
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things/a'));
  });

  it('asks before a draft is thrown away', async () => {
    load(rowAt('a', 0));
    const router = await open('/dashboard/things/a/edit/profile', 'Edit Profile');
    await type('Nickname', 'Mine');
    await press('button', 'Cancel');
    await see(() => expect(text()).toContain('Discard changes?'));
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things/a/edit/profile'));
    await press('button', 'Discard');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things/a'));
  });
});
