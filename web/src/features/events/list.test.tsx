// @vitest-environment jsdom

import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '~/api';
import { answered, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore, streamStore } from '~/live';
import { T0 } from '~/live/testing';
import { byText, host, press, says, see, stageSection, text, type } from '~/section/testing';
import { selection } from '~/section/view';
import { currentWords } from '~/section/words';
import { events } from './section';
import { activeAt, endedAt, load, open, signIn } from './testing';
import { eventsView } from './view';

stageSection('o1');
beforeEach(() => {
  vi.stubGlobal('fetch', async () => replayed('getLocation.not_found'));
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
});

const LIST = '/dashboard/events';
const DAY = 1440;
const rows = () => [...host.querySelectorAll<HTMLElement>('[role="row"]')];
/** What a row says to who hears it: the mark is for the eye. */
const words = (row: HTMLElement) =>
  [...row.querySelectorAll('[class*=rowText], [class*=age]')].map(e => e.textContent).join(' ');
/** The street that each row begins with. */
const streets = () => rows().map(row => /^(\w+) Street/.exec(words(row))?.[1]);
const counts = () =>
  [...host.querySelectorAll('p')].map(p => p.textContent).find(words => words?.startsWith('Active '));
const four = () => [endedAt('Old', 3 * DAY), activeAt('Long', 2 * DAY), endedAt('Late', 60), activeAt('New', 5)];

describe('the list of events', () => {
  // spec: 2.events.01 2.events.02 2.events.03 4.events.02 4.filter.06
  it('says how many there are, and shows those of a day, active ones first', async () => {
    load(four());
    await open(LIST, 'Recent Incidents 2');
    expect(counts()).toBe('Active Incidents 2 | Recent Incidents 2');
    expect(host.querySelector('h1')?.textContent).toBe('Incidents 3 / 4');
    expect(streets()).toEqual(['New', 'Long', 'Late']);
    const radios = [...host.querySelectorAll('[role="radio"]')];
    expect(radios.map(one => one.textContent)).toEqual(['Active Only', 'Today', '24 hrs', 'All Recent']);
    expect(radios.map(one => one.getAttribute('aria-checked'))).toEqual(['false', 'false', 'true', 'false']);
    expect(host.querySelector('input')?.placeholder).toBe('Search Asset, Street, or System ID');
  });

  // spec: 1.word.02
  it('says incidents where all assets are responders, else events, as soon as that changes', async () => {
    load(four());
    await open(LIST, 'Recent Incidents 2');
    const said = () => [
      host.querySelector('h1')?.firstChild?.textContent,
      counts(),
      host.querySelector('[role="treegrid"]')?.getAttribute('aria-label'),
      host.querySelector('[role="radiogroup"]')?.getAttribute('aria-label'),
      events.look?.label(currentWords()),
    ];
    const incidents = 'Active Incidents 2 | Recent Incidents 2';
    expect(said()).toEqual(['Incidents', incidents, 'Incidents', 'Which incidents', 'Incidents']);
    for (const responders_type of ['some', 'none'] as const) {
      await act(async () => signIn({ responders_type }));
      expect(said()).toEqual(['Events', 'Active Events 2 | Recent Events 2', 'Events', 'Which events', 'Events']);
      expect(text()).not.toContain('Incident');
    }
    await act(async () => signIn());
    expect(said()).toEqual(['Incidents', incidents, 'Incidents', 'Which incidents', 'Incidents']);
    expect(text()).not.toContain('Event');
  });

  // spec: 9.limits.09
  it('says of counts that there may be more where no more are kept', async () => {
    load(Array.from({ length: 503 }, (_, i) => activeAt(`A${i}`, i)));
    await open(LIST, 'Recent Incidents 0+');
    expect(counts()).toBe('Active Incidents 500+ | Recent Incidents 0+');
    expect(host.querySelector('h1')?.textContent).toBe('Incidents 500 / 500+');
  });

  // spec: 1.word.05
  it('says events where the organization does, and nothing of incidents', async () => {
    load(four());
    await open(LIST, 'Recent Events 2', { event_wording: 'events' });
    expect(host.querySelector('h1')?.textContent).toBe('Events 3 / 4');
    expect(host.querySelector('[role="treegrid"]')?.getAttribute('aria-label')).toBe('Events');
    expect(text()).not.toContain('Incident');
  });

  it('says who is there, since when and for how long, and of what has ended who was', async () => {
    load([activeAt('New', 5, { alert_message: 'Crash ahead' }), endedAt('Late', 60)]);
    await open(LIST, 'Recent Incidents 1');
    const [first, second] = rows().map(words);
    expect(first).toMatch(/^New Street, Active since .*Engine NewCrash ahead 00:05:00$/);
    expect(second).toMatch(/^Late Street, Recent .* – .*Medic Late 00:10:001 h ago$/);
  });

  // spec: 9.ui.04
  it('has rows of 80 px, 90 px while an event is active, and a line more for an alert message', async () => {
    load([
      activeAt('Told', 5, { alert_message: 'Crash ahead' }),
      activeAt('New', 6),
      endedAt('Late', 60),
      endedAt('Warned', 90, { alert_message: 'Crash ahead' }),
    ]);
    await open(LIST, 'Recent Incidents 2');
    expect(rows().map(row => [words(row).split(' ')[0], row.style.height])).toEqual([
      ['Told', '110px'],
      ['New', '90px'],
      ['Late', '80px'],
      ['Warned', '100px'],
    ]);
  });

  it('moves an event that ends to the recent ones', async () => {
    load([activeAt('New', 5), activeAt('Long', 90)]);
    await open(LIST, 'Active Incidents 2');
    liveStore.applyMessages([{ type: 'location', location: endedAt('New', 0, { version: 9 }) }], T0);
    await see(() => expect(counts()).toBe('Active Incidents 1 | Recent Incidents 1'));
    expect(streets()).toEqual(['Long', 'New']);
  });

  it('opens an event, and comes back to its row', async () => {
    load(four());
    const router = await open(LIST, 'Recent Incidents 2');
    await press('[role="row"]', 'Late Street');
    await see(() => expect(document.activeElement?.textContent).toBe('Late Street'));
    expect(router.state.location.pathname).toBe(`${LIST}/Late`);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    await says('Recent Incidents 2');
    expect(selection.get()).toEqual({ selected: null, last: 'Late' });
    await see(() => expect(host.querySelector('[data-current]')?.textContent).toContain('Late Street'));
  });
});

describe('its filters', () => {
  it('stand in the address, and are what the address says', async () => {
    load(four());
    const router = await open(`${LIST}?time=all&q=medic`, 'Recent Incidents 2');
    expect(streets()).toEqual(['Late', 'Old']);
    expect(host.querySelector('input')?.value).toBe('medic');
    await press('[role="radio"]', 'Active Only');
    await see(() => expect(router.state.location.searchStr).toBe('?q=medic&time=active'));
    await press('button', 'Clear search');
    await see(() => expect(streets()).toEqual(['New', 'Long']));
    await press('[role="radio"]', '24 hrs');
    await see(() => expect(router.state.location.searchStr).toBe(''));
    await router.navigate({ href: `${LIST}?time=tomorrow&q=12` });
    await see(() => expect(eventsView.get()).toMatchObject({ time: 'day', search: '12' }));
  });

  // spec: 9.ui.05
  it('search 350 ms after the last key', async () => {
    load(four());
    await open(LIST, 'Recent Incidents 2');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
    await act(async () => type(host.querySelector('input') as HTMLInputElement, 'Late'));
    await pass(349);
    expect(eventsView.get().search).toBe('');
    await pass(1);
    expect(eventsView.get().search).toBe('late');
    expect(streets()).toEqual(['Late']);
  });

  // spec: 5.search.05
  it('look on the server too where not all events are kept, and say when that failed', async () => {
    const full = Array.from({ length: 500 }, (_, i) => endedAt(`E${i}`, 60 + i));
    const older = [endedAt('Faraway', 5 * DAY), endedAt('Farther', 6 * DAY)];
    let come = (_: Response): void => undefined;
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(decodeURIComponent(url));
      return new Promise<Response>(resolve => {
        come = resolve;
      });
    });
    load(full);
    await open(`${LIST}?time=all`, '500+');
    const search = host.querySelector('input') as HTMLInputElement;
    await type(search, 'far');
    await see(() => expect(asked).toEqual(['/api/locations?org_ids[]=o1&search=far&per_page=500']));
    expect(text()).not.toContain('No results found.');
    await act(async () => come(answered('listLocations.ok', older)));
    await see(() => expect(streets()).toEqual(['Faraway', 'Farther']));
    await type(search, 'e499');
    await see(() => expect(streets()).toEqual(['E499'])); // what is kept waits for nobody
    await see(() => expect(asked).toHaveLength(2));
    await act(async () => come(replayed('listLocations.not_found')));
    await says('Organization not found');
  });

  it('say what to do where nothing fits', async () => {
    load([endedAt('Old', 3 * DAY)]);
    await open(LIST, 'No results found.');
    await says('There are older incidents.');
    await press('button', 'Show all recent');
    await see(() => expect(streets()).toEqual(['Old']));
  });
});

describe('a list that is not there yet', () => {
  it('is on its way: active ones are shown, and nobody counts what is not known', async () => {
    load([activeAt('New', 5)], false);
    await open(LIST, 'New Street');
    expect(counts()).toBe('Active Incidents 1 | Recent Incidents –');
    expect(host.querySelector('h1')?.textContent).toBe('Incidents –');
  });

  it('has the shape of rows, and says so', async () => {
    load([], false);
    await open(LIST, 'Active Incidents');
    await says('Loading incidents');
    load([]);
    await says('There were no incidents in the last 7 days.');
  });

  // spec: 8.location.01
  it.each([
    [0, 'Connection failed'],
    [404, 'Organization not found'],
    [500, 'Unknown failure'],
  ])('says why after status %d, with a way to try again', async (status, words) => {
    load([], false);
    streamStore.patch({ phase: 'reconnecting', failure: new Failure({ status, code: 'x', message: '' }) });
    await open(LIST, words);
    expect(byText('[role="alert"]', words)).toBeTruthy();
    expect(byText('button', 'Retry')).toBeTruthy();
  });
});
