// The shape of an area drawn in its form on the binary that ships: by mouse, by touch, by keys alone.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, heard, mapReady, type Server, signIn, sizes, until } from './harness';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { findMap, freeRoom, lookAt, sendUnits } from './stage';

const scene = setScene();
const PATH = '/organization/exclusion_zone';
type Px = readonly [right: number, down: number];

/** Six corners around a place of the map, clear of the panels. */
const CORNERS: readonly Px[] = [
  [-70, -60],
  [40, -80],
  [90, -10],
  [60, 65],
  [-30, 80],
  [-90, 30],
];

let page: Page;
let middle: Px;

beforeAll(() => sendUnits(scene.server));

/** Opens the form of a new area, near enough to draw one. `press` is how this hand presses a button. */
async function atNewArea(
  press: (target: Locator) => Promise<void>,
  options: { size?: 'tablet'; touch?: boolean } = {},
) {
  ({ page } = await scene.open({ still: true, ...options }));
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin', 'areas');
  await mapReady(page);
  await findMap(page);
  await lookAt(page, 15.6);
  await press(page.getByRole('button', { name: '+ Add' }));
  await page.waitForURL(/\/dashboard\/areas\/new(\?|$)/);
  // How it is done comes first, once.
  await page.getByRole('dialog', { name: 'How to draw an area' }).waitFor();
  await press(page.getByRole('button', { name: 'OK' }));
  await tools().waitFor();
  const room = await freeRoom(page);
  middle = [room.right - 190, (room.top + room.bottom) / 2];
}

const tools = () => page.getByRole('region', { name: 'Drawing' });
const tool = (name: string) => tools().getByRole('button', { name, exact: true });
const save = () => page.getByRole('button', { name: 'Add', exact: true });
const at = (corner = 0): [x: number, y: number] => {
  const [right, down] = CORNERS[corner] ?? [0, 0];
  return [Math.round(middle[0] + right), Math.round(middle[1] + down)];
};

const draft = () => page.evaluate(() => window.map.desk.open.get()?.state.get().draft);
const points = async () => (await draft())?.points.map(({ lat, lng }) => [lng, lat]) ?? [];
const count = (n: number, isClosed: boolean) =>
  until(`${n} points, ${isClosed ? 'closed' : 'open'}`, async () => {
    const now = await draft();
    return now?.points.length === n && now.isClosed === isClosed;
  });
const selected = (index: number) =>
  until(`point ${index + 1} to be chosen`, () =>
    page.evaluate(n => window.map.desk.open.get()?.state.get().selected === n, index),
  );
const moved = (index: number, before: number[][]) =>
  until(`point ${index + 1} to move`, async () => (await points())[index]?.join() !== before[index]?.join());

/** The area as the server keeps it has the outline that stands on the map. */
async function expectKept(server: Server, name: string, outline: number[][]): Promise<void> {
  await heard(page, 'Area added');
  type Row = { name: string; area_geom: { type: string; coordinates: number[][][] } };
  const row = (await (await client(server)).get<Row[]>(PATH)).find(one => one.name === name);
  expect(row?.area_geom).toEqual({ type: 'Polygon', coordinates: [[...outline, outline[0]]] });
}

type Finger = { x: number; y: number };
/** Fingers on the screen, as the system tells the browser of them. */
async function fingers() {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Finger[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  const at = ([x, y]: readonly [number, number], id: number) => ({ x, y, id });
  return {
    down: (...places: (readonly [number, number])[]) => send('touchStart', places.map(at)),
    move: (...places: (readonly [number, number])[]) => send('touchMove', places.map(at)),
    up: (...left: (readonly [number, number])[]) => send('touchEnd', left.map(at)),
  };
}
const view = () =>
  page.evaluate(() => {
    const map = window.map.engineMap();
    if (!map) throw new Error('no map');
    return { zoom: map.getZoom(), ...map.getCenter() };
  });
/** Lets the map go; it may coast for a while. Whoever listens only then may come after it has rested. */
async function letGo(hand: Awaited<ReturnType<typeof fingers>>): Promise<void> {
  const map = await page.evaluateHandle(() => {
    const state = { rests: false };
    window.map.engineMap()?.once('moveend', () => {
      state.rests = true;
    });
    return state;
  });
  await hand.up();
  await until('the map to rest', () => map.evaluate(({ rests }) => rests));
}
/** Where a point stands on the screen: it may have snapped to an area beside it. */
async function standsAt(index: number): Promise<readonly [number, number]> {
  const [lng = 0, lat = 0] = (await points())[index] ?? [];
  return page.evaluate(
    ({ lng, lat }) => {
      const map = window.map.engineMap();
      if (!map) throw new Error('no map');
      const { left, top } = map.getCanvas().getBoundingClientRect();
      const { x, y } = map.project([lng, lat]);
      return [left + x, top + y] as const;
    },
    { lng, lat },
  );
}
const beside = ([x, y]: readonly [number, number], right: number, down: number) => [x + right, y + down] as const;

// spec: 2.areas.04
it('by touch: six points, one moved, one deleted, undone and redone', { timeout: 400_000 }, async () => {
  await atNewArea(target => target.tap(), { size: 'tablet', touch: true });
  await page.getByRole('textbox', { name: 'Name' }).fill('Drawn by touch');
  const hand = await fingers();
  const before = await view();
  await page.touchscreen.tap(...at(0));
  // Twice in one place is one point, and the map does not zoom.
  await page.touchscreen.tap(...at(1));
  await page.touchscreen.tap(...at(1));
  await count(2, false);
  for (const corner of [2, 3, 4]) await page.touchscreen.tap(...at(corner));
  await count(5, false);

  // Two fingers are the map's: they zoom and pan, and set no point, also where one of them rests.
  await hand.down(at(5));
  await hand.down(at(5), beside(at(5), 120, 0));
  await hand.move(at(5), beside(at(5), 150, 0));
  await hand.move(at(5), beside(at(5), 180, 0));
  await letGo(hand);
  expect((await view()).zoom).toBeGreaterThan(before.zoom + 0.2);
  await count(5, false);
  await lookAt(page, 15.6);
  await page.touchscreen.tap(...at(5));
  await count(6, false);
  await tool('Finish').tap();
  await count(6, true);
  const drawn = await points();

  // A second finger takes the point out of the first one's hold: it is where it was.
  await hand.down(at(2));
  await hand.move(beside(at(2), -20, 20));
  await hand.move(beside(at(2), -30, 30));
  await until('the point to follow', () => page.evaluate(() => window.map.desk.open.get()?.state.get().live !== null));
  await hand.down(beside(at(2), -30, 30), beside(at(2), -150, 30));
  await hand.move(beside(at(2), -30, 60), beside(at(2), -150, 60));
  await hand.move(beside(at(2), -30, 90), beside(at(2), -150, 90));
  await letGo(hand);
  expect((await view()).lat).toBeGreaterThan(before.lat + 1e-4);
  expect(await points()).toEqual(drawn);
  await lookAt(page, 15.6);

  // 20 px beside the vertex: within its 44 px. The finger that held it may rest before.
  const held = await view();
  const third = await standsAt(2);
  await hand.down(beside(third, 14, 14));
  await page.evaluate(() => {
    const canvas = window.map.engineMap()?.getCanvas();
    canvas?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  });
  for (const step of [12, 24, 36]) await hand.move(beside(third, 14 - step, 14 + step));
  await hand.up();
  await moved(2, drawn);
  const whole = await points();
  expect(await view()).toEqual(held);
  await page.touchscreen.tap(...(await standsAt(4)));
  await selected(4);
  await count(6, true);
  for (const name of ['Undo', 'Redo', 'Delete point', 'Finish', 'Points']) {
    const box = await tool(name).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
  }
  await tool('Delete point').tap();
  await count(5, true);
  const left = await points();
  await tool('Undo').tap();
  await count(6, true);
  expect(await points()).toEqual(whole);
  await tool('Redo').tap();
  await count(5, true);
  expect(await everywhere(page, ['tablet', 'desktop'], 'area-draw-touch')).toEqual([]);
  await page.setViewportSize(sizes.tablet);
  await save().tap();
  await expectKept(scene.server, 'Drawn by touch', left);
});
