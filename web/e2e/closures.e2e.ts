// Closures on the real server: found, filtered, opened, switched on and off, given an end, deleted; a second browser agrees.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, heard, mapReady, row, type Server, signIn, until } from './harness';
import { HOME } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();
const PATH = '/organization/closure';
const HOUR_MS = 3_600_000;

interface ClosureRow {
  id: string;
  description: string;
  is_active: boolean;
  end_time: string | null;
}

const all = async (server: Server) => (await client(server)).get<ClosureRow[]>(PATH);
const one = async (name: string) => (await all(scene.server)).find(closure => closure.description === name);
const listed = (page: Page) => page.getByRole('treegrid', { name: 'Closures' }).getByRole('row');
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
/** A line of three points that begins so far from the middle of town. */
const line = (north: number, east: number) =>
  [0, 1, 2].map(i => ({ lat: HOME.lat + north + i * 0.0022, lng: HOME.lng + east - i * 0.0014 }));

beforeAll(async () => {
  const { post, remove } = await client(scene.server);
  for (const { id } of await all(scene.server)) await remove(`${PATH}/${id}`); // the demo's
  await post(PATH, {
    description: 'Gas main repair, right lane and shoulder closed',
    alert_message: 'Right lane closed, crew in the roadway',
    direction: 'N',
    road_name: 'N Market St',
    street_start: 'E 8th St',
    street_end: 'E 14th St',
    impacted_lanes: [3],
    total_lanes: 3,
    user_route: line(0, 0),
    is_active: true,
    end_time: inHours(8),
    is_wzdx_compliant: true,
    external_id: 'WFD-2026-00071',
    location_method: 'channel-device-method',
    vehicle_impact: 'some-lanes-closed',
  });
  await post(PATH, {
    description: 'Bridge inspection',
    direction: 'S',
    road_name: 'I-95',
    impacted_lanes: [1, 2],
    user_route: line(0.004, 0.006),
    is_active: false,
    start_time: inHours(24),
    end_time: inHours(30),
  });
  await post(PATH, {
    description: 'Sewer works',
    direction: 'E',
    road_name: 'W 9th St',
    user_route: line(-0.006, -0.004),
  });
  await post(PATH, { description: 'Yard gate', direction: 'W', is_in_service: false, user_route: line(-0.003, 0.006) });
});

// spec: 2.closures.01 4.filter.05 9.ui.03
it.each([
  ['larger screens', ['desktop', 'tablet']],
  ['a phone', ['phone']],
] as const)('closures are found, filtered and opened on %s', { timeout: 400_000 }, async (_, sizes) => {
  const isPhone = sizes[0] === 'phone';
  const { page } = await scene.open({ size: sizes[0], still: true });
  await page.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string) => void found.push(...(await everywhere(page, sizes, name)));
  await signIn(page, scene.server);
  await mapReady(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Closures' }).click();
  await until('those in service to be listed', async () => (await listed(page).count()) === 3);
  expect(await listed(page).first().textContent()).toContain('Active until');
  expect((await listed(page).first().boundingBox())?.height).toBe(70);
  await page.waitForFunction(() => !document.querySelector('[data-live-announcer] [role="img"]'));
  await see('closures');

  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByRole('checkbox', { name: /^Out-of-Service/ }).waitFor();
  await see('closures-filters');
  await page.getByText(/^Out-of-Service/).click();
  await page.keyboard.press('Escape');
  await until('the one out of service', async () => (await row(page, 'Yard gate').boundingBox())?.height === 90);
  await page.reload();
  await row(page, 'Yard gate').waitFor();
  await page.getByRole('radio', { name: 'Active only' }).click();
  await until('active alone', async () => (await listed(page).count()) === 1);
  await page.getByRole('searchbox', { name: 'Search for a Closure...' }).fill('sewer');
  await page.getByText('No results found.').waitFor();
  await page.getByRole('button', { name: 'Show all closures' }).click();
  await row(page, 'Sewer works').waitFor();
  await page.getByRole('button', { name: 'Clear search' }).first().click();

  await row(page, 'Gas main').click();
  const detail = page.getByRole('article', { name: 'Closure' });
  await detail.getByText('2 of 3 lanes open').waitFor();
  if (!isPhone)
    await page
      .locator('[data-map]')
      .getByRole('region', { name: /^Gas main/ })
      .waitFor();
  await see('closure');
  await detail.getByText('In the feeds as active').waitFor();
  await detail.getByRole('button', { name: 'Choose an end' }).click();
  await page.getByRole('dialog', { name: 'Change end time' }).waitFor();
  await see('closure-end');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(found).toEqual([]);
});

// spec: 2.closures.02 2.closures.03 4.toggle.01 4.toggle.02 4.toggle.03 4.filter.03
it('a closure is switched, given an end and deleted, and a second browser agrees', { timeout: 400_000 }, async () => {
  const [{ page: first }, { page: second }] = [await scene.open({ size: 'phone', still: true }), await scene.open()];
  await signIn(first, scene.server, 'admin', 'closures');
  await signIn(second, scene.server, 'admin', 'closures');
  const theirs = row(second, 'Sewer works');
  await theirs.waitFor();
  const mine = row(first, 'Sewer works');
  const flip = mine.locator('label').last();
  await flip.click();
  await until('the other browser to see it stand', async () => (await theirs.textContent())?.includes('Active until'));
  const end = Date.parse((await one('Sewer works'))?.end_time ?? '');
  expect(Math.abs(end - Date.now() - 24 * HOUR_MS)).toBeLessThan(HOUR_MS);
  await until('the switch to rest', async () => mine.locator('input[type=checkbox]').isEnabled());
  await flip.click();
  await until('the other browser to see it end', async () => (await theirs.textContent())?.includes('Standby ended'));
  expect((await one('Sewer works'))?.end_time).toBeNull();

  await mine.getByRole('button', { name: 'Choose an end for Sewer works' }).click();
  await first.getByRole('button', { name: '4 hours' }).click();
  await first.getByRole('button', { name: 'Activate', exact: true }).click();
  await heard(first, 'Closure activated');
  await until('it to stand again', async () => (await theirs.textContent())?.includes('Active until'));

  await mine.locator('b').first().click();
  await first.getByRole('button', { name: 'Delete Closure' }).click();
  await first.getByText('Are you sure you want to delete Closure?').waitFor();
  await first.getByRole('button', { name: 'Confirm' }).click();
  await heard(first, 'Closure deleted');
  await until('the other browser to let it go', async () => (await theirs.count()) === 0);
  expect(await one('Sewer works')).toBeUndefined();
  await first.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await heard(first, 'Change undone');
  await until('the other browser to have it back', async () => (await theirs.textContent())?.includes('Active until'));
  expect((await one('Sewer works'))?.is_active).toBe(true);
});
