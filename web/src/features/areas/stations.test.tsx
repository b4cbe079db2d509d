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
import { answered, firstOf, recorded, replayed, vary } from '~/api/recorded';
import { createStore } from '~/lib/store';
import { stubBrowser } from '~/lib/testing';
import { liveStore, streamStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import type { MapArea, MapControl, MapState } from '~/map/types';
import { beginViews, foldedStations } from '~/section/view';
import { preferences, session, setPreference } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { CoverChip } from './CoverChip';
import { areasOn, findAreas } from './layer';
import { areas } from './section';
import { patchView } from './view';

const area = firstOf(recorded('listAreas.ok').data);
const type = (name: string) => recorded('listAreaTypes.ok').data.find(one => one.db_name === name) ?? area.ez_type;
const missing = firstOf(recorded('listCovers.missing').data);
const station = vary(area, {
  id: missing.area_id,
  name: missing.area_name,
  organization_id: 'o1',
  ez_type: type('station'),
  is_active: true,
});

let root: Root;
let host: HTMLElement;
let covers: () => Response;
let asked: string[];

const load = (...rows: (typeof area)[]) => {
  liveStore.of('area').merge(rows, 0, T0);
  liveStore.of('area').tell();
};

beforeEach(() => {
  stubBrowser(() => ({ width: 1440, pointer: 'fine' }));
  localStorage.clear();
  liveStore.reset('o1');
  streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
  beginViews();
  const profile = wireProfile({ permissions: ['exclusion:read', 'thing:read'], dashboard_access: ['areas'] });
  session.state.set({ phase: 'signedIn', profile: profileOf(profile), organizationId: 'o1' });
  asked = [];
  covers = () => replayed('listCovers.missing');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace('/api', '').split('?')[0] ?? '';
    asked.push(`${init.method ?? 'GET'} ${path}`);
    if (path.endsWith('/visits')) return replayed('listVisits.ok');
    if (init.method === 'PUT') return replayed('setCover.missing');
    if (init.method === 'DELETE') return replayed('deleteCover.ok');
    return covers();
  });
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
});
afterEach(() => {
  root.unmount();
  host.remove();
  vi.unstubAllGlobals();
  setPreference('stationView', false);
});

const text = () => document.body.textContent ?? '';
const says = (words: string) => vi.waitFor(() => expect(text()).toContain(words));
const press = async (words: string) =>
  (
    await vi.waitFor(() => {
      const found = [...document.querySelectorAll('button')].find(e => e.textContent?.trim() === words);
      if (!found) throw new Error(`no button says "${words}" in: ${text()}`);
      return found;
    })
  ).click();

async function open(path: string) {
  const rootRoute = createRootRoute();
  const dashboard = createRoute({ getParentRoute: () => rootRoute, path: 'dashboard' });
  const chip = createRoute({ getParentRoute: () => rootRoute, path: 'chip', component: CoverChip });
  const router = createRouter({
    routeTree: rootRoute.addChildren([dashboard.addChildren([...areas.routes(dashboard)]), chip]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

const DETAIL = `/dashboard/areas/${missing.area_id}`;
const listed = () => asked.filter(call => call === 'GET /user/covers').length;

describe('a watched station without its units', () => {
  it('is said over the map until it is read, and again when it is without them anew', async () => {
    await open('/chip');
    await says('No Fire unit at Station 9');
    await press('Mark read');
    await vi.waitFor(() => expect(text()).not.toContain('No Fire unit'));
    root.unmount();
    root = createRoot(host);
    await open('/chip');
    await vi.waitFor(() => expect(listed()).toBe(2));
    expect(text()).not.toContain('No Fire unit');
    root.unmount();
    root = createRoot(host);
    const later = vary(missing, { since: '2026-11-21T10:09:00.000Z' });
    covers = () => answered('listCovers.missing', [later]);
    await open('/chip');
    await says('No Fire unit at Station 9');
  });

  it('is asked about again when an asset comes to a station, and not when one only moves', async () => {
    covers = () => answered('listCovers.missing', [vary(missing, { since: '2026-11-21T10:20:00.000Z' })]);
    liveStore.applyRows([rowAt('a', 0)], T0, T0, true);
    await open('/chip');
    await says('No Fire unit at Station 9');
    liveStore.applyRows([rowAt('a', 1)], T0 + 1, T0 + 1, true);
    expect(listed()).toBe(1);
    covers = () => replayed('listCovers.ok');
    liveStore.applyRows([rowAt('a', 2, { station_id: missing.area_id })], T0 + 2, T0 + 2, true);
    await vi.waitFor(() => expect(text()).not.toContain('No Fire unit'));
    expect(listed()).toBe(2);
  });

  it('stands in its row and in its detail, with the log of who was there', async () => {
    load(station);
    await open(DETAIL);
    for (const words of [
      'Here now',
      'No Fire unit at Station 9 since',
      'Watched: Fire',
      'Engine 9',
      'Still here',
      '00:02:00',
    ])
      await says(words);
    await press('Change');
    await press('Stop watching');
    await vi.waitFor(() => expect(asked).toContain(`DELETE /organization/exclusion_zone/${station.id}/cover`));
  });

  it('is watched from its detail', async () => {
    covers = () => replayed('listCovers.empty');
    load(station);
    await open(DETAIL);
    await press('Watch');
    await press('Save');
    await vi.waitFor(() => expect(asked).toContain(`PUT /organization/exclusion_zone/${station.id}/cover`));
  });
});

describe('station view', () => {
  const mapWith = () => {
    const state = createStore({ pinned: [] as readonly string[] });
    let rows: readonly MapArea[] = [];
    const map = {
      setRows: (_: unknown, next: readonly MapArea[]) => {
        rows = next;
      },
      getState: () => state.get() as unknown as MapState,
      subscribe: state.subscribe,
    } as unknown as MapControl;
    return {
      map,
      pin: (...pinned: string[]) => state.set({ pinned }),
      ids: () => rows.map(row => row.id),
      rows: () => rows,
    };
  };

  // spec: 2.map.19
  it('puts active stations on the map of every section; each stands for what is at it until it is pinned', () => {
    load(
      station,
      vary(station, { id: 'off', name: 'Off', is_active: false }),
      vary(station, { id: 'poi', name: 'Poi', ez_type: type('poi') }),
    );
    const { map, pin, ids } = mapWith();
    const stop = areasOn().bind(map, () => undefined);
    const folded = () => [...foldedStations.get()];
    expect([ids(), folded()]).toEqual([[], []]);
    setPreference('stationView', true);
    expect([ids(), folded()]).toEqual([[station.id], [station.id]]);
    pin(station.id);
    expect([ids(), folded()]).toEqual([[station.id], []]);
    pin();
    expect(folded()).toEqual([station.id]);
    patchView({ screens: 1 });
    expect([ids().length, folded()]).toEqual([3, [station.id]]);
    patchView({ search: 'poi' });
    expect([ids(), folded()]).toEqual([['poi'], []]); // nothing is folded into what is not shown
    patchView({ screens: 0, search: '' });
    expect(preferences.get().stationView).toBe(true);
    stop();
    expect(folded()).toEqual([]);
  });

  it('as a layer has all active areas behind the assets, but for stations that stand for what is at them', () => {
    load(
      station,
      vary(station, { id: 'off', name: 'Off', is_active: false }),
      vary(station, { id: 'poi', name: 'Poi', ez_type: type('poi') }),
    );
    const { map, rows } = mapWith();
    patchView({ search: 'nothing has this name' });
    const noun = areasOn(liveStore, true);
    const stop = noun.bind(map, () => undefined);
    const quiet = () => new Map(rows().map(row => [row.id, row.quiet]));
    expect([...quiet()].sort()).toEqual(
      [
        [station.id, true],
        ['poi', true],
      ].sort(),
    );
    expect(rows().some(row => row.contains(row))).toBe(false);
    setPreference('stationView', true);
    expect([quiet().get(station.id), quiet().get('poi')]).toEqual([false, true]);
    expect([...foldedStations.get()]).toEqual([station.id]);
    setPreference('stationView', false);
    expect(quiet().get(station.id)).toBe(true);
    expect([noun.path, noun.detail?.('poi')]).toEqual([undefined, '/dashboard/areas/poi']);
    stop();
  });
});

it('areas are found by a part of their names, at most three, those that begin so first', () => {
  const named = (id: string, name: string) => vary(area, { id, name, organization_id: 'o1' });
  load(
    named('f1', 'North Hospital'),
    named('f2', 'Hospital East'),
    named('f3', 'Old Hospital'),
    named('f4', 'Some Hospital'),
  );
  expect(findAreas('hosp').map(({ label }) => label)).toEqual(['Hospital East', 'North Hospital', 'Old Hospital']);
  expect(findAreas('hosp')[0]).toMatchObject({ path: '/dashboard/areas/f2' });
  expect(findAreas('nothing of this name')).toEqual([]);
});
