// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { answered, recorded, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { createStore } from '~/lib/store';
import { stubBrowser } from '~/lib/testing';
import { T0 } from '~/live/testing';
import type { FoundPin, LatLng, MapControl } from '~/map/types';
import { byText, host, press, says, see, stageSection } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { open } from './testing';

stageSection('o1');

const PIN: FoundPin = {
  lat: 39.744422,
  lng: -75.5450914,
  label: 'North Walnut Street & East 10th Street',
  near: 'Wilmington',
};
const MIDDLE = { lat: 39.7402, lng: -75.5516 };
const MOVED = { lat: 39.7416, lng: -75.5492 };
const [CONFLICT] = recorded('checkClosure.ok').data.conflicts;

let state: ReturnType<typeof createStore<{ zoom: number; found: FoundPin | null; phase: string }>>;
let aims: ('middle' | LatLng | null)[];
let middle: LatLng;
let moved: (to: LatLng) => void;
let starts: unknown[];
let checks: Schemas['ClosureWrite'][];
let posts: Schemas['ClosureWrite'][];
let check: () => Response;

beforeEach(() => {
  stubBrowser(() => ({ width: 390, pointer: 'coarse' }));
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  state = createStore<{ zoom: number; found: FoundPin | null; phase: string }>({
    zoom: 16,
    found: null,
    phase: 'ready',
  });
  [aims, starts, checks, posts] = [[], [], [], []];
  middle = MIDDLE;
  moved = () => undefined;
  check = () => replayed('checkClosure.nothing');
  mapHolder.set({
    subscribe: state.subscribe,
    getState: state.get,
    view: () => ({ center: { lat: 0, lng: 0 }, middle, zoom: 16 }),
    on: (event: string, listener: (to: LatLng) => void) => {
      if (event === 'middle') moved = listener;
      return () => undefined;
    },
    aim: (at: LatLng | 'middle' | null) => aims.push(at),
    goTo: () => undefined,
    select: () => undefined,
    setMarked: () => undefined,
    openDrawing: () => new Promise(() => undefined),
  } as unknown as MapControl);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const body = init.body ? JSON.parse(String(init.body)) : {};
    if (url.endsWith('/directions')) {
      starts.push(body.waypoints[0]);
      const [first, ...rest] = recorded('findDirections.ok').data.route;
      // Back along the road: the other way round.
      const route = body.heading_deg < 90 ? [first, ...rest] : [...rest].reverse();
      return answered('findDirections.ok', { route: route as LatLng[] });
    }
    if (url.endsWith('/check')) {
      checks.push(body);
      return check();
    }
    if (init.method === 'POST') posts.push(body);
    return init.method === 'POST' ? replayed('createClosure.ok') : replayed('getClosure.not_found');
  });
});

const PERMISSIONS = ['thing:read', 'closure:read', 'mobile:closure:create'];
const start = () => open('/dashboard/closures/new', 'Where it starts', PERMISSIONS);
const at = ({ lat, lng }: LatLng) => ({ lat: Number(lat.toFixed(5)), lng: Number(lng.toFixed(5)) });
const chosen = () =>
  [...host.querySelectorAll('[role=radiogroup][aria-label="Where it starts"] [role=radio]')].map(one => [
    one.textContent,
    one.getAttribute('aria-checked') ?? String((one as HTMLInputElement).checked),
  ]);
const isChosen = (name: string) => see(() => expect(chosen().find(([label]) => label === name)?.[1]).toBe('true'));

it('starts in the middle of what is seen of the map, which is marked, and follows it', async () => {
  await start();
  await isChosen('Center of the map');
  await see(() => expect(starts.at(-1)).toEqual(at(MIDDLE)));
  expect(aims).toEqual(['middle']);
  moved(MOVED);
  await see(() => expect(starts.at(-1)).toEqual(at(MOVED)));
  expect(chosen().map(([label]) => label)).toEqual(['Center of the map', 'My location']);
});

it('starts at the pin of what was looked for, unless something else is chosen', async () => {
  state.set(now => ({ ...now, found: PIN }));
  await start();
  await isChosen('Pin');
  await see(() => expect(starts.at(-1)).toEqual(at(PIN)));
  expect(aims).toEqual([]);
  await press('[role=radio]', 'Center of the map');
  await see(() => expect(starts.at(-1)).toEqual(at(MIDDLE)));
  const other = { ...PIN, lat: 39.75 };
  state.set(now => ({ ...now, found: other }));
  await isChosen('Pin');
  await see(() => expect(starts.at(-1)).toEqual(at(other)));
  state.set(now => ({ ...now, found: null }));
  await isChosen('Center of the map');
});

it('says what it overlaps, with the way there, before it is added all the same', async () => {
  if (!CONFLICT) throw new Error('the recording has no conflict');
  check = () => replayed('checkClosure.ok');
  const router = await start();
  await press('[role=radio]', 'bound');
  await says(`Overlaps “${CONFLICT.description}” of ${CONFLICT.source}`);
  expect(checks.at(-1)).toMatchObject({ organization_id: 'o1', is_active: true });
  await press('button', 'Add Anyway');
  await see(() => expect(posts).toHaveLength(1));
  expect(posts[0]?.uuid).toBe(checks[0]?.uuid);
  await see(() => expect(router.state.location.pathname).toBe(`/dashboard/closures/${posts[0]?.uuid}`));
});

it('opens what it overlaps', async () => {
  if (!CONFLICT) throw new Error('the recording has no conflict');
  check = () => replayed('checkClosure.ok');
  const router = await start();
  await press('[role=radio]', 'bound');
  await press('button', 'Open It');
  await see(() => expect(router.state.location.pathname).toBe(`/dashboard/closures/${CONFLICT.id}`));
  expect(posts).toEqual([]);
});

it('asks nothing where nothing overlaps', async () => {
  await start();
  await press('[role=radio]', 'bound');
  await see(() => expect(checks).toHaveLength(1));
  await see(() => expect(byText('button', 'Activate').hasAttribute('disabled')).toBe(false));
  byText('button', 'Activate').click();
  await see(() => expect(posts).toHaveLength(1));
});
