// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { answered, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { at, rowAt, T0 } from '~/live/testing';
import type { MapControl } from '~/map/types';
import { mapHolder } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { byText, load, openThings, says, see, stageThings, text } from './testing';

stageThings('o1');

const PLACE = { lat: 39.7447, lng: -75.5484 };
const PATH = '/dashboard/things?near=39.7447,-75.5484';
const SEVEN_MILES = 11_265;
const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;
let asked: Schemas['DirectionsAsked'][];
const aim = vi.fn();
const fitBounds = vi.fn();

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  asked = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (!url.includes('/directions')) return replayed('searchPlaces.empty');
    asked.push(JSON.parse(String(init.body)));
    return answered('findDirections.ok', { distance_m: SEVEN_MILES });
  });
  aim.mockClear();
  fitBounds.mockClear();
});

function signIn(...permissions: string[]): void {
  const profile = profileOf(profileWith({ timezone: 'UTC' }, {}, { permissions: ['thing:read', ...permissions] }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
}

const mapWith = (hasRoads: boolean) =>
  mapHolder.set({
    subscribe: () => () => undefined,
    getState: () => ({ hasRoads }),
    aim,
    fitBounds,
    goTo: () => undefined,
  } as unknown as MapControl);

/** Units north of the place: the nearest two were heard long ago, one is off duty. */
function loadUnits(): void {
  const unit = (n: number, north: number, more: object = {}) =>
    rowAt(id(n), 0, {
      nickname: `Engine ${n}`,
      lat: PLACE.lat + north,
      lng: PLACE.lng,
      stale_at: at(600_000),
      ...more,
    });
  load(
    unit(1, 0.02),
    unit(2, 0.001, { heartbeat_datetime: at(-7_200_000), stale_at: at(-7_000_000) }),
    unit(3, 0.004, { in_service: false }),
    unit(4, 0.01),
    ...[5, 6, 7, 8].map(n => unit(n, n / 100)),
  );
}

const rows = (label: string) =>
  [...document.querySelectorAll<HTMLElement>(`ol[aria-label="${label}"] li`)].map(row => row.textContent ?? '');
const names = (label: string) => rows(label).map(row => row.slice(0, 'Engine 1'.length));

it('lists who is heard by distance, then those whose place is old, and says so', async () => {
  signIn();
  mapWith(false);
  loadUnits();
  await openThings(PATH, 'Nearest units');
  await says('39.7447, -75.5484');
  expect(names('Units that are heard')).toEqual([4, 1, 5, 6, 7, 8].map(n => `Engine ${n}`));
  expect(rows('Units that are heard')[0]).toMatch(/heard now0\.69 mi$/);
  expect(names('Units not heard lately')).toEqual(['Engine 2']);
  expect(rows('Units not heard lately')[0]).toContain('last heard 2 h ago');
  expect(byText('section', 'Not heard lately').textContent).toContain('They may be elsewhere now.');
  expect(text()).not.toContain('Engine 3');
  await see(() => expect(aim.mock.calls[0]).toEqual([PLACE]));
  expect(fitBounds).toHaveBeenCalledTimes(1);
  expect(asked).toEqual([]);
});

it('says the way along roads for five at most, where the server knows roads and the user may ask', async () => {
  signIn('closure:create');
  mapWith(true);
  loadUnits();
  await openThings(PATH, 'Nearest units');
  await see(() => expect(text().match(/7\.0 mi by road/g)).toHaveLength(5));
  expect(asked).toHaveLength(5);
  expect(asked[0]?.waypoints?.[1]).toEqual(PLACE);
});

it('opens a unit, and goes back to the whole list', async () => {
  signIn();
  mapWith(false);
  loadUnits();
  const router = await openThings(PATH, 'Engine 4');
  byText('a', 'Engine 4').click();
  await see(() => expect(router.state.location.pathname).toBe(`/dashboard/things/${id(4)}`));
  router.history.back();
  await says('Nearest units');
  byText('button', 'Live').click();
  await see(() => expect(router.state.location.href).toBe('/dashboard/things'));
  await see(() => expect(aim.mock.lastCall).toEqual([null]));
});

it('says that there is nobody', async () => {
  signIn();
  mapWith(false);
  load();
  await openThings(PATH, 'No unit in service has a place.');
});

it('is the whole list where the address says no place', async () => {
  signIn();
  load();
  await openThings('/dashboard/things?near=here', 'Alerting only');
  expect(text()).not.toContain('Nearest units');
});
