// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '~/api';
import { answered, firstOf, recorded, refused, replayed, vary } from '~/api/recorded';
import { alertUnderButtons, stubBrowser } from '~/lib/testing';
import { liveStore, streamStore } from '~/live';
import { T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import type { Drawing, DrawOptions } from '~/map/draw/drawing';
import type { MapControl } from '~/map/types';
import { beginViews, mapHolder } from '~/section/view';
import { EVERY_MAP_VIEW, preferences, session, setPreference } from '~/session';
import { profileOf } from '~/session/profile';
import { wireOrganization, wireProfile } from '~/session/session.fakes';
import { areas } from './section';

const station = firstOf(recorded('listAreas.ok').data);
const OWN = 'o1';
const AV = recorded('listAreaTypes.ok').data.find(type => type.is_av_type);
const type = (name: string) => recorded('listAreaTypes.ok').data.find(one => one.db_name === name)?.id;

let root: Root;
let host: HTMLElement;
let width = 1440;
let sent: { method: string; path: string; body: Record<string, unknown> | undefined; ifMatch: string | null }[];
let answer: (method: string) => Response;
let zoom: number;
let wentTo: unknown[];
/** Where shapes are drawn, without a map below. */
let canvas: MapController;

const map = {
  subscribe: () => () => undefined,
  getState: () => ({ zoom, selected: null, following: false }),
  view: () => ({ middle: { lat: 39.7, lng: -75.5 }, zoom }),
  aim: () => undefined,
  goTo: (...to: unknown[]) => wentTo.push(to),
  select: () => undefined,
  openDrawing: (options: DrawOptions) => canvas.openDrawing(options),
  find: (place: unknown) => wentTo.push(place),
} as unknown as MapControl;

function signIn(...permissions: string[]): void {
  const profile = wireProfile({ permissions, dashboard_access: ['areas'] });
  profile.accessed_organizations = [wireOrganization('o3')];
  session.state.set({ phase: 'signedIn', profile: profileOf(profile), organizationId: OWN });
}

const load = (...rows: (typeof station)[]) => {
  const collection = liveStore.of('area');
  collection.merge(rows, 0, T0);
  collection.tell();
};

beforeEach(() => {
  stubBrowser(() => ({ width, pointer: width < 769 ? 'coarse' : 'fine' }));
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(650);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(400);
  liveStore.reset(OWN);
  streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
  beginViews();
  canvas = new MapController({ theme: 'dark', now: () => 0 });
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  mapHolder.set(map);
  sent = [];
  wentTo = [];
  zoom = 16;
  answer = () => replayed('nothing.not_found');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const method = init.method ?? 'GET';
    const body = init.body ? (JSON.parse(String(init.body)) as Record<string, unknown>) : undefined;
    const path = url.replace('/api', '').split('?')[0] ?? '';
    if (method !== 'GET') sent.push({ method, path, body, ifMatch: new Headers(init.headers).get('If-Match') });
    return answer(method);
  });
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
});
afterEach(() => {
  root.unmount();
  host.remove();
  width = 1440;
  mapHolder.set(null);
  vi.unstubAllGlobals();
});

const text = () => document.body.textContent ?? '';
const see = (check: () => void) => vi.waitFor(check);
const says = (words: string) => see(() => expect(text()).toContain(words));
const byText = (selector: string, words: string) => {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(e => e.textContent?.trim() === words);
  if (!found) throw new Error(`no ${selector} says "${words}" in: ${text()}`);
  return found as HTMLButtonElement;
};
const press = async (words: string) => (await vi.waitFor(() => byText('button, a, [role=radio]', words))).click();

function field(label: string): HTMLInputElement | HTMLTextAreaElement {
  const of = byText('label', label).getAttribute('for') ?? '';
  return document.getElementById(of) as HTMLInputElement;
}

const type_ = (label: string, value: string): void => put(field(label), value);

function put(input: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const proto = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** What is being drawn, of a kind. */
const drawing = async (kind: string): Promise<Drawing> => {
  const begun = await vi.waitFor(() => {
    const now = canvas.desk.open.get();
    if (now?.kind !== kind) throw new Error(`no ${kind} is drawn`);
    return now;
  });
  await see(() => expect(document.querySelector('fieldset p')?.textContent).not.toBe(''));
  return begun;
};

/** Sets points as clicks on the map do, one after the other. */
const set = (on: Drawing, ...points: (readonly [lat: number, lng: number])[]): void => {
  for (const [lat, lng] of points) on.move(on.state.get().draft.points.length, { lat, lng });
};

async function open(path: string, until: string) {
  const rootRoute = createRootRoute();
  const dashboard = createRoute({ getParentRoute: () => rootRoute, path: 'dashboard' });
  const router = createRouter({
    routeTree: rootRoute.addChildren([dashboard.addChildren([...areas.routes(dashboard)])]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await says(until);
  return () => router.state.location.pathname;
}

const mine = vary(station, { organization_id: OWN });
const detail = `/dashboard/areas/${mine.id}`;
const links = () => [...document.querySelectorAll('a, button')].map(e => e.getAttribute('aria-label') ?? e.textContent);

describe('who may change areas', () => {
  // spec: 6.area.01 6.area.02 2.map.07 2.areas.02 9.map.01
  it('adds from a zoom on, with the permission, where the organization owns', async () => {
    signIn('exclusion:read', 'exclusion:create');
    zoom = 15.4;
    await open('/dashboard/areas', 'Zoom to Add');
    expect(links()).not.toContain('+ Add');
    await press('Zoom to Add');
    expect(wentTo).toEqual([[{ lat: 39.7, lng: -75.5 }, 15.5]]);
    root.unmount();
    root = createRoot(host);
    zoom = 15.5;
    signIn('exclusion:read');
    await open('/dashboard/areas', 'Area Types');
    await see(() => expect(byText('button', '+ Add').disabled).toBe(true));
    signIn('exclusion:read', 'exclusion:create');
    await see(() => expect(byText('button', '+ Add').disabled).toBe(false));
    session.state.set({ ...session.state.get(), organizationId: 'o3' } as never);
    await see(() => expect(links()).not.toContain('+ Add'));
    signIn('exclusion:read', 'haas:manage');
    session.state.set({ ...session.state.get(), organizationId: 'o3' } as never);
    await see(() => expect(links()).toContain('+ Add'));
  });

  // spec: 6.area.03 6.area.04
  it('edits and deletes what it owns; what is for automated vehicles, and of others, with haas:manage alone', async () => {
    signIn('exclusion:read', 'exclusion:manage');
    load(mine);
    await open(detail, mine.name);
    await see(() => expect(links()).toEqual(expect.arrayContaining(['Edit Area', 'Delete Area'])));
    for (const other of [{ organization_id: 'o3' }, { ez_type: AV ?? mine.ez_type }]) {
      load(vary(mine, { ...other, version: mine.version + 1 }));
      await see(() => expect(links()).not.toContain('Edit Area'));
      expect(links()).not.toContain('Delete Area');
    }
    signIn('exclusion:manage', 'haas:manage');
    await see(() => expect(links()).toContain('Edit Area'));
    signIn('exclusion:read');
    await see(() => expect(links()).not.toContain('Edit Area'));
  });

  // spec: 2.route.06 2.route.07
  it('keeps its forms from phones and from who may not', async () => {
    signIn('exclusion:read');
    await open('/dashboard/areas/new', 'Sorry, you are not currently authorized to access this page.');
    root.unmount();
    root = createRoot(host);
    width = 390;
    signIn('exclusion:read', 'exclusion:manage');
    load(mine);
    await open(`${detail}/edit`, "This page isn't available on mobile devices.");
  });
});

describe('the form', () => {
  beforeEach(() => signIn('exclusion:read', 'exclusion:manage'));

  // spec: 2.areas.04 5.area.01 5.area.03 5.area.04
  it('begins with an exclusion and says what is wrong', async () => {
    await open('/dashboard/areas/new', 'Add Area');
    await says('No Enter');
    await press('Add');
    await says('Required');
    await says("ERROR: Please set new map location. Click 'View Instructions' above if needed");
    type_('Name', 'x'.repeat(101));
    set(await drawing('polygon'), [39.7, -75.5], [39.71, -75.5]);
    await press('Add');
    await says('100 Max Characters');
    await says('Exclusions must have at least 3 points');
    expect(sent).toEqual([]);
  });

  // spec: 5.area.05 7.area.03 8.area.03
  it('sends the shape that was drawn, under the names of the wire', async () => {
    answer = () => answered('createArea.polygon');
    await open('/dashboard/areas/new', 'Add Area');
    type_('Name', 'Bridge');
    const drawn = await drawing('polygon');
    set(drawn, [39.7, -75.5], [39.72, -75.5], [39.72, -75.47]);
    expect(text()).not.toContain('too large');
    drawn.finish();
    await says('Polygon area is too large, please keep area under .5 square miles');
    expect(drawn.state.get().problem).toContain('too large');
    drawn.set(null);
    await says('Nothing is drawn yet.');
    set(drawn, [39.7, -75.5], [39.701, -75.5], [39.701, -75.499]);
    drawn.finish();
    await says('3 points, 0.0018 sq mile.');
    expect(text()).not.toContain('too large');
    await press('Add');
    await see(() => expect(sent.length).toBe(1));
    const { body, path } = sent[0] ?? {};
    expect(path).toBe('/organization/exclusion_zone');
    expect(body).toMatchObject({
      organization_id: OWN,
      name: 'Bridge',
      ez_type_id: type('no_enter'),
      point_geom: { lat: 39.7005, lon: -75.4995 },
      area_geom: {
        type: 'Polygon',
        coordinates: [
          [
            [-75.5, 39.7],
            [-75.5, 39.701],
            [-75.499, 39.701],
            [-75.5, 39.7],
          ],
        ],
      },
    });
    // The server takes an address whole or not at all.
    for (const field of ['shape', 'state', 'country_code']) expect(Object.keys(body ?? {})).not.toContain(field);
    expect(String(body?.id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  // spec: 7.area.06
  it('sends the description and the address that were typed, in the country of the organization', async () => {
    answer = () => answered('createArea.polygon');
    await open('/dashboard/areas/new', 'Add Area');
    set(await drawing('polygon'), [39.7, -75.5], [39.701, -75.5], [39.701, -75.499]);
    for (const [label, typed] of Object.entries({
      Name: 'Yard',
      Description: 'Behind the gate',
      Address: '1 Main St',
      'Address 2': 'Unit 2',
      City: 'Dover',
      'Zip Code': '19901',
    })) {
      type_(label, typed);
    }
    await press('Choose');
    await see(() => byText('[role=option]', 'Delaware').click());
    await press('Add');
    await see(() => expect(sent.length).toBe(1));
    const { id, organization_id, ez_type_id, area_geom, point_geom, ...typed } = sent[0]?.body ?? {};
    expect([id, organization_id, ez_type_id, area_geom, point_geom]).not.toContain(undefined);
    expect(typed).toEqual({
      name: 'Yard',
      desc: 'Behind the gate',
      is_active: true,
      address1: '1 Main St',
      address2: 'Unit 2',
      city: 'Dover',
      state: 'DE',
      postal_code: '19901',
      country_code: 'US',
    });
  });

  it('sends nothing while what was typed of the shape cannot be read, and leads there', async () => {
    load(mine);
    await open(`${detail}/edit`, 'Shape');
    const circle = await drawing('circle');
    circle.resize(150);
    let led = 0;
    const release = circle.hold(() => {
      led += 1;
    });
    await press('Save');
    await see(() => expect(led).toBe(1));
    expect(sent).toEqual([]);
    release();
    answer = () => refused('createArea.validation_failed', { message: 'Something else', fields: {} });
    await press('Save');
    await see(() => expect(sent.length).toBe(1));
    expect(led).toBe(1);
  });

  // spec: 7.area.04 8.area.04 8.generic.03
  it('sends what was changed with its version, stays with what the server refuses, and shows a conflict', async () => {
    load(mine);
    const at = await open(`${detail}/edit`, 'Shape');
    const circle = await drawing('circle');
    const { lat, lng, radius_dist: radiusM } = mine;
    expect(circle.get()).toEqual({ type: 'Circle', center: { lat, lng }, radiusM });
    circle.resize(650);
    await says('The radius must be from 1 to 641 meters');
    circle.resize(150);
    answer = () => refused('createArea.validation_failed', { message: 'Something else', fields: {} });
    await press('Save');
    await see(() => expect(alertUnderButtons()).toBe('Unable to save Area'));
    expect(at()).toBe(`${detail}/edit`);
    answer = () => replayed('updateArea.conflict');
    await press('Save');
    await see(() => expect(sent.length).toBe(2));
    await says('changed this');
    expect(sent[1]).toMatchObject({
      method: 'PUT',
      ifMatch: `"${mine.version}"`,
      body: { radius_dist: 150, area_geom: null, point_geom: { lat: mine.lat, lon: mine.lng } },
    });
    expect(Object.keys(sent[1]?.body ?? {}).sort()).toEqual(['area_geom', 'point_geom', 'radius_dist']);
  });

  // spec: 2.map.18
  it('opens its instructions by themselves, until they are not wanted, and by the link', async () => {
    setPreference('hiddenMapInstructions', []);
    await open('/dashboard/areas/new', 'How to draw an area');
    await says('Choose a shape: polygon or circle.'); // what the first type has; a line is offered for others
    document.querySelector<HTMLElement>('[role=dialog] label input')?.click();
    await press('OK');
    await see(() => expect(preferences.get().hiddenMapInstructions).toEqual(['area']));
    await see(() => expect(document.querySelector('[role=dialog]')).toBeNull());
    await press('View Instructions');
    await see(() => expect(document.querySelector('[role=dialog]')).not.toBeNull());
  });

  it('fills the address from what is found and from the map, begins a circle there, and clears it again', async () => {
    load(mine);
    answer = () => replayed('searchPlaces.ok');
    await open(`${detail}/edit`, 'Shape');
    const circle = await drawing('circle');
    const begun = circle.get();
    const search = document.querySelector<HTMLInputElement>('input[aria-label="Search for an address"]');
    if (!search) throw new Error('no search');
    put(search, 'market st');
    await see(() => byText('[role=option]', 'North Market StreetWilmington').click());
    await see(() => expect(field('Address').value).toBe('North Market Street'));
    expect(field('City').value).toBe('Wilmington');
    expect(wentTo).toMatchObject([{ label: 'North Market Street', lat: 39.7411662 }]);
    // What is drawn stays.
    expect(circle.get()).toEqual(begun);
    circle.set(null);
    put(search, 'market street');
    await see(() => byText('[role=option]', 'North Market StreetWilmington').click());
    await see(() =>
      expect(circle.get()).toMatchObject({ center: { lat: 39.7411662, lng: -75.5507979 }, radiusM: 120 }),
    );

    await press('Clear address');
    await see(() => expect(field('Address').value).toBe(''));
    answer = () => replayed('searchPlaces.reverse');
    await press('Fill address from the map');
    await see(() => expect(field('Address').value).toBe('North Market Street'));
    await press('Clear address');
    answer = () => answered('updateArea.ok');
    await press('Save');
    await see(() => expect(sent.length).toBe(1));
    const none = { address1: '', address2: '', city: '', state: '', postal_code: '', country_code: '' };
    expect(sent[0]?.body).toMatchObject(none);
  });

  it('begins a point of interest and a station as a circle of 100 m, unless something is drawn', async () => {
    answer = () => answered('createArea.polygon');
    await open('/dashboard/areas/new', 'Add Area');
    const choose = async (was: string, next: string) => {
      await press(was);
      await see(() => byText('[role=option]', next).click());
    };
    type_('Name', 'Depot');
    await choose('No Enter', 'Point of Interest');
    set(await drawing('circle'), [39.7, -75.5]);
    await says('Radius 100 m.');
    await choose('Point of Interest', 'No Enter');
    expect((await drawing('circle')).get()).toMatchObject({ radiusM: 100 });
    await press('Add');
    await see(() => expect(sent.length).toBe(1));
    expect(sent[0]?.body).toMatchObject({ point_geom: { lat: 39.7, lon: -75.5 }, area_geom: null, radius_dist: 100 });
  });

  it('draws one part or hole at a time, and keeps the others as they are', async () => {
    const exact = (degrees: number) => Number(degrees.toFixed(7));
    const ring = (lng: number, by: number) =>
      [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
        [-1, -1],
      ].map(([e = 0, n = 0]) => [exact(lng + e * by), exact(39.7 + n * by)]);
    const geometry = {
      type: 'MultiPolygon',
      coordinates: [[ring(-75.5, 0.002), ring(-75.5, 0.0005)], [ring(-75.49, 0.002)]],
    };
    load(vary(mine, { area_geom: geometry, radius_dist: 0 }));
    await open(`${detail}/edit`, 'Shape');
    expect((await drawing('polygon')).get()).toMatchObject({ coordinates: [ring(-75.5, 0.002)] });
    // As a line it would lose what it is.
    expect(document.querySelector('fieldset')?.textContent).not.toContain('Line');
    await press('Part 1');
    await see(() => byText('[role=option]', 'Part 1, hole 1').click());
    await see(() => expect(canvas.desk.open.get()?.get()).toMatchObject({ coordinates: [ring(-75.5, 0.0005)] }));
    const hole = await drawing('polygon');
    hole.move(0, { lat: 39.6, lng: -75.5 });
    await says('Exclusion shape is invalid: its outline crosses or touches itself');
    hole.undo();
    hole.move(0, { lat: 39.6994, lng: -75.5005 });
    answer = () => answered('updateArea.ok');
    await press('Save');
    await see(() => expect(sent.length).toBe(1));
    const moved = ring(-75.5, 0.0005).with(0, [-75.5005, 39.6994]).with(4, [-75.5005, 39.6994]);
    expect(sent[0]?.body).toMatchObject({
      area_geom: { ...geometry, coordinates: [[ring(-75.5, 0.002), moved], [ring(-75.49, 0.002)]] },
    });
  });
});

describe('deleting', () => {
  beforeEach(() => signIn('exclusion:read', 'exclusion:manage'));

  // spec: 8.dialog.01 8.area.05 8.area.06 7.area.05 4.filter.03
  it('asks, says why it fails, and takes what is gone already for deleted', async () => {
    load(mine);
    const at = await open(detail, mine.name);
    await press('Delete Area');
    await says('Are you sure you want to delete Area?');
    answer = () => refused('createArea.validation_failed', { fields: {} });
    await press('Confirm');
    await says('Unable to delete Area');
    expect(at()).toBe(detail);
    answer = () => replayed('deleteArea.not_found');
    await press('Confirm');
    await see(() => expect(at()).toBe('/dashboard/areas'));
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill(`DELETE /organization/exclusion_zone/${mine.id}`),
    );
    expect(liveStore.of('area').get(mine.id)).toBeUndefined();
  });
});

describe('saved areas', () => {
  const star = () => document.querySelector<HTMLButtonElement>('[aria-label="Save area"]');
  const isSaved = () => star()?.getAttribute('aria-pressed');

  const onPut = (put: () => unknown) => {
    answer = method => (method === 'PUT' ? (put() as Response) : replayed('getSavedAreas.empty'));
  };

  it('are shown at once when the star is pressed, and taken back when that fails', async () => {
    signIn('exclusion:read');
    load(mine);
    answer = () => replayed('getSavedAreas.empty');
    await open(detail, mine.name);
    await see(() => expect(isSaved()).toBe('false'));
    let come = (_: Response): void => undefined;
    const way = new Promise<Response>(resolve => {
      come = resolve;
    });
    onPut(() => way);
    star()?.click();
    await see(() => expect(isSaved()).toBe('true'));
    await see(() => expect(sent).toMatchObject([{ path: '/user/saved_areas', body: { area_ids: [mine.id] } }]));
    come(replayed('saveAreas.area_not_found'));
    await see(() => expect(isSaved()).toBe('false'));
    onPut(() => replayed('saveAreas.ok'));
    star()?.click();
    await see(() => expect(sent).toMatchObject([{}, { method: 'PUT', body: { area_ids: [mine.id] } }]));
    expect(isSaved()).toBe('true');
  });

  it('keep what was saved in another browser meanwhile', async () => {
    signIn('exclusion:read');
    load(mine);
    answer = () => replayed('getSavedAreas.empty');
    await open(detail, mine.name);
    await see(() => expect(isSaved()).toBe('false'));
    const other = '01900000-0000-7000-8000-00000000a009';
    answer = method =>
      method === 'PUT' ? replayed('saveAreas.ok') : answered('getSavedAreas.ok', { area_ids: [other] });
    star()?.click();
    await see(() => expect(sent).toMatchObject([{ method: 'PUT', body: { area_ids: [other, mine.id] } }]));
  });

  it('have a star in their row that does not open them', async () => {
    signIn('exclusion:read');
    load(mine);
    answer = () => replayed('getSavedAreas.empty');
    const at = await open('/dashboard/areas', 'Areas 1 / 1');
    onPut(() => replayed('saveAreas.ok'));
    const rowStar = () => document.querySelector<HTMLElement>(`[aria-label="Save ${mine.name}"]`);
    await see(() => expect(rowStar()).not.toBeNull());
    rowStar()?.click();
    await see(() => expect(sent.length).toBe(1));
    expect(at()).toBe('/dashboard/areas');
  });
});

describe('the list', () => {
  beforeEach(() => signIn('exclusion:read'));

  // spec: 2.areas.03 8.area.01
  it('says why it cannot be had, and marks stations', async () => {
    const failed = (status: number) =>
      streamStore.patch({ phase: 'failed', asOf: 0, failure: new Failure({ status, code: '', message: '' }) });
    const said = () => document.querySelector('[role=alert]')?.textContent;
    failed(0);
    await open('/dashboard/areas', 'Areas –');
    await see(() => expect(said()).toContain('Connection failed'));
    failed(404);
    await see(() => expect(said()).toContain('Organization not found'));
    streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
    load(mine);
    await says('Areas 1 / 1');
    await says('Station ^');
  });
});
