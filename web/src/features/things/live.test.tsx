// @vitest-environment jsdom

import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WireOrganization, WireThing } from '~/api';
import { replayed } from '~/api/recorded';
import { liveStore } from '~/live';
import { pointAt, rowAt, T0 } from '~/live/testing';
import { defaultFilter } from '~/model/filter';
import { Status } from '~/model/status';
import { preferences, session, setPreference } from '~/session';
import { parsePreferences } from '~/session/preferences';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { host, load, openThings, reload, says, see, stageThings, text } from './testing';
import { patchView, thingsView } from './view';

const FIRE = '01900000-0000-7000-8000-100000000001';

stageThings('o1');
beforeEach(() => {
  vi.stubGlobal('fetch', async () => replayed('listThings.empty'));
  setPreference('hideOfflineNotice', false);
  setPreference('groupView', false);
});

/** The Live screen as a user of this organization sees it. */
async function open(organization: Partial<WireOrganization> = {}, path = '/dashboard/things', until = 'Live Assets') {
  const wire = profileWith(organization, {}, { permissions: ['thing:read', 'incident:read'] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
  await openThings(path, until);
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
    expect([preferences.get().groupView, thingsView.get().showAssets]).toEqual([false, true]);
    filters();
    await says('Group View');
    turn('Group View');
    turn('Assets on the map');
    await see(() => expect(host.querySelectorAll('form input[role="switch"]:not(:checked)')).toHaveLength(1));
    [...host.querySelectorAll('button')].find(one => one.textContent === 'Apply')?.click();
    await see(() => expect([preferences.get().groupView, thingsView.get().showAssets]).toEqual([true, false]));
    patchView({ showAssets: true });
  });
});

describe('a row', () => {
  it('says name, id, type and status as words of their own', async () => {
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
    await see(() => expect(group()?.textContent).toMatch(/ 1 On-Scene, 2 assets$/));
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
});

describe('what hides assets', () => {
  it('is said in the detail, and one press there shows them again', async () => {
    load(rowAt('a', 0, { nickname: 'Engine 4' }), rowAt('b', 0, { nickname: 'Medic 2' }));
    liveStore.setFilter({ ...defaultFilter(false), search: 'engine' });
    await open({}, '/dashboard/things/a', 'Search: engine1 of 2 shown');
    liveStore.setFilter({ ...liveStore.getFilter(), statuses: new Set([Status.ACTIVE]) });
    await says('Search: engine + filters');
    [...host.querySelectorAll('button')].find(one => one.textContent === 'Clear')?.click();
    await see(() => expect(text()).not.toContain('of 2 shown'));
    expect(liveStore.visibleIds()).toEqual(['a', 'b']);
    expect(liveStore.getFilter().statuses.has(Status.OFFLINE)).toBe(false);
  });

  it('is cleared from elsewhere: the search field follows', async () => {
    load(rowAt('a', 0, { nickname: 'Engine 4' }), rowAt('b', 0, { nickname: 'Medic 2' }));
    liveStore.setFilter({ ...defaultFilter(true), search: 'engine' });
    await open();
    const input = host.querySelector('input') as HTMLInputElement;
    expect(input.value).toBe('engine');
    liveStore.setFilter(defaultFilter(true));
    await see(() => expect(input.value).toBe(''));
    expect(liveStore.getFilter().search).toBe('');
  });
});

describe('the notice of hidden offline assets', () => {
  // spec: 8.update.04 3.pref.01
  it('stays away once it was dismissed, over a reload too', async () => {
    load(rowAt('a', 0), rowAt('b', 0, { status: 'offline' }));
    liveStore.setFilter(defaultFilter(false));
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
