// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { malformed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import { byText, host, press, reload, says, see, stageSection, text, type } from '~/section/testing';
import { shownTrips } from './shown';
import { address, ago, idOf, load, open, wireTrip, wireTrips } from './testing';
import type { Coverage, ThingTrips } from './wire';

vi.mock('./timeline/Timeline', () => ({ Timeline: () => null }));
stageSection('o1');

/** What the server was asked for trips: which asset, and the query. */
let sent: { id: string; query: Record<string, string> }[];
let answer: (id: string) => Response | Promise<Response>;
let coverage: Coverage[];

const good = (data: ThingTrips) => malformed({ data });
const bad = (status: number) => malformed({ error: 'x', message: '' }, status);

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  sent = [];
  coverage = [];
  answer = id => good(wireTrips(Number(id.at(-1))));
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (pathname === '/api/things/coverage') return malformed({ data: coverage });
    const [, id = ''] = /^\/api\/things\/([^/]+)\/trips$/.exec(pathname) ?? [];
    sent.push({ id, query: Object.fromEntries(searchParams) });
    return answer(id);
  });
  load();
});

const rows = () => [...host.querySelectorAll('[role=row]')].map(row => row.textContent ?? '');
const field = (label: string) =>
  document.getElementById(byText('label', label).getAttribute('for') ?? '') as HTMLInputElement;
const chosen = () =>
  [...host.querySelectorAll('[aria-label^="Remove "]')].map(b => b.getAttribute('aria-label')?.slice(7));

async function choose(name: string): Promise<void> {
  field('Assets').focus();
  type(field('Assets'), name);
  await press('[role=option]', name);
  await see(() => expect(chosen()).toContain(name));
}

const twoAssets = () => {
  const [near, far] = [wireTrip('r1', 60, 30), wireTrip('r2', 240, 10)];
  const other = wireTrip('other-x', 180, 20, { lights_on: 0, top_speed: null });
  answer = id => good(id === idOf(0) ? wireTrips(0, { runs: [near, far] }) : wireTrips(1, { other: [other] }));
};

describe('the search', () => {
  // spec: 5.trip.01 5.trip.03 5.trip.04 5.trip.05 5.trip.06
  it('says beside each field what is wrong, and asks nothing until all is well', async () => {
    await open('/dashboard/trips', 'Search trips');
    // The drawer around it is a landmark of that name: a second one would say nothing.
    const names = [...document.querySelectorAll('section')].map(one => one.getAttribute('aria-labelledby') ?? '');
    expect(names.map(id => document.getElementById(id)?.textContent)).not.toContain('Trips ');
    expect(text()).toContain("Times are in your organization's time zone (UTC)");
    await press('button', 'Search trips');
    await says('Must select at least 1 Asset');
    expect(document.activeElement).toBe(field('Assets'));
    await choose('Engine 4');
    await see(() => expect(text()).not.toContain('Must select at least 1 Asset'));
    const times = async (from: string, to: string, until: string) => {
      type(field('From'), from);
      type(field('To'), to);
      await says(until);
      await press('button', 'Search trips');
    };
    await times('2026-11-20T10:00', '2026-11-21T10:43', 'Must be past date');
    await times('2026-11-20T10:00', '2026-11-20T10:00', 'Dates must be different');
    await times('2026-11-20T10:00', '2026-11-20T09:59', 'End time must be after Start time');
    await times('2026-11-20T10:00', '2026-11-21T10:01', 'Select up to 24 hours');
    expect(sent).toEqual([]);
    type(field('To'), '2026-11-21T10:00');
    await see(() => expect(text()).not.toContain('Select up to 24 hours'));
    await press('button', 'Search trips');
    await says('No results found.');
    await says('Choose another time or asset.');
    const start = '2026-11-20T10:00:00.000Z';
    // spec: 7.trip.01
    expect(sent).toEqual([
      { id: idOf(0), query: { start_time: start, end_time: '2026-11-21T10:00:00.000Z', run_date: start } },
    ]);
  });

  // spec: 5.trip.02
  it('takes five assets, by name or number, and lets them go', async () => {
    await open('/dashboard/trips', 'Search trips');
    for (const name of ['Engine 4', 'Ladder 1', 'Rescue 7', 'Truck 12', 'Medic 3']) await choose(name);
    expect(text()).not.toContain('5 Assets max');
    type(field('Assets'), 'HA7-05');
    await press('[role=option]', 'Chief 1');
    await says('5 Assets max');
    await press('button', 'Last 8 hours');
    await press('button', 'Search trips');
    expect(sent).toEqual([]);
    byText('li', 'Ladder 1').querySelector('button')?.click();
    await see(() => expect(text()).not.toContain('5 Assets max'));
    expect(chosen()).toEqual(['Engine 4', 'Rescue 7', 'Truck 12', 'Medic 3', 'Chief 1']);
    expect([...host.querySelectorAll('li')].map(li => li.textContent?.[0])).toEqual(['A', 'B', 'C', 'D', 'E']);
    await press('button', 'Search trips');
    await see(() => expect(sent.map(one => one.id)).toEqual([0, 2, 3, 4, 5].map(idOf)));
  });

  it('offers times, and says what a shift is and where a day was too long', async () => {
    const zone = 'America/New_York';
    vi.mocked(serverClock.now).mockReturnValue(Date.parse('2026-11-02T16:20:30Z'));
    await open('/dashboard/trips', 'Search trips', zone);
    expect(text()).toContain('This shift: since the last 7:00 AM or 7:00 PM.');
    const times = (from: string, to: string) =>
      see(() => expect([field('From').value, field('To').value]).toEqual([from, to]));
    await press('button', 'Last 8 hours');
    await times('2026-11-02T03:20', '2026-11-02T11:20');
    await press('button', 'This shift');
    await times('2026-11-02T07:00', '2026-11-02T11:20');
    await press('button', 'Yesterday');
    // It begins in the first of the two hours from 1:00 to 2:00: the day has lost its first one.
    await times('2026-11-01T01:00', '2026-11-02T00:00');
    await says('Yesterday had 25 hours. These are its last 24.');
    expect(text()).not.toContain('Select up to 24 hours');
  });

  // spec: 7.thing.10
  it('says until when each asset was heard of', async () => {
    coverage = [{ thing_id: idOf(0), spans: [{ start: ago(300), end: ago(122), points: 9 }] }];
    await open('/dashboard/trips', 'Search trips');
    await choose('Engine 4');
    await choose('Ladder 1');
    await press('button', 'Last 8 hours');
    await says('Data until Nov 21, 8:40 AM');
    expect(byText('li', 'Ladder 1').textContent).toContain('No data in this time');
  });
});

describe('the address', () => {
  // spec: 2.route.11
  it('says what is asked: a link shows the same, on the list and on the detail', async () => {
    twoAssets();
    const router = await open('/dashboard/trips', 'Search trips');
    await choose('Engine 4');
    await choose('Ladder 1');
    await press('button', 'Last 8 hours');
    await press('button', 'Search trips');
    await says('Trips 3');
    const things = `${idOf(0)},${idOf(1)}`;
    const search = { things, from: '2026-11-21T02:42:00Z', to: '2026-11-21T10:42:00Z' };
    expect(router.state.location.search).toEqual(search);
    byText('[role=row]', 'Ladder 1').click();
    await says('Movement without lights · Sat, Nov-21-2026');
    expect(router.state.location.pathname).toBe(`/dashboard/trips/${idOf(1)}/other-x`);
    expect(router.state.location.search).toMatchObject(search);
    const link = router.state.location.href;
    reload();
    shownTrips.set(undefined);
    await open(link, 'Movement without lights');
    expect(shownTrips.get()).toMatchObject({
      from: Date.parse(search.from),
      to: Date.parse(search.to),
      things: [
        { id: idOf(0), name: 'Engine 4', letter: 'A', color: 0 },
        { id: idOf(1), name: 'Ladder 1', letter: 'B', color: 1 },
      ],
      selected: { thingId: idOf(1), runId: 'other-x' },
    });
    await press('button', 'Trips');
    await says('Trips 3');
    expect(shownTrips.get()?.selected).toBeUndefined();
  });

  it('that is broken is named, asks nothing, and can be mended', async () => {
    await open(`/dashboard/trips?things=${idOf(0)}&from=banana&to=7`, "This link can't be shown as it is.");
    expect(text()).toContain('from: "banana" is no time');
    expect(text()).toContain('to: "7" is no time');
    expect(chosen()).toEqual(['Engine 4']);
    expect(sent).toEqual([]);
    await press('button', 'Last 8 hours');
    await press('button', 'Search trips');
    await says('No results found.');
    expect(sent).toHaveLength(1);
  });

  it('of more than a query may ask asks nothing', async () => {
    await open(address([0, 1, 2, 3, 4, 5], 25), '5 Assets max');
    expect(text()).toContain('Select up to 24 hours');
    await press('button', 'Search trips');
    expect(sent).toEqual([]);
  });

  it('of a time to come is asked once it has passed', async () => {
    const path = `/dashboard/trips?things=${idOf(0)}&from=${ago(60)}&to=${ago(-5)}`;
    await open(path, 'Must be past date');
    await press('button', 'Search trips');
    expect(sent).toEqual([]);
    vi.mocked(serverClock.now).mockReturnValue(T0 + 5 * 60_000);
    await press('button', 'Search trips');
    await says('No results found.');
    expect(sent).toHaveLength(1);
  });

  it('of a trip that nothing asks for leads back', async () => {
    await open('/dashboard/trips/a/b', 'No assets and time are chosen');
    await press('button', 'Back to Trips');
    await says('Search trips');
  });
});

describe('what was found', () => {
  // spec: 7.trip.03 1.scope.01
  it('is the trips of all assets, newest start first, each with what it was', async () => {
    twoAssets();
    await open(address([0, 1]), 'Trips 3');
    expect(text()).toContain('Runs 2');
    expect(text()).toContain('Without lights 1');
    const [first = '', second = '', third = ''] = rows();
    expect(first).toContain('AEngine 4');
    expect(first).toContain('9:42 AM – 10:12 AM 30 min');
    expect(first).toContain('Lights on 9 min · Top 48 mph');
    expect(first).toContain('N Market St → E 14th St');
    expect(first).toContain('4.2 mi');
    expect(second).toContain('BLadder 1');
    expect(second).toContain('Movement without lights · Top –');
    expect(third).toContain('6:42 AM – 6:52 AM');
  });

  it('says distances and speeds as the organization has them', async () => {
    twoAssets();
    await open(address([0]), 'Trips 2', 'UTC', 'DE');
    expect(rows()[0]).toContain('Top 77 km/h');
    expect(rows()[0]).toContain('6.8 km');
  });

  it('says what goes on still, and what is only a part', async () => {
    const runs = [wireTrip('on', 20, 20, { is_active: true }), wireTrip('cut', 490, 30, { is_clipped: true })];
    answer = () => good(wireTrips(0, { runs }));
    await open(address([0]), 'Trips 2');
    expect(rows()[0]).toContain('Since 10:22 AM');
    expect(rows()[0]).toContain('Still going');
    expect(rows()[1]).toContain('Partly outside of the chosen time');
  });

  it('has a head for each day where there are two', async () => {
    const runs = [wireTrip('today', 60, 10), wireTrip('night', 660, 30)];
    answer = () => good(wireTrips(0, { runs }));
    await open(address([0], 12), 'Trips 2');
    expect(rows().map(row => row.slice(0, 16))).toEqual([
      'Sat, Nov-21-2026',
      expect.stringContaining('Engine 4'),
      'Fri, Nov-20-2026',
      expect.stringContaining('Engine 4'),
    ]);
    expect(rows()[3]).toContain('11:42 PM – Sat 12:12 AM');
  });

  it('names the hours that nobody can read', async () => {
    const hour = (from: number) => ({ start: ago(from), end: ago(from - 60) });
    const unreadable = [hour(342), hour(282), hour(102)];
    answer = () => good(wireTrips(0, { unreadable, runs: [wireTrip('r', 60, 30)] }));
    await open(address([0]), "Some stored positions can't be read.");
    expect(text()).toContain('Engine 4: 5:00 AM – 7:00 AM, 9:00 AM – 10:00 AM');
    expect(rows()).toHaveLength(1);
  });
});

describe('a failure', () => {
  // spec: 8.trip.01
  it.each([
    [0, 'Connection failed.'],
    [404, 'Asset not found'],
    [500, 'Unknown failure'],
    [422, 'Unknown failure'],
  ])('%i of one asset says: %s', async (status, words) => {
    answer = () => (status === 0 ? Promise.reject(new TypeError('offline')) : bad(status));
    await open(address([0]), words);
    expect(text()).not.toContain('Unknown Error');
    expect(text()).not.toContain('No results found.');
    twoAssets();
    await press('button', 'Retry');
    await says('Trips 2');
    expect(text()).not.toContain(words);
  });

  // spec: 8.trip.02
  it('of some of several says so, with what is known of the others', async () => {
    twoAssets();
    const whole = answer;
    answer = id => (id === idOf(1) ? bad(404) : whole(id));
    await open(address([0, 1]), 'Unknown Error');
    expect(text()).toContain('Ladder 1: Asset not found');
    expect(rows()).toHaveLength(2);
    answer = whole;
    await press('button', 'Retry');
    await says('Trips 3');
    // What was known was not asked for again.
    expect(sent.map(one => one.id)).toEqual([idOf(0), idOf(1), idOf(1)]);
  });

  // spec: 8.trip.02
  it('of all of several leaves no list', async () => {
    answer = () => bad(500);
    await open(address([0, 1]), 'Unknown Error');
    expect(text()).not.toContain('No results found.');
    expect(host.querySelector('[role=treegrid]')).toBeNull();
  });
});

// spec: 7.trip.02 7.trip.03
it('is read again after 300 s, and put together again after 60 s', async () => {
  twoAssets();
  vi.useFakeTimers({ toFake: ['Date'], now: T0 });
  await open(address([0, 1]), 'Trips 3');
  expect(sent).toHaveLength(2);
  const again = async (seconds: number, requests: number) => {
    vi.setSystemTime(T0 + seconds * 1000);
    byText('[role=row]', 'Ladder 1').click();
    await says('Movement without lights · Sat');
    await press('button', 'Trips');
    await says('Trips 3');
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(sent).toHaveLength(requests);
  };
  const before = shownTrips.get();
  await again(59, 2);
  await again(299, 2);
  // The same answer is the same to the map.
  expect(shownTrips.get()?.things).toBe(before?.things);
  await again(301, 4);
});

describe('the detail', () => {
  it('says the figures and the stops of a trip', async () => {
    const stops = [{ start: ago(50), end: ago(45), lat: 39.7447, lng: -75.5484 }];
    answer = () => good(wireTrips(0, { runs: [wireTrip('r1', 60, 30, { stops, is_clipped: true })] }));
    await open(address([0], 8, `/${idOf(0)}/r1`), 'Engine 4');
    await says('Run · Sat, Nov-21-2026');
    for (const words of ['Distance4.2 mi', 'Top Speed48 mph', 'Lights On9 min', 'Positions3', 'FromN Market St'])
      await says(words);
    expect(text()).toContain('StartNov-21-2026 9:42:00 AM');
    expect(text()).toContain('Partly outside of the chosen time');
    expect(text()).toContain('Stops 1');
    expect(text()).toContain('9:52 AM – 9:57 AM');
    expect(text()).toContain('39.7447');
  });

  it.each([
    [null, 'Not measured', ''],
    [0, '0', ' · 0 drivers alerted'],
    [1, '1', ' · 1 driver alerted'],
    [1200, '1,200', ' · 1,200 drivers alerted'],
  ])('says how many drivers were alerted on a run: %s', async (count, value, inList) => {
    const [run, other] = [wireTrip('r1', 60, 30, { drivers_alerted: count }), wireTrip('other-x', 400, 20)];
    answer = () => good(wireTrips(0, { runs: [run], other: [other] }));
    await open(address([0], 8, `/${idOf(0)}/r1`), `Drivers Alerted${value}`);
    reload();
    await open(address([0], 8), 'Trips 2');
    expect(text()).toContain(`Lights on 9 min · Top 48 mph${inList}N Market St`);
    expect(text().match(/alerted/g) ?? []).toHaveLength(inList ? 1 : 0);
  });

  it('says nothing of drivers where no lights were on', async () => {
    answer = () => good(wireTrips(0, { other: [wireTrip('other-x', 60, 20)] }));
    await open(address([0], 8, `/${idOf(0)}/other-x`), 'Movement without lights');
    expect(text()).not.toContain('Drivers Alerted');
  });

  it('of a trip that is not there says so, with a way back', async () => {
    twoAssets();
    await open(address([0], 8, `/${idOf(0)}/nothing`), 'This trip is not in the chosen time');
    expect(shownTrips.get()?.selected).toBeUndefined();
    await press('button', 'Back to Trips');
    await says('Trips 2');
  });

  it('of an asset whose trips cannot be had says why', async () => {
    answer = id => (id === idOf(0) ? good(wireTrips(0)) : bad(404));
    await open(address([0, 1], 8, `/${idOf(1)}/r1`), 'Asset not found');
    expect(text()).not.toContain('This trip is not in the chosen time');
  });
});

it('shows nothing on the map once the section is left', async () => {
  twoAssets();
  await open(address([0]), 'Trips 2');
  expect(shownTrips.get()?.things).toHaveLength(1);
  reload();
  await see(() => expect(shownTrips.get()).toBeUndefined());
});
