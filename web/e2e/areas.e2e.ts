// Areas on the real server: the list, one area, who is in it, and their marks on the map, at a desk and on a phone.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, heard, ingest, mapReady, register, row, type Server, signIn, until } from './harness';
import { HOME, point } from './journey';
import { axe, both, everywhere } from './look';
import { setScene } from './scene';
import { findMap } from './stage';

const scene = setScene();
const PATH = '/organization/exclusion_zone';

interface AreaRow {
  id: string;
  name: string;
  ez_type: { db_name: string };
}

const typeId = async (server: Server, name: string) =>
  (await (await client(server)).get<{ id: string; db_name: string }[]>('/ez_types')).find(t => t.db_name === name)?.id;

/** A square about a place, so many degrees to each side. */
const square = (lat: number, lng: number, by: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [lng - by, lat - by],
      [lng + by, lat - by],
      [lng + by, lat + by],
      [lng - by, lat + by],
      [lng - by, lat - by],
    ],
  ],
});

/** A station with three assets, a place with one, an exclusion and a slow zone without, one of them inactive. */
async function sendAreas(server: Server): Promise<void> {
  await register(
    server,
    ['Engine', 'Ladder', 'Rescue', 'Truck'].map((name, i) => ({
      haas_id: `HA7-0606${i}`,
      nickname: `Area ${name}`,
      thing_type: 'fire',
      device_type: 'ha7',
    })),
  );
  const away = { lat: HOME.lat + 0.004, lng: HOME.lng + 0.004 };
  await ingest(server, [
    ...[0, 1, 2].map(i => point(`HA7-0606${i}`, 5, { lng: HOME.lng + i * 0.0002 })),
    point('HA7-06063', 5, away),
  ]);
  const { post } = await client(server);
  const make = async (name: string, type: string, more: object) =>
    post(PATH, { name, ez_type_id: await typeId(server, type), ...more });
  const at = (lat: number, lng: number) => ({ point_geom: { lat, lon: lng } });
  await make('Harbor Station', 'station', {
    ...at(HOME.lat, HOME.lng),
    radius_dist: 120,
    desc: 'Engine, Ladder, Rescue',
  });
  await make('Corner Depot', 'poi', { ...at(away.lat, away.lng), radius_dist: 60 });
  const [lat, lng] = [HOME.lat - 0.003, HOME.lng + 0.003];
  await make('Bridge Works', 'no_enter', { ...at(lat, lng), area_geom: square(lat, lng, 0.001) });
  const slow = [HOME.lat - 0.002, HOME.lng - 0.004] as const;
  await make('Elm Street', 'slow_zone', { ...at(...slow), area_geom: square(...slow, 0.0012), is_active: false });
}

const all = async (server: Server) => (await client(server)).get<AreaRow[]>(PATH);
const grid = (page: Page) => page.getByRole('treegrid', { name: 'Areas' });
const listed = async (page: Page) => Number(await grid(page).getAttribute('aria-rowcount'));

beforeAll(() => sendAreas(scene.server));

// spec: 2.areas.01 2.areas.03 2.mob.05 2.map.17 2.things.05 9.ui.03
it('areas are found, opened, saved and jumped to on a phone', { timeout: 400_000 }, async () => {
  const { page } = await scene.open({ size: 'phone', still: true });
  await page.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string) => void found.push(...(await both(page, 'phone', name)));
  const station = (await all(scene.server)).find(one => one.name === 'Harbor Station');

  await signIn(page, scene.server);
  await mapReady(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Areas' }).click();
  const rows = await all(scene.server);
  const { length: total } = rows;
  await until('all to be listed', async () => (await listed(page)) === total);
  const box = await grid(page).getByRole('row').first().boundingBox();
  expect(box?.height).toBe(75);
  expect(await row(page, 'Harbor Station').textContent()).toContain('Station ^');
  expect(await row(page, 'Harbor Station').textContent()).toContain('3 Assets');
  expect(await row(page, 'Corner Depot').textContent()).toContain('1 Asset');
  expect(await row(page, 'Elm Street').textContent()).toContain('inactive');
  await page.waitForFunction(() => !document.querySelector('[data-live-announcer] [role="img"]'));
  await see('areas');

  await page.getByRole('button', { name: 'Area Types' }).click();
  const choice = page.getByRole('checkbox', { name: /^Station \^/ });
  await choice.waitFor();
  await see('areas-types');
  await page.keyboard.press('Escape');
  await row(page, 'Harbor Station').click();
  await page.waitForURL(new RegExp(`/dashboard/areas/${station?.id}(\\?|$)`));
  const detail = page.getByRole('article', { name: 'Area' });
  for (const text of ['Here now: 3 Assets', 'Description', 'Address', 'Coordinates', 'Radius', 'Last Changed'])
    await detail.getByText(text, { exact: true }).first().waitFor();
  await detail.getByRole('link', { name: 'Area Ladder' }).waitFor();
  await mapReady(page);
  await detail.getByRole('button', { name: 'Save area' }).click();
  await see('area');
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/dashboard\/areas(\?|$)/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Live' }).click();
  await findMap(page, []);
  const jump = page.getByRole('combobox', { name: 'Jump to your saved areas...' });
  await jump.click();
  await page.getByRole('option', { name: /Harbor Station/ }).waitFor();
  await see('saved-areas');
  await jump.fill('harb');
  await jump.press('Enter');
  // It is the whole of the map now: 120 m around.
  await until('the map to be there', async () => {
    const view = await page.evaluate(() => window.map.view());
    const { lat, lng } = view?.center ?? { lat: 0, lng: 0 };
    return (view?.zoom ?? 0) > 15 && Math.hypot(lat - HOME.lat, lng - HOME.lng) < 0.003;
  });
  expect(found).toEqual([]);
});

// spec: 2.map.07 2.areas.04 5.area.04 7.area.03 7.area.04 7.area.05 8.dialog.01 4.filter.03 9.map.01
it('an area is made, edited and deleted, and a second browser agrees', { timeout: 400_000 }, async () => {
  const [{ page: first }, { page: second }] = [await scene.open({ still: true }), await scene.open({ still: true })];
  await first.addInitScript({ path: axe });
  await signIn(first, scene.server, 'admin', 'areas');
  await signIn(second, scene.server, 'admin', 'areas');
  await row(second, 'Harbor Station').waitFor();
  const found: string[] = [];
  const see = async (name: string) => void found.push(...(await everywhere(first, ['desktop', 'tablet'], name)));
  await findMap(first, []);
  await see('areas');
  await row(first, 'Harbor Station').click();
  const card = first.locator('[data-map]').getByRole('region', { name: 'Harbor Station' });
  await card.getByText('3 Assets').waitFor();
  expect((await card.locator('dl').boundingBox())?.height).toBeLessThanOrEqual(200);
  await see('area');
  await first.keyboard.press('Escape');
  await first.evaluate(home => window.map.goTo(home, 14), HOME); // what is reported so far may be within a block

  await first.getByRole('button', { name: 'Zoom to Add' }).click();
  await first.getByRole('button', { name: '+ Add' }).click();
  await first.waitForURL(/\/dashboard\/areas\/new(\?|$)/);
  await first.getByRole('button', { name: 'OK' }).click();
  await first.getByRole('textbox', { name: 'Name' }).fill('Journey Zone');
  const addPoint = async (n: number, place: string) => {
    await first.getByRole('button', { name: /^Add point/ }).click();
    const typed = first.getByRole('textbox', { name: `Point ${n}: latitude, longitude` });
    await typed.fill(place);
    await typed.press('Enter');
  };
  await addPoint(1, '39.7, -75.5');
  await addPoint(2, '39.701, -75.5');
  await first.getByRole('button', { name: 'Add', exact: true }).click();
  await first.getByText('Exclusions must have at least 3 points').waitFor();
  await addPoint(3, '39.701, -75.499');
  await see('area-new');
  await first.getByRole('button', { name: 'Add', exact: true }).click();
  await heard(first, 'Area added');
  await until('the other browser to list it', () => row(second, 'Journey Zone').isVisible());

  await first.getByRole('link', { name: 'Edit Area' }).click();
  await first.getByRole('button', { name: 'OK' }).click();
  await first.getByRole('textbox', { name: 'Name' }).fill('Journey Works');
  await first.getByRole('button', { name: 'Save', exact: true }).click();
  await heard(first, 'Area saved');
  await until('the other browser to rename it', () => row(second, 'Journey Works').isVisible());

  await first.getByRole('button', { name: 'Delete Area' }).click();
  await first.getByText('Are you sure you want to delete Area?').waitFor();
  await first.getByRole('button', { name: 'Confirm' }).click();
  await heard(first, 'Area deleted');
  await until('the other browser to let it go', async () => (await row(second, 'Journey Works').count()) === 0);
  expect((await all(scene.server)).some(one => one.name.startsWith('Journey'))).toBe(false);
  expect(found).toEqual([]);
});
