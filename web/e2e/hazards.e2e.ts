// Hazards on the real server: reported, confirmed, cleared, expired while the wire is cut, driven through, imported and undone.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { heard, ingest, mapReady, register, row, signIn, until } from './harness';
import { HOME, point } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();
const UNIT = 'HA7-08080';

const seconds = (ahead: number) => new Date(Date.now() + ahead * 1000).toISOString();
const hazard = (id: string, type: string, more: object = {}) => ({
  type: 'hazard',
  id,
  at: seconds(-60),
  ...HOME,
  hazard_type: type,
  ...more,
});
const listed = (page: Page) => page.getByRole('treegrid', { name: 'Hazards' }).getByRole('row');

beforeAll(async () => {
  await register(scene.server, [{ haas_id: UNIT, nickname: 'Hazard Engine', thing_type: 'fire', device_type: 'ha7' }]);
  await ingest(scene.server, [
    hazard('Q-1', 'stopped_traffic', { description: 'Queue behind a crash' }),
    hazard('D-1', 'debris', { lat: HOME.lat + 0.004, lng: HOME.lng + 0.004 }),
    hazard('I-1', 'ice', { lat: HOME.lat - 0.003, lng: HOME.lng + 0.006, description: 'Bridge deck' }),
  ]);
});

// spec: 2.route.12 5.hazard.01
it('hazards are found, confirmed, cleared and brought back, and a second browser agrees', {
  timeout: 400_000,
}, async () => {
  const [{ page }, { page: second }] = [await scene.open({ still: true }), await scene.open({ still: true })];
  await page.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string) => void found.push(...(await everywhere(page, ['desktop', 'tablet'], name)));
  await signIn(second, scene.server, 'viewer', 'hazards');
  await signIn(page, scene.server);
  await mapReady(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Hazards' }).click();
  await until('all to be listed', async () => (await listed(page).count()) === 3);
  await page.waitForFunction(() => !document.querySelector('[data-live-announcer] [role="img"]'));
  await see('hazards');

  await page.getByRole('button', { name: 'Hazard Types' }).click();
  await page.getByText('All types').waitFor();
  await see('hazards-types');
  await page.keyboard.press('Escape');
  await row(page, 'Ice').click();
  const detail = page.getByRole('article', { name: 'Hazard' });
  await detail.getByText('Bridge deck').waitFor();
  await detail.getByRole('button', { name: 'Confirm' }).click();
  await heard(page, 'Hazard confirmed');
  await until('the other to see who confirmed it', async () =>
    ((await row(second, 'Ice').textContent()) ?? '').includes('Confirmed by'),
  );
  await mapReady(page);
  await see('hazard');
  await detail.getByRole('button', { name: 'Clear' }).click();
  await heard(page, 'Hazard cleared');
  await until('the other to let it go', async () => (await row(second, 'Ice').count()) === 0);
  await detail.getByText(/^Cleared by /).waitFor();
  await see('hazard-cleared');
  await detail.getByRole('button', { name: 'Undo clear' }).click();
  await until('the other to have it back', async () => (await row(second, 'Ice').count()) === 1);
  expect(found).toEqual([]);
});

it('a unit that drives through takes it away, and it is said how', { timeout: 200_000 }, async () => {
  const { page } = await scene.open({ still: true });
  await signIn(page, scene.server, 'admin', 'hazards');
  await row(page, 'Stopped traffic').waitFor();
  await ingest(
    scene.server,
    [12, 9, 6, 3].map((ago, i) => point(UNIT, ago, { lat: HOME.lat + (i - 2) * 0.0003, speed: 21.4579, course: 0 })),
  );
  await until('it to go', async () => (await row(page, 'Stopped traffic').count()) === 0);
  await page.getByRole('radio', { name: 'Ended, 24 hrs' }).click();
  await row(page, 'Stopped traffic').getByText('Withdrawn: Hazard Engine drove through at 48 mph').waitFor();
});

it('a file is looked at, then imported, and undone as one', { timeout: 300_000 }, async () => {
  const { page } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin', 'hazards');
  await page.getByRole('region', { name: 'Hazards' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import hazards' });
  const inList = page.getByRole('treegrid', { name: 'Hazards' }).getByRole('row').filter({ hasText: 'Two cars' });
  const lines = [
    'Event ID,Latitude,Longitude,Kind,Comment,Start',
    `A-1,39.7301,-75.5601,Car crash,Two cars,${seconds(-300)}`,
    `A-2,39.7311,-75.5611,Pothole,"Deep, right lane",${seconds(-600)}`,
    `,39.7311,-75.5611,Fog,No ID,${seconds(-600)}`,
    `A-4,0,0,Fog,No place,${seconds(-600)}`,
  ];
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'county.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await dialog.getByText('county.csv').waitFor();
  await dialog.getByRole('button', { name: /Pothole/ }).click();
  await page.getByRole('option', { name: 'Road damage' }).click();
  expect(await everywhere(page, ['desktop', 'tablet'], 'hazards-import')).toEqual([]);
  await dialog.getByText('2 of 4 will be imported, 2 rejected.').waitFor();
  await dialog.getByRole('table', { name: 'Rows to import' }).getByText('Road damage').waitFor();
  expect(await everywhere(page, ['desktop', 'tablet'], 'hazards-preview')).toEqual([]);
  expect(await inList.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await dialog.getByText('2 of 4 imported, 2 rejected.').waitFor();
  await dialog.getByRole('button', { name: 'Undo import' }).waitFor();
  expect(await everywhere(page, ['desktop', 'tablet'], 'hazards-imported')).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await inList.waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Undo a change…' }).click();
  const changes = page.getByRole('dialog', { name: 'Undo a change' });
  await changes.getByRole('button', { name: 'Undo: county.csv done' }).click();
  await changes.getByText('Undone: 2 deleted, 0 restored.').waitFor();
  await changes.getByRole('button', { name: 'Close' }).click();
  await until('the hazards to go', async () => (await inList.count()) === 0);
});

it('one is added at a place of the map and edited, and a second browser agrees', { timeout: 300_000 }, async () => {
  const [{ page }, { page: second }] = [await scene.open({ still: true }), await scene.open({ still: true })];
  await page.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string) => void found.push(...(await everywhere(page, ['desktop', 'tablet'], name)));
  await signIn(second, scene.server, 'viewer', 'hazards');
  await signIn(page, scene.server, 'admin', 'hazards');
  await mapReady(page);
  await page.goto(`${scene.server.url}/dashboard/hazards/new?at=${HOME.lat},${HOME.lng}`);
  const form = page.getByRole('form', { name: 'Add Hazard' });
  await page.getByRole('button', { name: /^Hazard marker, / }).press('ArrowUp');
  await page.getByRole('button', { name: /Type/ }).click();
  await page.getByRole('option', { name: 'Road damage' }).click();
  await page.getByLabel('Description').fill('Deep hole, right lane');
  await see('hazard-add');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await heard(page, 'Hazard added');
  await until('the other to see it', async () =>
    ((await row(second, 'Road damage').textContent()) ?? '').includes('Deep hole'),
  );
  expect(await form.count()).toBe(0);
  const detail = page.getByRole('article', { name: 'Hazard' });
  await detail.getByText('Reported by', { exact: true }).waitFor();
  await see('hazard-by-hand');
  await detail.getByRole('link', { name: 'Edit hazard' }).click();
  await page.getByLabel('Description').fill('Deep hole, both lanes');
  await see('hazard-edit');
  await page.getByRole('button', { name: 'Save' }).click();
  await heard(page, 'Hazard saved');
  await row(second, 'Road damage').getByText('both lanes').waitFor();
  expect(found).toEqual([]);
});

it('a phone reports one where it is in two taps, and takes it back', { timeout: 200_000 }, async () => {
  const { page } = await scene.open({ still: true, size: 'phone', touch: true });
  const { page: second } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation({ latitude: HOME.lat, longitude: HOME.lng });
  await signIn(second, scene.server, 'viewer', 'hazards');
  await signIn(page, scene.server);
  await mapReady(page);
  await page.getByRole('button', { name: 'Report a hazard' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Disabled vehicle' }).waitFor();
  expect(await everywhere(page, ['phone'], 'hazard-phone')).toEqual([]);
  await dialog.getByRole('button', { name: 'Disabled vehicle' }).tap();
  await dialog.getByRole('button', { name: 'Report', exact: true }).tap();
  await heard(page, 'Disabled vehicle reported');
  await row(second, 'Disabled vehicle').waitFor();
  await page.getByRole('button', { name: 'Undo' }).tap();
  await heard(page, 'Hazard taken back');
  await until('the other to let it go', async () => (await row(second, 'Disabled vehicle').count()) === 0);
});
