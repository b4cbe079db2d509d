// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { answered, firstOf, malformed, recorded, refused, replayed, vary } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import type { Drawing, DrawOptions } from '~/map/draw/drawing';
import type { MapControl } from '~/map/types';
import { byText, openSection, press, says, see, stageSection, text, tick, type } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { EVERY_MAP_VIEW, session, setPreference } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { directionOf } from './directions';
import { type ClosureDraft, closureSchema, newClosure, writeOf } from './form';
import { closures } from './section';

stageSection('o1');

const CLOSURES = '/organization/closure';
const HOUR = 3_600_000;
/** Along North Market Street, northeast. */
const MARKET = { lat: 39.7402, lng: -75.5516 };
const SIXTH = { lat: 39.7416, lng: -75.5492 };
const ROUTE = recorded('findDirections.ok').data.route;

let sent: { method: string; path: string; body: Record<string, unknown>; match: string | null }[];
let asked: Schemas['DirectionsAsked'][];
let answer: () => Response;
let check: () => Response | Promise<Response>;
let road: (body: Schemas['DirectionsAsked']) => Response;
let canvas: MapController;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  canvas = new MapController({ theme: 'dark', now: () => T0 });
  mapHolder.set({
    subscribe: () => () => undefined,
    on: () => () => undefined,
    getState: () => ({ zoom: 16 }),
    view: () => ({ middle: MARKET, zoom: 16 }),
    select: () => undefined,
    openDrawing: (options: DrawOptions) => canvas.openDrawing(options),
  } as unknown as MapControl);
  sent = [];
  asked = [];
  answer = () => replayed('createClosure.ok');
  check = () => replayed('checkClosure.nothing');
  road = () => replayed('findDirections.ok');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const body = init.body ? JSON.parse(String(init.body)) : {};
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    if (path === '/directions') {
      asked.push(body);
      return road(body);
    }
    if (path === `${CLOSURES}/check`) return check();
    if (method !== 'GET') sent.push({ method, path, body, match: new Headers(init.headers).get('If-Match') });
    return method === 'GET' ? replayed('getClosure.not_found') : answer();
  });
});

const wire = (id: string, over: Partial<Schemas['Closure']> = {}): Schemas['Closure'] =>
  vary(firstOf(recorded('listClosures.ok').data), {
    id,
    organization_id: 'o1',
    description: id,
    closure_type: 'manual',
    is_dashboard_managed: true,
    user_route: [MARKET, SIXTH],
    calculated_route: ROUTE,
    ...over,
  });

function load(...rows: readonly Schemas['Closure'][]): void {
  liveStore.of('closure').merge(rows, 0, T0);
  liveStore.of('closure').tell();
}

const RIGHTS = ['closure:manage', 'mobile:closure:manage'];

function open(path: string, until: string, isWzdx = false) {
  const profile = profileOf(profileWith({ timezone: 'UTC', is_wzdx_org: isWzdx }, {}, { permissions: RIGHTS }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  return openSection(closures, path, until);
}

const field = (label: string) =>
  document.getElementById(byText('label', label).getAttribute('for') ?? '') as HTMLInputElement;
const drawing = (): Promise<Drawing> =>
  vi.waitFor(() => {
    const now = canvas.desk.open.get();
    if (now?.kind !== 'line') throw new Error('no line is drawn');
    return now;
  });
const set = (on: Drawing, ...points: readonly { lat: number; lng: number }[]): void => {
  for (const point of points) on.move(on.state.get().draft.points.length, point);
};
async function draw(...points: readonly { lat: number; lng: number }[]): Promise<Drawing> {
  const on = await drawing();
  set(on, ...points);
  on.finish();
  return on;
}

describe('a closure that begins at a place of the map', () => {
  it('has that place as the first point of its line, brought near, and takes it back by a step', async () => {
    const goTo = vi.fn();
    Object.assign(mapHolder.get() as object, { goTo });
    await open('/dashboard/closures/new?at=39.7402,-75.5516', 'Add Closure');
    const on = await drawing();
    await see(() => expect(on.state.get().draft.points).toEqual([MARKET]));
    expect(goTo.mock.lastCall).toEqual([MARKET, 16]);
    await says('1 point.');
    set(on, SIXTH);
    expect(on.state.get().draft.points).toEqual([MARKET, SIXTH]);
    on.undo();
    on.undo();
    expect(on.state.get().draft.points).toEqual([]);
  });

  it('begins with nothing where the address says no place', async () => {
    await open('/dashboard/closures/new?at=nowhere', 'Add Closure');
    expect((await drawing()).state.get().draft.points).toEqual([]);
  });
});

describe('the form of a new closure', () => {
  // spec: 5.closure.01 5.closure.02 5.closure.04 5.closure.05 5.closure.06 4.form.02
  it('says what is wrong, each at its field', async () => {
    await open('/dashboard/closures/new', 'Add Closure');
    await says('Nothing is drawn yet.');
    type(field('Alert Message'), 'x'.repeat(41));
    await press('button[type=submit]', 'Add');
    for (const words of [
      'Required',
      '40 Max Characters',
      'End date required',
      "ERROR: Please create new Closure on map. Click 'View Instructions' above if needed.",
    ])
      await says(words);
    type(field('Description'), 'x'.repeat(101));
    type(field('Ends'), '2030-01-01T00:00');
    await says('100 Max Characters');
    await says('End date must be within 3 months');
    type(field('Ends'), '2020-01-01T00:00');
    await says('End time must be in the future');
    expect(sent).toEqual([]);
  });

  // spec: 5.closure.11 9.limits.15 9.limits.16 9.limits.17 9.limits.18 9.list.03 9.list.04
  it('takes texts, an end, lanes and values to the last one, and no more', async () => {
    const schema = closureSchema({ timeZone: 'UTC', isWzdx: true, now: () => T0 });
    const wrong = (over: Partial<ClosureDraft>, name: keyof ClosureDraft) =>
      schema.safeParse({ ...newClosure(), ...over }).error?.issues.find(({ path }) => path[0] === name)?.message;
    for (const [name, most] of [
      ['description', 100],
      ['external_id', 100],
      ['alert_message', 40],
    ] as const) {
      expect([name, wrong({ [name]: 'x'.repeat(most) }, name)]).toEqual([name, undefined]);
      expect([name, wrong({ [name]: 'x'.repeat(most + 1) }, name)]).toEqual([name, `${most} Max Characters`]);
    }
    expect(wrong({ end_time: '2027-02-21T10:42' }, 'end_time')).toBeUndefined();
    expect(wrong({ end_time: '2027-02-22T10:42' }, 'end_time')).toBe('End date must be within 3 months');

    await open('/dashboard/closures/new', 'Add Closure');
    const lane = (words: string) => document.querySelector<HTMLButtonElement>(`[aria-label="${words}"]`);
    for (let more = 0; more < 8; more++) {
      lane('Add a lane')?.click();
      await see(() => expect(lane(`Lane ${Math.min(9, Math.max(3, 3 + more))} closed`)).not.toBeNull());
    }
    expect(lane('Lane 9 closed')).not.toBeNull();
    expect(lane('Lane 10 closed')).toBeNull();
    expect(lane('Lane 0 closed')).toBeNull();
    const lists = [...document.querySelectorAll('select')].map(list =>
      [...list.options].map(one => one.text).filter(words => words.trim() !== '' && words !== 'Not specified'),
    );
    expect(lists).toContainEqual(['Channel Device', 'Sign', 'Junction', 'Other', 'Unknown']);
    expect(lists).toContainEqual([
      'All Lanes Closed',
      'Some Lanes Closed',
      'All Lanes Open',
      'Alternating One Way',
      'Merge Left',
      'Merge Right',
      'Shift Left',
      'Shift Right',
      'Split',
      'Flagging',
      'Temporary Traffic Signal',
      'Unknown',
    ]);
  });

  // spec: 4.form.01 7.closure.02 7.closure.06 3.clos.03 7.other.02
  it('follows the road, fills in what it is called, and stands from now on', async () => {
    const router = await open('/dashboard/closures/new', 'Add Closure');
    const drawn = await draw(MARKET, SIXTH);
    await see(() => expect(field('Road Name').value).toBe('North Market Street'));
    expect(asked.at(-1)).toEqual({ waypoints: [MARKET, SIXTH] });
    expect(drawn.state.get().guide).toEqual(ROUTE);
    expect(field('To').value).toBe('East 6th Street');
    await says('2 points, 0.20 mi.');
    type(field('Description'), 'Gas main');
    await press('button', '2 h');
    await press('button', '3');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ method: 'POST', path: CLOSURES });
    expect(sent[0]?.body).toMatchObject({
      organization_id: 'o1',
      description: 'Gas main',
      is_active: true,
      end_time: new Date(Math.floor((T0 + 2 * HOUR) / 60_000) * 60_000).toISOString(),
      direction: directionOf(ROUTE),
      impacted_lanes: [3],
      total_lanes: 3,
      road_name: 'North Market Street',
      street_end: 'East 6th Street',
      user_route: [MARKET, SIXTH],
      calculated_route: ROUTE,
      geocoded_route: [ROUTE[0], ROUTE.at(-1)],
      is_wzdx_compliant: false,
    });
    expect(sent[0]?.body).not.toHaveProperty('start_time');
    expect(sent[0]?.body).not.toHaveProperty('both');
    await see(() => expect(router.state.location.pathname).toBe(`/dashboard/closures/${sent[0]?.body.uuid}`));
  });

  // spec: 4.form.03 4.form.04 4.form.05 4.form.06
  it('is scheduled with a start and an end, also one that has begun; or has no times', async () => {
    await open('/dashboard/closures/new', 'Add Closure');
    await draw(MARKET, SIXTH);
    type(field('Description'), 'Paving');
    await press('[role=radio]', 'Scheduled');
    await says('Starts');
    await press('button[type=submit]', 'Add');
    await says('Start date required');
    type(field('Starts'), '2026-11-21T20:00');
    type(field('Ends'), '2026-11-21T19:00');
    await says('End time must be after Start time');
    type(field('Starts'), '2026-11-21T09:00');
    type(field('Ends'), '2026-11-22T06:00');
    answer = () => refused('createClosure.forbidden');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({
      is_active: false,
      start_time: '2026-11-21T09:00:00.000Z',
      end_time: '2026-11-22T06:00:00.000Z',
    });
    await press('[role=radio]', 'Inactive');
    await see(() => expect(text()).not.toContain('Ends'));
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body.is_active).toBe(false);
    expect(sent[1]?.body).not.toHaveProperty('end_time');
  });

  // spec: 5.closure.07 5.closure.08 5.closure.09 5.closure.10
  it('asks those who publish for direction, id, method and impact', async () => {
    // The next of a publisher's own numbers will be the publisher's.
    load(wire('theirs', { closure_type: 'feed', is_dashboard_managed: false, external_id: 'PUB-95-0017' }));
    await open('/dashboard/closures/new', 'Add Closure', true);
    await tick('Publish to Work Zone Feeds');
    await says('Feed ID');
    // A proposal, which can be another one.
    await see(() => expect(field('Feed ID').value).toMatch(/^(?!PUB)[A-Z0-9]+-\d{4}-0001$/));
    type(field('Feed ID'), '');
    await press('[role=radio]', 'Inactive');
    type(field('Description'), 'Paving');
    road = () => refused('findDirections.directions_failed');
    await press('button[type=submit]', 'Add');
    await see(() => expect(text().match(/Required/g)).toHaveLength(4));
  });

  // spec: 8.closure.08
  it('says what the service says of a line, or that something went wrong, and goes straight', async () => {
    await open('/dashboard/closures/new', 'Add Closure');
    road = () => refused('findDirections.directions_failed');
    await draw(MARKET, SIXTH);
    await says('Too many coordinates. The line is straight.');
    road = () => malformed('<html>', 502);
    const on = await drawing();
    on.move(1, { lat: 39.742, lng: -75.549 });
    await says('Something went wrong The line is straight.');
    expect(on.state.get().guide).toHaveLength(2);
    road = () => replayed('findDirections.straight');
    on.move(1, { lat: 39.8, lng: -75.5 });
    await says('No road or route was found here. The line is straight.');
  });

  // spec: 8.closure.03 8.closure.06
  // spec: 8.closure.05
  it('says why it was not saved', async () => {
    await open('/dashboard/closures/new', 'Add Closure', true);
    await draw(MARKET, SIXTH);
    await press('[role=radio]', 'Inactive');
    type(field('Description'), 'Paving');
    answer = () => refused('createClosure.validation_failed', { fields: {} });
    await see(() => expect(field('Road Name').value).not.toBe(''));
    await press('button[type=submit]', 'Add');
    await says('Unable to save Closure');
    answer = () => replayed('createClosure.validation_failed.unique');
    await press('button[type=submit]', 'Add');
    await says('ID is already in use. Please select a new ID');
    expect(text()).not.toContain('Unable to save Closure');
    answer = () => replayed('getSecondFactor.internal');
    await press('button[type=submit]', 'Add');
    await says('Unable to save Closure');
    expect(sent).toHaveLength(3);
    answer = () => refused('createClosure.validation_failed', { fields: { description: 'Too rude' } });
    await press('button[type=submit]', 'Add');
    await see(() =>
      expect(document.querySelector('[aria-invalid]')?.closest('div')?.parentElement?.textContent).toContain(
        'Too rude',
      ),
    );
  });

  it('adds the other direction with its own id, unless no way leads back', async () => {
    await open('/dashboard/closures/new', 'Add Closure');
    await draw(MARKET, SIXTH);
    await see(() => expect(field('Road Name').value).not.toBe(''));
    await press('[role=radio]', 'Inactive');
    type(field('Description'), 'Both');
    await tick('Both directions');
    road = ({ waypoints }) => answered('findDirections.ok', { route: [...(waypoints ?? [])], distance_m: 300 });
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(2));
    const [one, other] = sent.map(({ body }) => body);
    expect(other?.uuid).not.toBe(one?.uuid);
    expect(other).toMatchObject({
      user_route: [SIXTH, MARKET],
      street_start: one?.street_end,
      direction: { N: 'S', E: 'W', S: 'N', W: 'E' }[String(one?.direction)],
    });
  });
});

it('sends a time that nobody touched as exactly as it was', () => {
  const was = { start_time: T0 + HOUR + 12_345, end_time: T0 + 2 * HOUR + 54_321 };
  const local = (at: number) => new Date(at).toISOString().slice(0, 16);
  const values: ClosureDraft = {
    ...newClosure(),
    mode: 'scheduled',
    start_time: local(was.start_time),
    end_time: local(T0 + 3 * HOUR),
  };
  const sent = writeOf({ end_time: values.end_time }, values, { timeZone: 'UTC' }, was);
  expect(sent.start_time).toBe(new Date(was.start_time).toISOString());
  expect(sent.end_time).toBe(`${local(T0 + 3 * HOUR)}:00.000Z`);
});

describe('the edit of a closure', () => {
  // spec: 7.closure.03 8.closure.02 D.closure.01
  it('sends what was changed with its version; the line follows a point that was moved', async () => {
    load(wire('Market', { version: 3, street_end: 'Somewhere', road_name: 'Mine' }));
    await open('/dashboard/closures/Market/edit', 'Edit Closure');
    const on = await drawing();
    expect(asked).toEqual([]);
    const to = { lat: 39.742, lng: -75.5495 };
    on.move(1, to);
    await see(() => expect(asked).toEqual([{ waypoints: [MARKET, to] }]));
    on.undo();
    on.redo();
    await says('2 points, 0.20 mi.');
    answer = () => replayed('updateClosure.not_found');
    await press('button[type=submit]', 'Save');
    await says('Closure not found');
    expect(sent).toEqual([
      {
        method: 'PUT',
        path: `${CLOSURES}/Market`,
        match: '"3"',
        body: {
          user_route: [MARKET, to],
          calculated_route: ROUTE,
          geocoded_route: [ROUTE[0], ROUTE.at(-1)],
        },
      },
    ]);
    // What somebody has corrected stays.
    expect(field('Road Name').value).toBe('Mine');
  });

  it('shows in words why it is not published, until it is checked anew, and a conflict', async () => {
    const checks: ((answer: Response) => void)[] = [];
    check = () => new Promise(resolve => checks.push(resolve));
    const problem = { rule: 'road_name_missing', field: 'road_name', message: 'Fill in the road name.' };
    load(
      wire('Market', { is_wzdx_compliant: true, publish_problems: [problem], start_time: at(0), end_time: at(HOUR) }),
    );
    await open('/dashboard/closures/Market/edit', 'Edit Closure', true);
    await says('Saved, but not published yet:');
    await says('Fill in the road name.');
    await see(() => expect(checks).toHaveLength(1));
    checks[0]?.(replayed('checkClosure.nothing'));
    await see(() => expect(text()).not.toContain('Saved, but not published yet:'));
    type(field('Description'), 'Other');
    answer = () => replayed('updateClosure.conflict');
    await press('button[type=submit]', 'Save');
    await says('changed this');
  });

  // spec: 4.closure.04 2.closures.04 6.closure.03
  it('gives an automated one no status, and leaves those of feeds alone', async () => {
    load(
      wire('Board', { closure_type: 'automated' }),
      wire('Theirs', { closure_type: 'feed', is_dashboard_managed: false }),
    );
    const router = await open('/dashboard/closures/Board/edit', 'Its asset activates and ends this closure.');
    expect(text()).not.toContain('Scheduled');
    await router.navigate({ to: '/dashboard/closures/Theirs/edit' as never });
    await says('Managed by WZDx feed');
    expect(document.querySelector('form')).toBeNull();
  });
});
