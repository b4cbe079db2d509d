// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { recorded, refused, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { at, rowAt, T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import type { DrawOptions } from '~/map/draw/drawing';
import type { MapControl } from '~/map/types';
import { byText, openSection, press, says, see, stageSection, text, type } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { EVERY_MAP_VIEW, session, setPreference } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { closures } from './section';
import { board, HOUR, load, times, wireClosure } from './testing';

stageSection('o1');

const MARKET = { lat: 39.7402, lng: -75.5516 };
const SIXTH = { lat: 39.7416, lng: -75.5492 };
const NIGHTS = recorded('createClosure.nights').data.recurrence as NonNullable<Schemas['Closure']['recurrence']>;

interface Sent {
  method: string;
  body: Record<string, unknown>;
}

let sent: Sent[];
let checked: Record<string, unknown>[];
let marked: ReturnType<typeof vi.fn>;
let canvas: MapController;
let check: () => Response | Promise<Response>;
let answer: () => Response;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  canvas = new MapController({ theme: 'dark', now: () => T0 });
  marked = vi.fn();
  mapHolder.set({
    subscribe: () => () => undefined,
    on: () => () => undefined,
    getState: () => ({ zoom: 16 }),
    view: () => ({ middle: MARKET, zoom: 16 }),
    select: () => undefined,
    fitBounds: () => undefined,
    setMarked: marked,
    openDrawing: (options: DrawOptions) => canvas.openDrawing(options),
  } as unknown as MapControl);
  sent = [];
  checked = [];
  check = () => replayed('checkClosure.nothing');
  answer = () => replayed('createClosure.nights');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const body = init.body ? JSON.parse(String(init.body)) : {};
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    if (path === '/directions') return replayed('findDirections.ok');
    if (path === '/organization/closure/check') {
      checked.push(body);
      return check();
    }
    if (method !== 'GET') sent.push({ method, body });
    return method === 'GET' ? replayed('getClosure.not_found') : answer();
  });
});

function open(path: string, until: string, isWzdx = false, permissions = ['closure:manage']) {
  const profile = profileOf(profileWith({ timezone: 'America/New_York', is_wzdx_org: isWzdx }, {}, { permissions }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  return openSection(closures, path, until);
}

const field = (label: string) =>
  document.getElementById(byText('label', label).getAttribute('for') ?? '') as HTMLInputElement;

async function draw(): Promise<void> {
  const on = await vi.waitFor(() => {
    const now = canvas.desk.open.get();
    if (now?.kind !== 'line') throw new Error('no line is drawn');
    return now;
  });
  on.move(0, MARKET);
  on.move(1, SIXTH);
  on.finish();
  await see(() => expect(field('Road Name').value).not.toBe(''));
}

describe('a closure that comes again', () => {
  it('is planned in nights, says them in words, and which come next', async () => {
    await open('/dashboard/closures/new', 'Add Closure');
    await draw();
    type(field('Description'), 'Bridge deck');
    await press('[role=radio]', 'Scheduled');
    await press('[role=radio]', 'Repeats');
    await says('9:00 PM to 5:00 AM the next day');
    await says('Times are in Eastern Time (America/New_York).');
    await press('button[type=submit]', 'Add');
    await says('Required');
    expect(sent).toEqual([]);
    await press('button', 'Fri');
    type(field('First Day'), '2026-11-23');
    type(field('Last Day'), '2026-11-20');
    await says("The last day can't be before the first");
    type(field('Last Day'), '2027-12-01');
    await says('The last day must be within a year of the first');
    type(field('Last Day'), '2027-03-25');
    await says('Mon to Thu, 9:00 PM to 5:00 AM the next day, 23-Nov-26 to 25-Mar-27, Eastern Time (America/New_York).');
    type(field('Skip a Date'), '2026-11-24');
    await press('button', 'Skip');
    await says('except 24-Nov-26');
    await says('Next:Mon 23-Nov 9:00 PM to 5:00 AMWed 25-Nov 9:00 PM to 5:00 AMThu 26-Nov 9:00 PM to 5:00 AM');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body.recurrence).toEqual({
      days: [1, 2, 3, 4],
      start: '21:00',
      minutes: 480,
      from: '2026-11-23',
      until: '2027-03-25',
      except: ['2026-11-24'],
      timezone: 'America/New_York',
    });
    for (const name of ['is_active', 'start_time', 'end_time', 'repeats', 'mode', 'closure_type', 'thing_id']) {
      expect(sent[0]?.body).not.toHaveProperty(name);
    }
  });

  it('says where a change of the clocks moves its end', async () => {
    load(
      wireClosure('Nights', {
        ...times(10, 18),
        recurrence: { ...NIGHTS, days: [6, 7], start: '21:00', from: '2026-11-21', until: '2027-03-20' },
      }),
    );
    await open('/dashboard/closures/Nights/edit', 'Edit Closure');
    await says('The clocks change on Sat 13-Mar. That closure is as long as the others, so it ends at 6:00 AM.');
  });

  it('is edited, says the sentence of the server at its field, and loses its pattern', async () => {
    load(wireClosure('Nights', { ...times(-1, 7), user_route: [MARKET, SIXTH], recurrence: NIGHTS }));
    const router = await open('/dashboard/closures/Nights/edit', 'Edit Closure');
    await says('Daily, 4:30 AM to 12:30 PM, 20-Nov-26 to 20-Feb-27, except 24-Dec-26');
    type(field('Ends'), '06:00');
    await says('4:30 AM to 6:00 AM');
    answer = () =>
      refused('updateClosure.validation_failed.nights', {
        fields: { 'recurrence.until': 'By this pattern it never begins' },
      });
    await press('button[type=submit]', 'Save');
    await see(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({ recurrence: { ...NIGHTS, minutes: 90 } });
    await says('By this pattern it never begins');
    await press('[role=radio]', 'Active');
    await says("Saving removes its pattern. It won't repeat.");
    type(field('Ends'), '2026-11-21T23:00');
    answer = () => replayed('updateClosure.no_more');
    await press('button[type=submit]', 'Save');
    await see(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body).toEqual({ recurrence: null, is_active: true, end_time: '2026-11-22T04:00:00.000Z' });
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/closures/Nights'));
  });

  it('says its pattern in the list and in its detail', async () => {
    load(wireClosure('Nights', { start_time: at(HOUR), end_time: at(9 * HOUR), recurrence: NIGHTS }));
    const router = await open('/dashboard/closures', 'Daily, 4:30 AM to 12:30 PM');
    await router.navigate({ to: '/dashboard/closures/Nights' as never });
    await says('except 24-Dec-26, Eastern Time (America/New_York)');
    expect(text()).toContain('20-Nov-26 to 20-Feb-27');
  });
});

const READY = recorded('checkClosure.ready').data;
const [FIRST] = READY.conflicts;

describe('the check of a closure while it is edited', () => {
  // spec: 4.form.01
  it('asks once the form is complete, says the overlaps, and draws them', async () => {
    check = () => replayed('checkClosure.ready');
    if (!FIRST) throw new Error('the recording has no conflict');
    load(
      wireClosure(FIRST.id, {
        description: 'The other',
        user_route: [MARKET, SIXTH],
        calculated_route: [MARKET, SIXTH],
      }),
    );
    await open('/dashboard/closures/new', 'Add Closure');
    await draw();
    expect(checked).toEqual([]);
    type(field('Ends'), '2026-11-21T23:00');
    await says(`Overlaps ${FIRST.description} of ${FIRST.source} for 0.`);
    expect(checked).toHaveLength(1);
    expect(checked[0]).toMatchObject({
      is_active: true,
      end_time: '2026-11-22T04:00:00.000Z',
      organization_id: 'o1',
      user_route: [MARKET, SIXTH],
    });
    const stretches = READY.conflicts.flatMap(({ overlap }) => overlap.lines);
    await see(() => expect(marked).toHaveBeenLastCalledWith(stretches.map(points => ({ points, isHot: false }))));
    byText('button', FIRST.description).focus();
    await see(() =>
      expect(marked.mock.lastCall?.[0]).toContainEqual({ points: [MARKET, SIXTH], isHot: true, isOther: true }),
    );
    // An overlap asks nothing of a save.
    type(field('Description'), 'Bridge deck');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
  });

  it('lets the newest answer win', async () => {
    const waiting: ((answer: Response) => void)[] = [];
    check = () => new Promise(resolve => waiting.push(resolve));
    await open('/dashboard/closures/new', 'Add Closure');
    await draw();
    type(field('Ends'), '2026-11-21T22:00');
    await see(() => expect(waiting).toHaveLength(1));
    await says('Checking for overlaps…');
    type(field('Ends'), '2026-11-21T23:00');
    await see(() => expect(waiting).toHaveLength(2));
    waiting[1]?.(replayed('checkClosure.nothing'));
    await says('No overlaps with other closures.');
    waiting[0]?.(replayed('checkClosure.ready'));
    await Promise.resolve();
    await says('No overlaps with other closures.');
    expect(marked).not.toHaveBeenCalled();
  });

  it('says that it could not ask, asks again, and lets it be saved', async () => {
    check = () => refused('createClosure.forbidden');
    await open('/dashboard/closures/new', 'Add Closure');
    await draw();
    type(field('Ends'), '2026-11-21T22:00');
    await says("Couldn't check for overlaps. You can still save.");
    check = () => replayed('checkClosure.nothing');
    await press('button', 'Retry');
    await says('No overlaps with other closures.');
    check = () => refused('checkClosure.validation_failed');
    type(field('Description'), 'Bridge deck');
    await says("Couldn't check for overlaps: a field has an error. You can still save.");
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
  });

  it('says what the feeds miss at the field and in the list, and what each reader would show', async () => {
    check = () => replayed('checkClosure.ok');
    load(
      wireClosure('Market', {
        ...times(-1, 7),
        user_route: [MARKET, SIXTH],
        calculated_route: [MARKET, SIXTH],
        is_wzdx_compliant: true,
        external_id: 'DE-1',
        location_method: 'unknown',
        vehicle_impact: 'flagging',
        direction: 'N',
        road_name: '',
      }),
    );
    await open('/dashboard/closures/Market/edit', 'Edit Closure', true);
    await says("You can save it, but it won't be in the feeds until you fix this:");
    const words = 'Feeds require a road name. Fill it in.';
    expect(text().split(words)).toHaveLength(3);
    expect(field('Road Name').closest('form')?.textContent).toContain(words);
    check = () => replayed('checkClosure.ready');
    type(field('Road Name'), 'I-95');
    await says('Ready for Waze, WZDx 4.2, CWZ 1.0.');
    expect(text()).not.toContain(words);
    await says('One direction');
    await press('[role=radio]', 'WZDx 4.2');
    await says('Northbound');
    expect(text()).toContain('Lanes1 alternating flow, 2 open');
    type(field('Feed ID'), '');
    await says('To publish it, add its feed id.');
  });
});

describe('a closure that an arrow board drives', () => {
  // spec: 5.closure.03 4.closure.04
  it('is made by choosing the board, says what follows from it, and is switched back to one by hand', async () => {
    const org = (id: string) => ({ id, name: id, type: 'maintenance' });
    const boards = ['HA5-1', 'HA5-2', 'Truck', 'Theirs', 'Elsewhere'].map((nickname, i) =>
      rowAt(`01900000-0000-7000-8000-00000000000${i}`, 0, {
        nickname,
        organization: org(nickname === 'Theirs' ? 'o2' : 'o1'),
        is_allowed_for_closures: nickname !== 'Truck',
        heartbeat_datetime: at(-5 * 60_000),
        // Of one that is out of sight only the asset says that it drives it.
        closures: nickname === 'Elsewhere' ? [{ id: 'c9', external_id: '' }] : [],
      }),
    );
    const [first, second] = boards;
    if (!first || !second) throw new Error('no boards');
    liveStore.applyRows(boards, T0, T0, true);
    load(wireClosure('Patching', { ...board('HA5-2'), thing: { ...board('HA5-2').thing, id: second.id } as never }));
    await open('/dashboard/closures/new', 'Add Closure');
    await press('[role=radio]', 'Automated');
    await says('The board controls the rest');
    expect(text()).not.toContain('Scheduled');
    expect(text()).not.toContain('Truck');
    expect(byText('button', 'HA5-1').textContent).toContain('last heartbeat 5 min ago');
    expect((byText('button', 'HA5-2') as HTMLButtonElement).disabled).toBe(true);
    await says('Already drives “Patching”');
    // The server takes none of another organization, and none that has a closure.
    expect(text()).not.toContain('Theirs');
    expect((byText('button', 'Elsewhere') as HTMLButtonElement).disabled).toBe(true);
    await says('Already drives another closure');
    await draw();
    type(field('Description'), 'Mobile work');
    await press('button[type=submit]', 'Add');
    await says('Required');
    expect(sent).toEqual([]);
    await press('button', 'HA5-1');
    await see(() => expect(byText('button', 'HA5-1').getAttribute('aria-pressed')).toBe('true'));
    answer = () => refused('createClosure.thing_not_found');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ closure_type: 'automated', thing_id: first.id });
    for (const name of ['is_active', 'start_time', 'end_time', 'recurrence'])
      expect(sent[0]?.body).not.toHaveProperty(name);
    await says('Asset not found');
    await press('[role=radio]', 'Manual');
    await press('[role=radio]', 'Inactive');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body).not.toHaveProperty('thing_id');
    expect(sent[1]?.body.is_active).toBe(false);
  });
});
