// The line of a closure drawn in its form on the binary that ships: by mouse, by keys alone, and in a few taps of a phone.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, inject, it } from 'vitest';
import { client, heard, mapReady, signIn, until } from './harness';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { CENTER, findMap, freeRoom, lookAt, sendUnits } from './stage';

const scene = setScene();
const PATH = '/organization/closure';
/** Without the region's streets every line is straight. */
const hasRoads = inject('map') !== undefined;

interface Row {
  id: string;
  description: string;
  direction: string;
  is_active: boolean;
  user_route: { lat: number; lng: number }[];
  calculated_route: { lat: number; lng: number }[];
}

let page: Page;

beforeAll(() => sendUnits(scene.server));

const kept = async (description: string) =>
  (await (await client(scene.server)).get<Row[]>(PATH)).find(one => one.description === description);

/** Opens the form of a new closure, near enough to draw one. */
async function atNew(): Promise<void> {
  ({ page } = await scene.open({ still: true }));
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin', 'closures/new');
  await mapReady(page);
  await findMap(page);
  await lookAt(page, 15.6);
  await closeInstructions();
  await tools().waitFor();
}

/** How it is done comes first, until it is not wanted again. */
async function closeInstructions(): Promise<void> {
  await page.getByRole('dialog', { name: 'How to draw a closure' }).waitFor();
  await page.getByRole('button', { name: 'OK' }).focus();
  await page.keyboard.press('Enter');
}

const form = () => page.getByRole('form', { name: /Closure/ });
const tools = () => page.getByRole('region', { name: 'Drawing' });
const state = () =>
  page.evaluate(() => {
    const now = window.map.desk.open.get()?.state.get();
    return { points: [...(now?.draft.points ?? [])], closed: now?.draft.isClosed, guide: [...(now?.guide ?? [])] };
  });
const count = (n: number, closed: boolean) =>
  until(`${n} points, ${closed ? 'closed' : 'open'}`, async () => {
    const now = await state();
    return now.points.length === n && now.closed === closed;
  });
/** The line that stands is that of the points that stand. */
const routed = () =>
  form()
    .getByText(/^\d points, [\d.]+ (mi|ft|km|m)\.$/)
    .waitFor();

/** The closure as the server keeps it is what stood on the map. */
async function expectKept(name: string, points: number): Promise<Row> {
  const row = await kept(name);
  if (!row) throw new Error(`no closure ${name}`);
  expect(row.user_route).toHaveLength(points);
  if (hasRoads) expect(row.calculated_route.length).toBeGreaterThan(points);
  expect(['N', 'E', 'S', 'W']).toContain(row.direction);
  expect(row.is_active).toBe(true);
  return row;
}

// spec: 2.closures.01 3.clos.03 7.other.02 7.closure.02 7.closure.03
it('by mouse: three points, one dragged; saved, edited, deleted', { timeout: 400_000 }, async () => {
  await atNew();
  const room = await freeRoom(page);
  const [x, y] = [room.right - 220, (room.top + room.bottom) / 2];
  const at = [
    [x - 90, y + 90],
    [x, y],
    [x + 80, y - 100],
  ] as const;
  for (const [right, down] of at) await page.mouse.click(right, down);
  await count(3, false);
  await page.mouse.click(...at[2]);
  await count(3, true);
  await routed();
  const before = await state();
  if (hasRoads) expect(before.guide.length).toBeGreaterThan(3);
  await page.mouse.move(...at[1]);
  await page.mouse.down();
  await page.mouse.move(at[1][0] + 12, at[1][1] + 10);
  await page.mouse.move(at[1][0] + 50, at[1][1] + 40, { steps: 4 });
  await page.mouse.up();
  await until('the line to follow', async () => {
    const now = await state();
    return now.guide.length > 1 && JSON.stringify(now.guide) !== JSON.stringify(before.guide);
  });
  await routed();
  await form().getByRole('textbox', { name: 'Description' }).fill('By mouse');
  await form().getByRole('button', { name: '2 h' }).click();
  await form().getByRole('button', { name: 'Lane 3 closed' }).click();
  expect(await everywhere(page, ['desktop', 'tablet'], 'closure-form')).toEqual([]);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await heard(page, 'Closure added');
  const { id, calculated_route } = await expectKept('By mouse', 3);

  await page.getByRole('link', { name: 'Edit Closure' }).click();
  await page.waitForURL(url => url.pathname === `/dashboard/closures/${id}/edit`);
  await closeInstructions();
  await until('the line that was saved', async () => (await state()).guide.length === calculated_route.length);
  await form().getByRole('textbox', { name: 'Alert Message' }).fill('Right lane closed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heard(page, 'Closure saved');
  expect((await kept('By mouse'))?.calculated_route).toEqual(calculated_route);
  await page.getByRole('button', { name: 'Delete Closure' }).click();
  await page.getByText('Are you sure you want to delete Closure?').waitFor();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await heard(page, 'Closure deleted');
  expect(await kept('By mouse')).toBeUndefined();
});

it('in at most 8 taps on a phone', { timeout: 400_000 }, async () => {
  ({ page } = await scene.open({ still: true, size: 'phone', touch: true }));
  await page.addInitScript({ path: axe });
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation({ latitude: CENTER.lat, longitude: CENTER.lng });
  await signIn(page, scene.server, 'admin', 'closures');
  await mapReady(page);
  let taps = 0;
  const tap = async (target: Locator) => {
    await target.tap();
    taps++;
  };
  const zoom = page.getByRole('button', { name: 'Zoom to Add' });
  const add = page.getByRole('button', { name: '+ Add' });
  await zoom.or(add).waitFor();
  if (await zoom.isVisible()) await tap(zoom);
  await tap(add);
  const chosen = (group: string, name: string | RegExp) =>
    page.getByRole('radiogroup', { name: group }).getByRole('radio', { name });
  await tap(chosen('Where it starts', 'My location'));
  await tap(chosen('Length', '500 m'));
  await chosen('Direction of traffic', /bound$/)
    .first()
    .waitFor();
  await tap(chosen('Direction of traffic', /bound$/).first());
  await tap(chosen('Ends', '4 h'));
  expect(await everywhere(page, ['phone'], 'closure-quick')).toEqual([]);
  await tap(page.getByRole('button', { name: 'Activate' }));
  await heard(page, 'Closure added');
  expect(taps).toBeLessThanOrEqual(8);
  const rows = await (await client(scene.server)).get<Row[]>(PATH);
  const made = rows.find(one => /^(Closure on|Road closure)/.test(one.description));
  expect(made?.is_active).toBe(true);
  expect(made?.calculated_route.length).toBeGreaterThan(1);
});
