// @vitest-environment jsdom
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore, streamStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { byText, host, press, says, see, stageSection, text, tick, type } from '~/section/testing';
import { ToastRegion } from '~/ui';
import { board, fed, HOUR, load, open, times, wireClosure } from './testing';

stageSection('o1');

let sent: { method: string; path: string; body: Record<string, unknown> }[];
let asked: string[];
let answer: () => Response | Promise<Response>;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  sent = [];
  asked = [];
  answer = () => replayed('getClosure.not_found');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    if (method === 'GET') asked.push(path);
    else sent.push({ method, path, body: init.body ? JSON.parse(String(init.body)) : {} });
    return answer();
  });
});

const rows = () => [...host.querySelectorAll('[role=row]')].map(row => row.textContent ?? '');
const rowOf = (name: string) => byText('[role=row]', name);
const switchIn = (name: string) => rowOf(name).querySelector<HTMLInputElement>('input[type=checkbox]');

describe('the list of closures', () => {
  // spec: 4.filter.05 9.list.05 4.closure.01 4.closure.02
  it('begins with active, standby and pending ones in service, and offers the others', async () => {
    load(
      wireClosure('Paving', times(-1, 7)),
      wireClosure('Sewer'),
      wireClosure('Board A', board('A', 7)),
      wireClosure('Board B', board('B', 9)),
      wireClosure('Board C', board('C', 97)),
      wireClosure('Board D', board('D')),
      wireClosure('Shop', { is_in_service: false }),
      wireClosure('Bridge', { ...fed, ...times(-1, 1) }),
    );
    await open('/dashboard/closures', 'Closures 5 / 8');
    expect(rows().map(row => /Active|Standby|Pending|Offline/.exec(row)?.[0])).toEqual([
      'Active',
      'Active',
      'Standby',
      'Pending',
      'Standby',
    ]);
    await says('Active 2');
    await says('Hidden by filters 3');
    await press('button', 'Filters');
    await tick('Offline 2');
    await says('Closures 7 / 8');
    await tick('Out-of-Service 1');
    await says('Closures 8 / 8');
    await says('Hidden by filters 0');
    expect(rows().find(row => row.includes('Shop'))).toContain('Out-of-Service');
    await tick('Feed 1');
    await tick('Manual 3');
    await says('Closures 4 / 8');
    await press('button', 'Reset');
    await says('Closures 5 / 8');
  });

  // spec: 7.cache.05
  it('is kept by the stream: however often it is opened, it asks for nothing and has what came meanwhile', async () => {
    load(wireClosure('Paving', times(-1, 7)));
    await open('/dashboard/closures', 'Closures 1 / 1');
    load(wireClosure('Paving', times(-1, 7)), wireClosure('Sewer'));
    await says('Closures 2 / 2');
    await open('/dashboard/closures', 'Closures 2 / 2');
    expect(asked.filter(path => path.startsWith('/organization/closure'))).toEqual([]);
  });

  // spec: 3.enum.05
  it('shows those that stand, of today, of the last day, or all', async () => {
    load(
      wireClosure('Now', times(-1, 1)),
      wireClosure('Tonight', times(8, 9)),
      wireClosure('Tomorrow', times(30, 31)),
      wireClosure('Yesterday', { last_start_time: at(-21 * HOUR), ended_at: at(-20 * HOUR) }),
      wireClosure('Last week', { last_start_time: at(-170 * HOUR), ended_at: at(-168 * HOUR) }),
      wireClosure('Never'),
    );
    await open('/dashboard/closures', 'Closures 6 / 6');
    expect([...host.querySelectorAll('[role=radio]')].map(one => one.textContent)).toEqual([
      'Active only',
      'Today',
      'Last 24 hours',
      'All',
    ]);
    const shown = () =>
      rows()
        .map(row => /Now|Tonight|Tomorrow|Yesterday|Last week|Never/.exec(row)?.[0])
        .sort();
    await press('[role=radio]', 'Active only');
    await see(() => expect(shown()).toEqual(['Now']));
    await press('[role=radio]', 'Today');
    await see(() => expect(shown()).toEqual(['Now', 'Tonight']));
    await press('[role=radio]', 'Last 24 hours');
    await see(() => expect(shown()).toEqual(['Now', 'Yesterday']));
  });

  // spec: 5.search.03
  it.each(['resurfac', 'tma 4', 'TMA', 'wz-81', 'closure-b', 'vin1f', 'plate9', 'reg-7'])('finds %s', async words => {
    load(
      wireClosure('closure-a', { description: 'Sewer' }),
      wireClosure('closure-b', { ...board('TMA 4', 1), description: 'Resurfacing', external_id: 'WZ-81' }),
    );
    await open('/dashboard/closures', 'Closures 2 / 2');
    type(host.querySelector('input[type=search]') as HTMLInputElement, words);
    await says('Closures 1 / 2');
    expect(rows()[0]).toContain('Resurfacing');
  });

  it('keeps its filters in the address', async () => {
    load(wireClosure('Paving', times(-1, 7)), wireClosure('Sewer'));
    const router = await open('/dashboard/closures?time=active&status=active.offline&oos=show&q=pav', 'Closures 1 / 2');
    await press('[role=radio]', 'Today');
    await see(() =>
      expect(router.state.location.search).toEqual({ q: 'pav', time: 'today', status: 'active.offline', oos: 'show' }),
    );
    await press('button', 'Filters');
    await press('button', 'Reset');
    await see(() => expect(router.state.location.search).toEqual({ q: 'pav' }));
  });

  it('ends and begins them by the clock alone', async () => {
    load(wireClosure('Paving', times(-1, 1)), wireClosure('Night', times(1, 9)));
    await open('/dashboard/closures', 'Active 1');
    expect(rowOf('Paving').textContent).toContain('Active until');
    expect(rowOf('Night').textContent).toContain('Scheduled from');
    vi.mocked(serverClock.now).mockReturnValue(T0 + HOUR);
    await see(() => expect(rowOf('Paving').textContent).toContain('Standby ended'));
    await see(() => expect(rowOf('Night').textContent).toContain('Active until'));
    await see(() => expect(rows()[0]).toContain('Night'));
  });

  // spec: 9.ui.03
  it('has rows of 70 px, and of 90 px out of service', async () => {
    load(wireClosure('Paving'), wireClosure('Shop', { is_in_service: false }));
    await open('/dashboard/closures?oos=show', 'Closures 2 / 2');
    expect([rowOf('Paving').style.height, rowOf('Shop').style.height]).toEqual(['70px', '90px']);
  });

  // spec: 8.closure.01
  it('says why it cannot be had, and that there are none', async () => {
    streamStore.patch({ phase: 'failed', asOf: 0, failure: new TypeError('offline') });
    await open('/dashboard/closures', 'Unknown failure');
    expect(text()).not.toContain('No results found.');
    streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
    await says('No results found.');
    await says('No closures yet. Zoom in and choose + Add.');
  });
});

describe('the switch of a closure', () => {
  // spec: 2.closures.03
  it('is of manual ones alone, and of those who may', async () => {
    load(wireClosure('Paving'), wireClosure('Bridge', fed), wireClosure('Board', board('A', 1)));
    await open('/dashboard/closures', 'Closures 3 / 3');
    expect(['Paving', 'Bridge', 'Board'].map(name => switchIn(name) !== null)).toEqual([true, false, false]);
    expect(rowOf('Bridge').textContent).toContain('Managed by WZDx feed');
  });

  it('is nothing that somebody without the right sees', async () => {
    load(wireClosure('Paving'));
    await open('/dashboard/closures', 'Closures 1 / 1', ['closure:read']);
    expect(switchIn('Paving')).toBeNull();
    expect(rowOf('Paving').querySelector('button')).toBeNull();
  });

  // spec: 4.toggle.01 4.toggle.02 4.toggle.03 7.closure.04
  it('activates for about a day, and deactivates, with exactly three fields', async () => {
    load(wireClosure('Paving'));
    await open('/dashboard/closures', 'Closures 1 / 1');
    let letThrough = () => {};
    answer = () =>
      new Promise(done => {
        letThrough = () =>
          done(answered('updateClosure.activate', { ...wireClosure('Paving', times(0, 24)), updated_at: at(1) }));
      });
    switchIn('Paving')?.click();
    await see(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({
      method: 'PUT',
      path: '/organization/closure/Paving',
      body: { uuid: 'Paving', is_active: true, end_time: at(24 * HOUR) },
    });
    // The switch has moved; what says that the closure stands waits for the server.
    await see(() => expect(switchIn('Paving')?.checked).toBe(true));
    expect(rowOf('Paving').textContent).toContain('Standby');
    letThrough();
    await see(() => expect(rowOf('Paving').textContent).toContain('Active until'));
    answer = () => answered('updateClosure.deactivate', { ...wireClosure('Paving'), updated_at: at(2) });
    await see(() => expect(switchIn('Paving')?.disabled).toBe(false));
    switchIn('Paving')?.click();
    await see(() => expect(rowOf('Paving').textContent).toContain('Standby'));
    expect(sent[1]?.body).toEqual({ uuid: 'Paving', is_active: false, end_time: null });
  });

  // spec: 4.toggle.04 8.closure.07
  it('goes back when it fails, and says so', async () => {
    load(wireClosure('Paving'), wireClosure('Night', times(-1, 1)));
    await open('/dashboard/closures', 'Closures 2 / 2');
    const passing = createRoot(document.body.appendChild(document.createElement('div')));
    passing.render(<ToastRegion />);
    answer = () => replayed('updateClosure.not_found');
    switchIn('Paving')?.click();
    await says('Unable to Activate');
    await see(() => expect(switchIn('Paving')?.checked).toBe(false));
    switchIn('Night')?.click();
    await says('Unable to Deactivate');
    await see(() => expect(switchIn('Night')?.checked).toBe(true));
    passing.unmount();
  });

  // spec: 2.closures.02
  it('has a clock beside it: until when, in the future and within three months', async () => {
    load(wireClosure('Paving'));
    await open('/dashboard/closures', 'Closures 1 / 1');
    rowOf('Paving').querySelector('button')?.click();
    await says('Activate closure');
    const ends = () => document.querySelector('input[type=datetime-local]') as HTMLInputElement;
    expect(ends().value).toBe(at(24 * HOUR).slice(0, 16));
    type(ends(), '2020-01-01T10:00');
    await says('End time must be in the future');
    type(ends(), '2030-01-01T10:00');
    await says('End date must be within 3 months');
    await press('button', 'Activate');
    expect(sent).toEqual([]);
    await press('[role=dialog] button', '4 hours');
    answer = () => answered('updateClosure.activate', { ...wireClosure('Paving', times(0, 4)), updated_at: at(1) });
    await press('button', 'Activate');
    await see(() => expect(sent).toHaveLength(1));
    const minute = at(4 * HOUR).slice(0, 16);
    expect(sent[0]?.body).toEqual({ uuid: 'Paving', is_active: true, end_time: `${minute}:00.000Z` });
    await see(() => expect(document.querySelector('[role=dialog]')).toBeNull());
    expect(liveStore.of('closure').get('Paving')?.end_time).toBe(T0 + 4 * HOUR);
  });
});
