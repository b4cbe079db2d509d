// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, refused, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore, streamStore } from '~/live';
import { T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import type { Drawing, DrawOptions } from '~/map/draw/drawing';
import type { MapControl } from '~/map/types';
import { byText, host, press, reload, says, see, stageSection, text, tick, type } from '~/section/testing';
import { beginViews, mapHolder } from '~/section/view';
import { EVERY_MAP_VIEW, setPreference } from '~/session';
import { active, left, load, open, wireZone } from './testing';

stageSection('o1');

let sent: { method: string; path: string; body: Record<string, unknown>; match: string | null }[];
let answer: (method: string) => Response;
/** Where shapes are drawn, without a map below. */
let canvas: MapController;
let phase: string;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  phase = 'ready';
  canvas = new MapController({ theme: 'dark', now: () => T0 });
  mapHolder.set({
    subscribe: () => () => undefined,
    getState: () => ({ zoom: 16, phase }),
    view: () => null,
    select: () => undefined,
    openDrawing: (options: DrawOptions) => canvas.openDrawing(options),
  } as unknown as MapControl);
  sent = [];
  answer = () => replayed('getZone.not_found');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const body = init.body ? JSON.parse(String(init.body)) : {};
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    if (method !== 'GET') sent.push({ method, path, body, match: new Headers(init.headers).get('If-Match') });
    return answer(method);
  });
});

const rows = () => [...host.querySelectorAll('[role=row]')].map(row => row.textContent ?? '');
const links = () => [...host.querySelectorAll('a, button')].map(e => e.getAttribute('aria-label') ?? e.textContent);
const field = (label: string) =>
  document.getElementById(byText('label', label).getAttribute('for') ?? '') as HTMLInputElement;

describe('the list of zones', () => {
  // spec: 4.zone.01 4.zone.02 2.route.10 1.scope.01
  it('has active ones first, says who is inside, and hides by status, type and search', async () => {
    load(
      wireZone('Alpha School'),
      wireZone('Beta Market', { alerting_zone_type_name: 'event', ...left(120_000) }),
      wireZone('Gamma Works', { alerting_zone_type_name: 'work', alert_message: 'Road work', ...active('Engine 4') }),
    );
    await open('/dashboard/zones', 'Zones 3 / 3');
    await says('Active 2');
    await says('Standby 1');
    const said = rows();
    expect(said.map(row => row.slice(0, 5))).toEqual(['Beta ', 'Gamma', 'Alpha']);
    expect(said[0]).toContain('Active until 10:44 AM');
    expect(said[1]).toContain('Active Engine 4Work Zone · Road work');
    expect(said[1]).toContain('1 Asset inside');
    expect(said[2]).toContain('Standby School Zone');
    await press('[role=radio]', 'Standby');
    await says('Zones 1 / 3');
    expect(rows()[0]).toContain('Alpha School');
    await press('[role=radio]', 'All');
    await press('button', 'Zone Types');
    await tick('Event 1');
    await says('Zones 2 / 3');
    expect(rows().join()).not.toContain('Beta Market');
    await press('button', 'Show all types');
    await says('Zones 3 / 3');
  });

  // spec: 5.search.06
  it.each([
    ['the zone id', 'zone-beta'],
    ['its own number', 'SCHOOL-7'],
    ['the description', 'market'],
    ['the id of a thing inside', 'engine 4-ID'],
    ['the name of a thing inside', 'ENGINE 4'],
  ])('is searched for %s', async (_, words) => {
    load(
      wireZone('zone-alpha', { description: 'Alpha School' }),
      wireZone('zone-beta', { description: 'Beta Market', external_id: 'SCHOOL-7', ...active('Engine 4') }),
    );
    await open('/dashboard/zones', 'Zones 2 / 2');
    const search = host.querySelector('input[type=search]') as HTMLInputElement;
    type(search, words);
    await says('Zones 1 / 2');
    expect(rows()[0]).toContain('Beta Market');
  });

  it('keeps its filters in the address, and takes them from it', async () => {
    load(wireZone('Alpha School'), wireZone('Gamma Works', { alerting_zone_type_name: 'work', ...active('Engine 4') }));
    const router = await open('/dashboard/zones', 'Zones 2 / 2');
    await press('[role=radio]', 'Standby');
    await see(() => expect(router.state.location.search).toEqual({ status: 'standby' }));
    reload();
    beginViews();
    await open('/dashboard/zones?status=standby', 'Zones 1 / 2');
    expect(rows()[0]).toContain('Alpha School');
  });

  it('goes to standby by the clock alone', async () => {
    load(wireZone('Market', left(5000)), wireZone('Works', active('Engine 4')));
    await open('/dashboard/zones', 'Active 2');
    vi.mocked(serverClock.now).mockReturnValue(T0 + 5000);
    await says('Active 1');
    await says('Standby 1');
    expect(rows().map(row => row.includes('Standby'))).toEqual([false, true]);
  });

  // spec: 8.zone.01
  it('says why it cannot be had, and that there are none', async () => {
    streamStore.patch({ phase: 'failed', asOf: 0, failure: new TypeError('offline') });
    await open('/dashboard/zones', 'Unknown failure');
    expect(text()).not.toContain('No results found.');
    streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
    await says('No results found.');
    await says('Your organization has no zones.');
  });

  it('offers what is new to those who may make it', async () => {
    await open('/dashboard/zones', 'Zones 0', ['zone:read']);
    expect(links()).not.toContain('+ Add');
    reload();
    await open('/dashboard/zones', '+ Add', ['zone:manage']);
  });

  it('offers nothing new where the browser has no map to draw on', async () => {
    phase = 'unsupported';
    await open('/dashboard/zones', 'Zones 0', ['zone:manage']);
    expect(links()).not.toContain('+ Add');
  });
});

describe('the detail of a zone', () => {
  // spec: 3.zone.01
  it('says whether it is active, who is inside with the way there, and what it is', async () => {
    load(wireZone('Market', { alert_message: 'Slow down', external_id: 'Z-9', ...active('Engine 4') }));
    await open('/dashboard/zones/Market', 'Alerting now: 1 Asset inside');
    const value = (label: string) =>
      [...host.querySelectorAll('dt')].find(dt => dt.textContent === label)?.nextElementSibling?.textContent;
    expect(value('Type')).toBe('School Zone');
    expect(value('Alert Message')).toBe('Slow down');
    expect(value('Stays Active')).toBe('5 min after the last asset');
    expect(value('Zone Id')).toBe('Z-9');
    expect(host.querySelector('a[href="/dashboard/things/Engine%204-id"]')?.textContent).toBe('Engine 4');
    await says('Inside since 10:41 AM');
    load(wireZone('Market', { ...left(60_000), updated_at: new Date(T0 + 1000).toISOString() }));
    await says('The last alerting asset has left.');
    // An older word of it changes nothing.
    load(wireZone('Market', active('Engine 4', 500)));
    await see(() => expect(text()).not.toContain('1 Asset inside'));
  });

  it('says once that nobody is inside', async () => {
    load(wireZone('Market'));
    await open('/dashboard/zones/Market', 'No alerting asset is inside.');
    expect(text().match(/No alerting asset/g)).toHaveLength(1);
    expect(text()).not.toContain('Alerting now');
  });

  it('leads to what changes it only those who may, and asks before it deletes', async () => {
    load(wireZone('Market'));
    await open('/dashboard/zones/Market', 'Market', ['zone:read']);
    expect(links()).not.toContain('Edit Zone');
    expect(links()).not.toContain('Delete Zone');
    reload();
    await open('/dashboard/zones/Market', 'Delete Zone');
    await press('button', 'Delete Zone');
    await says('Are you sure you want to delete Zone?');
    answer = () => refused('createZone.validation_failed', { fields: {} });
    await press('button', 'Confirm');
    await says('Unable to delete Zone');
    answer = () => replayed('deleteZone.not_found');
    await press('button', 'Confirm');
    await see(() => expect(liveStore.of('zone').get('Market')).toBeUndefined());
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill('DELETE /organization/alerting_zones/Market'),
    );
  });
});

/** What is being drawn, of a kind. */
const drawing = async (kind: string): Promise<Drawing> =>
  vi.waitFor(() => {
    const now = canvas.desk.open.get();
    if (now?.kind !== kind) throw new Error(`no ${kind} is drawn`);
    return now;
  });
/** Sets points as clicks on the map do. */
const set = (on: Drawing, ...points: (readonly [lat: number, lng: number])[]): void => {
  for (const [lat, lng] of points) on.move(on.state.get().draft.points.length, { lat, lng });
};
const SQUARE = [
  [39.7, -75.5],
  [39.701, -75.5],
  [39.701, -75.499],
] as const;

describe('the form of a zone', () => {
  it('says what is wrong, then makes what was drawn', async () => {
    const router = await open('/dashboard/zones/new', 'Add Zone');
    await says('Nothing is drawn yet.');
    type(field('Alert Message'), 'x'.repeat(41));
    type(field('Stays Active'), '59');
    await press('button[type=submit]', 'Add');
    for (const words of [
      'Required',
      '40 Max Characters',
      'Must be a number from 60 to 3600',
      'Draw the zone on the map.',
    ])
      await says(words);
    expect(sent).toEqual([]);
    type(field('Description'), 'Market');
    type(field('Alert Message'), 'Slow');
    type(field('Stays Active'), '600');
    const drawn = await drawing('polygon');
    set(drawn, [39.7, -75.5], [39.72, -75.5], [39.72, -75.47]);
    drawn.finish();
    await says('Polygon area is too large');
    drawn.set(null);
    set(drawn, ...SQUARE);
    drawn.finish();
    await says('sq mile.');
    answer = () => answered('createZone.ok', { id: 'made', description: 'Market' });
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
    const ring = SQUARE.map(([lat, lng]) => [lng, lat]);
    expect(sent[0]).toMatchObject({ method: 'POST', path: '/organization/alerting_zones' });
    expect(sent[0]?.body).toMatchObject({
      organization_id: 'o1',
      description: 'Market',
      alerting_zone_type_name: 'school',
      alert_message: 'Slow',
      default_expiry: 600,
      features: {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] }, properties: {} },
        ],
      },
    });
    await see(() => expect(router.state.location.pathname).toBe(`/dashboard/zones/${sent[0]?.body.id}`));
  });

  it('draws one of several shapes at a time and keeps the others', async () => {
    await open('/dashboard/zones/new', 'Add Zone');
    type(field('Description'), 'Two');
    set(await drawing('polygon'), ...SQUARE);
    await press('button', 'Add another shape');
    await press('[role=radio]', 'Circle');
    const circle = await drawing('circle');
    set(circle, [39.71, -75.51]);
    circle.resize(40);
    await says('Radius 40 m.');
    answer = () => answered('createZone.ok');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
    const drawn = sent[0]?.body.features as
      | { features: { geometry: { type: string }; properties: object }[] }
      | undefined;
    expect(drawn?.features.map(one => [one.geometry.type, one.properties])).toEqual([
      ['Polygon', {}],
      ['Point', { radius_dist: 40 }],
    ]);
  });

  it('sends what was changed with its version, and shows a conflict', async () => {
    load(wireZone('Market', { version: 3 }));
    await open('/dashboard/zones/Market/edit', 'Edit Zone');
    await says('points');
    type(await found(() => field('Alert Message')), 'New words');
    answer = () =>
      refused('updateZone.conflict', { current: wireZone('Market', { version: 4, alert_message: 'Theirs' }) });
    await press('button[type=submit]', 'Save');
    await says('changed this');
    expect(sent).toEqual([
      {
        method: 'PUT',
        path: '/organization/alerting_zones/Market',
        body: { alert_message: 'New words' },
        match: '"3"',
      },
    ]);
  });

  it('is kept from who may not', async () => {
    load(wireZone('Market'));
    await open('/dashboard/zones/Market/edit', 'Sorry, you are not currently authorized', ['zone:read']);
  });
});

const found = <T,>(read: () => T) => vi.waitFor(read);
