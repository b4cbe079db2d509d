// Closures on the real server: opened, switched on and off, given an end, deleted; a second browser agrees.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, heard, row, type Server, signIn, until } from './harness';
import { HOME } from './journey';
import { axe, both, everywhere } from './look';
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

// spec: 2.closures.01 2.closures.02 2.closures.03 4.toggle.01 4.toggle.02 4.toggle.03 4.filter.03
it('a closure is switched, given an end and deleted, and a second browser agrees', { timeout: 400_000 }, async () => {
  const [{ page: first }, { page: second }] = [
    await scene.open({ size: 'phone', still: true }),
    await scene.open({ still: true }),
  ];
  for (const page of [first, second]) await page.addInitScript({ path: axe });
  const found: string[] = [];
  const seeFirst = async (name: string) => void found.push(...(await both(first, 'phone', name)));
  const seeSecond = async (name: string) => void found.push(...(await everywhere(second, ['desktop', 'tablet'], name)));
  await signIn(first, scene.server, 'admin', 'closures');
  await signIn(second, scene.server, 'admin', 'closures');
  const theirs = row(second, 'Sewer works');
  await theirs.waitFor();
  const mine = row(first, 'Sewer works');
  await until('those in service to be listed', async () => (await listed(first).count()) === 3);
  expect((await listed(first).first().boundingBox())?.height).toBe(70);
  await seeFirst('closures');
  await seeSecond('closures');
  await second.getByRole('button', { name: /^Filters/ }).click();
  await second.getByRole('checkbox', { name: /^Out-of-Service/ }).waitFor();
  await seeSecond('closures-filters');
  await second.keyboard.press('Escape');
  const flip = mine.locator('label').last();
  await flip.click();
  await until('the other browser to see it stand', async () => (await theirs.textContent())?.includes('Active until'));
  const end = Date.parse((await one('Sewer works'))?.end_time ?? '');
  expect(Math.abs(end - Date.now() - 24 * HOUR_MS)).toBeLessThan(HOUR_MS);
  await until('the switch to rest', async () => mine.locator('input[type=checkbox]').isEnabled());
  await flip.click();
  await until('the other browser to see it end', async () => (await theirs.textContent())?.includes('Standby ended'));
  expect((await one('Sewer works'))?.end_time).toBeNull();

  await mine.getByRole('button', { name: 'Set end time for Sewer works' }).click();
  await first.getByRole('dialog', { name: 'Activate until' }).or(first.getByRole('dialog')).first().waitFor();
  await seeFirst('closure-end');
  await first.getByRole('button', { name: '4 hours' }).click();
  await first.getByRole('button', { name: 'Activate', exact: true }).click();
  await heard(first, 'Closure activated');
  await until('it to stand again', async () => (await theirs.textContent())?.includes('Active until'));

  await row(second, 'Gas main').click();
  const detail = second.getByRole('article', { name: 'Closure' });
  await detail.getByText('2 of 3 lanes open').waitFor();
  await detail.getByText('In the feeds as active').waitFor();
  await second
    .locator('[data-map]')
    .getByRole('region', { name: /^Gas main/ })
    .waitFor();
  await seeSecond('closure');
  await second.keyboard.press('Escape');
  await theirs.waitFor();

  await mine.locator('b').first().click();
  await first.getByRole('article', { name: 'Closure' }).waitFor();
  await seeFirst('closure');
  await first.getByRole('button', { name: 'Delete Closure' }).click();
  await first.getByText('Are you sure you want to delete Closure?').waitFor();
  await first.getByRole('button', { name: 'Confirm', exact: true }).click();
  await heard(first, 'Closure deleted');
  await until('the other browser to let it go', async () => (await theirs.count()) === 0);
  expect(await one('Sewer works')).toBeUndefined();
  await first.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await heard(first, 'Change undone');
  await until('the other browser to have it back', async () => (await theirs.textContent())?.includes('Active until'));
  expect((await one('Sewer works'))?.is_active).toBe(true);
  expect(found).toEqual([]);
});

it('a change of one field leaves what others have written of the others meanwhile', async () => {
  const { page } = await scene.open({ still: true });
  await signIn(page, scene.server, 'admin', 'closures');
  await row(page, 'Bridge inspection').click();
  await page.getByRole('article', { name: 'Closure' }).getByRole('link', { name: 'Edit Closure' }).click();
  await page.getByRole('dialog', { name: 'How to draw a closure' }).waitFor();
  await page.keyboard.press('Escape');
  const message = page.getByRole('textbox', { name: /^Alert Message/ });
  await message.fill('Crew on the bridge');
  const { put } = await client(scene.server);
  const before = await one('Bridge inspection');
  await put(`${PATH}/${before?.id}`, { description: 'Bridge inspection, night', total_lanes: 3 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heard(page, 'Closure saved');
  expect(await one('Bridge inspection, night')).toMatchObject({
    id: before?.id,
    alert_message: 'Crew on the bridge',
    total_lanes: 3,
    impacted_lanes: [1, 2],
  });
});
