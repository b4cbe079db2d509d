// @vitest-environment jsdom

import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WireOrganization, WireThing } from '~/api';
import { replayed } from '~/api/recorded';
import { liveStore } from '~/live';
import { pointAt, rowAt, T0 } from '~/live/testing';
import type { MapControl } from '~/map/types';
import { defaultFilter } from '~/model/filter';
import { Status } from '~/model/status';
import { mapHolder, mapSwitches, switchMap } from '~/section/view';
import { preferences, session, setPreference } from '~/session';
import { parsePreferences } from '~/session/preferences';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { host, load, openThings, reload, says, see, stageThings, text } from './testing';

const FIRE = '01900000-0000-7000-8000-100000000001';
const EMS = '01900000-0000-7000-8000-100000000003';

stageThings('o1');
beforeEach(() => {
  vi.stubGlobal('fetch', async () => replayed('listThings.empty'));
  setPreference('hideOfflineNotice', false);
  setPreference('showOffline', true);
  setPreference('groupView', false);
});

/** The Live screen as a user of this organization sees it. */
async function open(organization: Partial<WireOrganization> = {}, path = '/dashboard/things', until = 'Live Assets') {
  const wire = profileWith(organization, {}, { permissions: ['thing:read', 'incident:read'] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
  return openThings(path, until);
}

const filters = () => [...host.querySelectorAll('button')].find(one => one.textContent?.startsWith('Filters'))?.click();

/** The choices of the filters, each with its count. */
const filterWords = () => [...host.querySelectorAll('form label')].map(label => label.textContent);

describe('the words of an organization', () => {
  const rows = [rowAt('a', 0), rowAt('b', 0, { status: 'active_location' })];

  // spec: 1.word.03 1.word.04
  it('are those of responders where all its assets are', async () => {
    load(...rows);
    await open({ responders_type: 'all' });
    await says('Responding');
    await says('On-Scene');
    expect(text()).not.toMatch(/\bActive\b/);
    filters();
    await says('Incidents on the map');
    expect(filterWords()).toEqual(expect.arrayContaining(['On-Scene 1', 'Responding 1']));
    expect(text()).not.toMatch(/\bActive\b|Events/);
  });

  // spec: 1.word.03 1.word.04
  it('are the general ones where none is', async () => {
    load(...rows.map(row => ({ ...row, is_responder: false })));
    await open({ responders_type: 'none' });
    await says('Active Event');
    expect(text()).not.toMatch(/Responding|On-Scene/);
    filters();
    await says('Events on the map');
    expect(filterWords()).toEqual(expect.arrayContaining(['Active Event 1', 'Active 1']));
    expect(text()).not.toMatch(/Responding|On-Scene/);
  });

  it('are both where some are', async () => {
    load(rows[0] as WireThing, { ...(rows[1] as WireThing), is_responder: false });
    await open({ responders_type: 'some' });
    filters();
    await says('Events on the map');
    expect(filterWords()).toEqual(expect.arrayContaining(['On-Scene / Active Event 1', 'Responding / Active 1']));
  });

  // spec: 1.word.05
  it.each([
    ['incidents', 'none', 'Incidents on the map'],
    ['events', 'all', 'Events on the map'],
  ] as const)('say %s by its setting, whatever its assets are', async (event_wording, responders_type, words) => {
    load(...rows);
    await open({ event_wording, responders_type });
    filters();
    await says(words);
  });
});

describe('the head of the list', () => {
  const rows = [
    rowAt('a', 0),
    rowAt('b', 0, { status: 'active_location' }),
    rowAt('c', 0, { status: 'active_location', in_service: false }),
    rowAt('d', 0, { status: 'offline' }),
    rowAt('e', 0, { status: 'offline', in_service: false }),
  ];
  const head = () => [...host.querySelectorAll('header span')].map(part => part.textContent);

  it('counts who is on scene and who is on the way', async () => {
    load(...rows);
    await open({ responders_type: 'all' });
    await see(() => expect(head()).toEqual(expect.arrayContaining(['1 on-scene +1 OOS', '1 responding'])));
    liveStore.applyMessages([pointAt('a', 1000, { status: 'active_location' })], T0);
    await see(() => expect(head()).toEqual(expect.arrayContaining(['2 on-scene +1 OOS', '0 responding'])));
  });

  it('says the same number for the same word as the filters', async () => {
    load(...rows);
    await open({ responders_type: 'all' });
    await says('1 offline');
    filters();
    await see(() =>
      expect(filterWords()).toEqual(
        expect.arrayContaining(['On-Scene 1 +1 OOS', 'Responding 1', 'Offline 1 +1 OOS', 'Out-of-Service 2']),
      ),
    );
  });
});

describe('the filters', () => {
  it('show the mark of each status beside its word', async () => {
    load(rowAt('a', 0));
    await open();
    filters();
    await says('Out-of-Service');
    const words = [...host.querySelectorAll('form fieldset')].find(part => part.textContent?.startsWith('Status'));
    const shapes = [...(words?.querySelectorAll('label') ?? [])].map(
      label => label.querySelector('span:last-child > svg')?.innerHTML,
    );
    expect(shapes).toHaveLength(7);
    expect(new Set(shapes).size).toBe(7);
    expect(shapes).not.toContain(undefined);
  });

  it('change how things are shown with Apply, and not with Cancel', async () => {
    load(rowAt('a', 0));
    await open();
    filters();
    await says('Group View');
    const turn = (name: string) =>
      [...host.querySelectorAll('form label')]
        .find(one => one.textContent === name)
        ?.querySelector('input')
        ?.click();
    turn('Group View');
    turn('Assets on the map');
    await see(() => expect(host.querySelectorAll('form input[role="switch"]:not(:checked)')).toHaveLength(1));
    [...host.querySelectorAll('button')].find(one => one.textContent === 'Cancel')?.click();
    await see(() => expect(host.querySelector('form')).toBeNull());
    expect([preferences.get().groupView, mapSwitches.get().showAssets]).toEqual([false, true]);
    filters();
    await says('Group View');
    turn('Group View');
    turn('Assets on the map');
    await see(() => expect(host.querySelectorAll('form input[role="switch"]:not(:checked)')).toHaveLength(1));
    [...host.querySelectorAll('button')].find(one => one.textContent === 'Apply')?.click();
    await see(() => expect([preferences.get().groupView, mapSwitches.get().showAssets]).toEqual([true, false]));
    switchMap({ showAssets: true });
  });
});

describe('a row', () => {
  it('says name, id, type and status as words of their own', async () => {
    vi.setSystemTime(T0 + 26 * 3_600_000);
    load(rowAt('a', 0, { nickname: 'Engine 1', thing_type_id: FIRE }));
    await open({ responders_type: 'all' });
    await says('Engine 1');
    expect(host.querySelector('[role="row"]')?.textContent).toMatch(/^Engine 1 ha7-00418, Fire, Responding .* 1 d$/);
  });

  it('of a group says who is on scene in it, and whether it is folded', async () => {
    setPreference('groupView', true);
    load(rowAt('a', 0, { status: 'active_location' }), rowAt('b', 0));
    await open({ responders_type: 'all' });
    const group = () => host.querySelector('[role="row"][aria-level="1"]');
    await see(() => expect(group()?.textContent).toMatch(/ 1 On-Scene, 1 Responding, 2 assets$/));
    expect(group()?.getAttribute('aria-expanded')).toBe('true');
    (group() as HTMLElement).click();
    await see(() => expect(group()?.getAttribute('aria-expanded')).toBe('false'));
    expect(host.querySelectorAll('[role="row"]')).toHaveLength(1);
  });
});

describe('the search', () => {
  // spec: 9.ui.05
  it('filters once, 350 ms after the last key', async () => {
    load(rowAt('a', 0, { nickname: 'Engine 4' }), rowAt('b', 0, { nickname: 'Medic 2' }));
    await open();
    const filtered = vi.spyOn(liveStore, 'setFilter');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
    const input = host.querySelector('input') as HTMLInputElement;
    for (const value of ['m', 'me', 'med']) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
      await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
      await pass(349);
      expect(filtered).not.toHaveBeenCalled();
    }
    await pass(1);
    expect(filtered).toHaveBeenCalledTimes(1);
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    expect(liveStore.visibleIds()).toEqual(['b']);
  });

  const three = () =>
    load(
      rowAt('a', 0, { nickname: 'Engine 4' }),
      rowAt('b', 0, { nickname: 'Medic 2' }),
      rowAt('c', 0, { nickname: 'Medic 3' }),
    );
  const field = () => host.querySelector('input') as HTMLInputElement;
  const type = (value: string) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field(), value);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  };
  const key = (name: string) =>
    field().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  const current = () => host.querySelector('[role="row"][data-current]')?.textContent;

  it('opens its first hit with Enter', async () => {
    setPreference('groupView', true);
    three();
    const router = await open();
    key('Enter');
    type('med');
    await see(() => expect(field().value).toBe('med'));
    key('Enter');
    await see(() => expect(router.state.location.href).toBe('/dashboard/things/b?q=med'));
  });

  it('is left for the list with the arrow down, and with Esc when it is empty', async () => {
    three();
    await open();
    field().focus();
    type('med');
    await see(() => expect(host.querySelectorAll('[role="row"]')).toHaveLength(2));
    key('ArrowDown');
    await see(() => expect(document.activeElement?.getAttribute('role')).toBe('treegrid'));
    await see(() => expect(current()).toContain('Medic 2'));
    field().focus();
    key('Escape');
    await see(() => expect(field().value).toBe(''));
    expect(document.activeElement).toBe(field());
    key('Escape');
    expect(document.activeElement).toBe(document.body);
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
    await see(() => expect(document.activeElement?.getAttribute('role')).toBe('treegrid'));
  });

  it('shows on the map what it has found, until somebody moves the map', async () => {
    three();
    const rested = new Set<() => void>();
    const map = {
      showAll: vi.fn(),
      on: (_: string, rest: () => void) => rested.add(rest) && (() => rested.delete(rest)),
    };
    const rest = () => {
      for (const tell of rested) tell();
    };
    mapHolder.set(map as unknown as MapControl);
    await open();
    const search = async (words: string, hits: number) => {
      type(words);
      await see(() => expect(liveStore.getCounts().shown).toBe(hits));
    };
    await search('medic', 2);
    expect(map.showAll).toHaveBeenCalledTimes(1);
    rest();
    await search('medic 3', 1);
    expect(map.showAll).toHaveBeenCalledTimes(2);
    rest();
    rest(); // by hand
    await search('medic', 2);
    await search('nobody', 0);
    expect(map.showAll).toHaveBeenCalledTimes(2);
    await search('', 3);
    expect(map.showAll).toHaveBeenCalledTimes(2);
    await search('engine', 1);
    expect(map.showAll).toHaveBeenCalledTimes(3);
    mapHolder.set(null);
  });
});

describe('the place of the list', () => {
  const many = Array.from({ length: 8 }, (_, i) => rowAt(`id-${i}`, 0, { nickname: `Unit ${100 + i}` }));
  const currentRow = () => host.querySelector('[role="row"][data-current]')?.textContent;
  const press = (name: string) => [...host.querySelectorAll('button')].find(one => one.textContent === name)?.click();

  it('is the row that was open, coming back from its detail, and the top after the filters', async () => {
    load(...many);
    const router = await open({}, '/dashboard/things/id-5', 'Unit 105');
    press('Live');
    await see(() => expect(currentRow()).toContain('Unit 105'));
    expect(router.state.location.pathname).toBe('/dashboard/things');
    filters();
    await see(() => expect(host.querySelector('form')).not.toBeNull());
    press('Cancel');
    await see(() => expect(host.querySelector('form')).toBeNull());
    await see(() => expect(host.querySelectorAll('[role="row"]').length).toBeGreaterThan(0));
    expect(currentRow()).toBeUndefined();
  });
});

describe('the address', () => {
  const rows = () =>
    load(
      rowAt('a', 0, { nickname: 'Engine 4', thing_type_id: FIRE }),
      rowAt('b', 0, { nickname: 'Medic 2', status: 'standby', thing_type_id: EMS }),
      rowAt('c', 0, { nickname: 'Engine 5', thing_type_id: FIRE, status: 'offline', in_service: false }),
    );
  const query = (router: Awaited<ReturnType<typeof open>>) => router.state.location.searchStr;

  it('says what is filtered, in the list and in a detail, and nothing where all is as usual', async () => {
    rows();
    const router = await open();
    expect(query(router)).toBe('');
    liveStore.setFilter({
      statuses: new Set([Status.ACTIVE, Status.OFFLINE]),
      types: new Set([FIRE]),
      relations: new Set(['managed']),
      outOfService: false,
      search: 'engine',
    });
    switchMap({ showAssets: false });
    const said = '?q=engine&status=active.offline&type=fire&relation=managed&hide=oos.assets';
    await see(() => expect(query(router)).toBe(said));
    host.querySelector<HTMLElement>('[role="row"]')?.click();
    await see(() => expect(router.state.location.href).toBe(`/dashboard/things/a${said}`));
    switchMap({ showAssets: true });
    liveStore.setFilter(defaultFilter(true));
    await see(() => expect(query(router)).toBe(''));
  });

  it('is what is filtered after a reload, and after Back', async () => {
    rows();
    const router = await open({}, '/dashboard/things?type=ambulance&hide=events', 'Assets 1 / 3');
    expect(liveStore.visibleIds()).toEqual(['b']);
    expect(mapSwitches.get().showLocations).toBe(false);
    await router.navigate({ href: '/dashboard/things?type=none&q=12' });
    await see(() => expect(liveStore.visibleIds()).toEqual([]));
    expect(liveStore.getFilter().search).toBe('12');
    expect(mapSwitches.get().showLocations).toBe(true);
    router.history.back();
    await see(() => expect(liveStore.visibleIds()).toEqual(['b']));
    expect(liveStore.getFilter().search).toBe('');
    expect(query(router)).toBe('?type=ambulance&hide=events');
  });

  it.each([
    '?status=evil&type=..%2F..&relation=all&hide=everything',
    '?q=%7B%22a%22%3A1%7D&status=%5B%22active%22%5D&type=1&hide=true',
    `?q=${'x'.repeat(201)}&status=active.&type=fire..fire&relation=owned.managed`,
  ])('that cannot be read filters nothing: %s', async hostile => {
    rows();
    const router = await open({}, `/dashboard/things${hostile}`);
    await see(() => expect(query(router)).toBe(''));
    expect(liveStore.getFilter()).toEqual(defaultFilter(true));
  });

  it('leaves out what the preference says', async () => {
    setPreference('showOffline', false);
    liveStore.setFilter(defaultFilter(false));
    rows();
    const router = await open();
    await see(() => expect(liveStore.visibleIds()).toEqual(['a', 'b']));
    expect(query(router)).toBe('');
  });

  it('of another organization begins anew, except the statuses', async () => {
    rows();
    const router = await open({}, '/dashboard/things/a?q=engine&status=active.standby&hide=oos', 'Engine 4');
    await see(() => expect(liveStore.getFilter().search).toBe('engine'));
    liveStore.reset('o2');
    await see(() => expect(query(router)).toBe('?status=active.standby'));
  });
});

describe('"Alerting only"', () => {
  const preset = () => [...host.querySelectorAll('button')].find(one => one.textContent === 'Alerting only');
  const rows = () =>
    load(
      rowAt('a', 0, { status: 'active_location' }),
      rowAt('b', 0, { status: 'active' }),
      rowAt('c', 0, { status: 'standby' }),
      rowAt('d', 0, { status: 'offline' }),
    );
  const query = (router: Awaited<ReturnType<typeof open>>) => router.state.location.searchStr;

  it('shows who is on scene and who is on the way by one press, and by another what was shown before', async () => {
    rows();
    const router = await open({}, '/dashboard/things?status=active.standby.offline', 'Assets 3 / 4');
    preset()?.click();
    await see(() => expect(query(router)).toBe('?status=location.active'));
    expect(liveStore.visibleIds()).toEqual(['a', 'b']);
    expect(preset()?.getAttribute('aria-pressed')).toBe('true');
    expect(text()).not.toMatch(/offline assets? .*hidden/);
    preset()?.click();
    await see(() => expect(query(router)).toBe('?status=active.standby.offline'));
    expect(preset()?.getAttribute('aria-pressed')).toBe('false');
  });

  it('leaves the search and the other filters as they are', async () => {
    rows();
    const router = await open({}, '/dashboard/things?q=unit&hide=oos');
    preset()?.click();
    await see(() => expect(query(router)).toBe('?q=unit&status=location.active&hide=oos'));
    preset()?.click();
    await see(() => expect(query(router)).toBe('?q=unit&hide=oos'));
  });

  it('is on where an address says so, goes back to the usual, and has its word in a detail', async () => {
    rows();
    const router = await open({}, '/dashboard/things/a?status=location.active', 'Alerting only2 of 4 shown');
    await router.navigate({ href: '/dashboard/things' });
    await see(() => expect(preset()?.getAttribute('aria-pressed')).toBe('true'));
    preset()?.click();
    await see(() => expect(liveStore.visibleIds()).toHaveLength(4));
    expect(query(router)).toBe('');
  });

  it('stands back while the filters are a draft', async () => {
    rows();
    await open();
    filters();
    await says('Out-of-Service');
    expect(preset()).toBeUndefined();
  });
});

describe('what hides assets', () => {
  it('is said in the detail, and one press there shows them again', async () => {
    load(rowAt('a', 0, { nickname: 'Engine 4' }), rowAt('b', 0, { nickname: 'Medic 2' }));
    await open({}, '/dashboard/things/a?q=engine&status=location.active', 'Search: engine + filters1 of 2 shown');
    [...host.querySelectorAll('button')].find(one => one.textContent === 'Clear')?.click();
    await see(() => expect(text()).not.toContain('of 2 shown'));
    expect(liveStore.visibleIds()).toEqual(['a', 'b']);
    expect(liveStore.getFilter().statuses.has(Status.OFFLINE)).toBe(false);
  });

  it('is cleared from elsewhere: the search field follows', async () => {
    load(rowAt('a', 0, { nickname: 'Engine 4' }), rowAt('b', 0, { nickname: 'Medic 2' }));
    await open({}, '/dashboard/things?q=engine');
    const input = host.querySelector('input') as HTMLInputElement;
    await see(() => expect(input.value).toBe('engine'));
    liveStore.setFilter(defaultFilter(true));
    await see(() => expect(input.value).toBe(''));
    expect(liveStore.getFilter().search).toBe('');
  });
});

describe('the notice of hidden offline assets', () => {
  // spec: 8.update.04 3.pref.01
  it('stays away once it was dismissed, over a reload too', async () => {
    load(rowAt('a', 0), rowAt('b', 0, { status: 'offline' }));
    setPreference('showOffline', false);
    await open();
    await says('1 offline asset is hidden.');
    [...host.querySelectorAll('button')].find(one => one.textContent === 'Dismiss')?.click();
    await see(() => expect(text()).not.toContain('offline asset'));
    // What a reload reads.
    const stored: unknown = JSON.parse(localStorage.getItem('lightbar.preferences') ?? 'null');
    expect(parsePreferences(stored)).toMatchObject({ hideOfflineNotice: true });
    reload();
    await open();
    await says('1 offline');
    expect(text()).not.toContain('hidden');
  });

  it('shows them, and keeps to it', async () => {
    setPreference('showOffline', false);
    load(rowAt('a', 0), rowAt('b', 0, { status: 'offline' }), rowAt('c', 0, { status: 'offline', in_service: false }));
    liveStore.setFilter(defaultFilter(false));
    await open();
    await says('1 offline asset (+1 OOS) is hidden.');
    [...host.querySelectorAll('button')].find(one => one.textContent === 'Show')?.click();
    await see(() => expect(liveStore.visibleIds()).toEqual(['a', 'b', 'c']));
    expect(preferences.get().showOffline).toBe(true);
    await see(() => expect(text()).not.toContain('hidden'));
  });
});
