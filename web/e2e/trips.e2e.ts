// Trips on the real server: a supervisor looks at what two units did this morning, plays it, and shares the link.
import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, ingest, mapReady, register, row, signIn } from './harness';
import { HOME } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();
const [FIRST, SECOND] = ['HA7-09001', 'HA7-09002'] as const;
const HOUR = 3_600_000;

/** A whole minute, some hours ago: what is asked has no seconds. */
const begin = Math.floor((Date.now() - 3 * HOUR) / 60_000) * 60_000;

/** A drive north from home: a point each ten seconds; how far it gets is 150 m a point. */
const drive = (asset: string, from: number, points: number, alerting: boolean, first = 0) =>
  Array.from({ length: points }, (_, i) => ({
    type: 'point',
    asset,
    at: new Date(from + i * 10_000).toISOString(),
    lat: HOME.lat + (first + i) * 0.00135,
    lng: HOME.lng + (asset === FIRST ? 0 : 0.01),
    speed: 15,
    course: 0,
    accuracy: 4,
    alerting,
  }));

beforeAll(async () => {
  await register(scene.server, [
    { haas_id: FIRST, nickname: 'Trip Engine', thing_type: 'fire', device_type: 'ha7' },
    { haas_id: SECOND, nickname: 'Trip Ladder', thing_type: 'fire', device_type: 'ha7' },
  ]);
  // Ten minutes with lights on, four in which nobody heard of it, five minutes more; the ladder drives without lights.
  await ingest(scene.server, [
    ...drive(FIRST, begin + 600_000, 60, true),
    ...drive(FIRST, begin + 600_000 + 840_000, 30, true, 84),
    ...drive(SECOND, begin + 1_200_000, 60, false),
  ]);
});

/** Where an asset's head stands on the map's timeline, in words. */
const saidAt = (page: Page) => page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext');

it('shows what two units did, plays it, and a link shows the same', async () => {
  const { page } = await scene.open();
  await page.addInitScript({ path: axe });
  const all = await (await client(scene.server)).get<{ id: string; haas_id: string }[]>('/organization/things');
  const ids = [FIRST, SECOND].map(name => all.find(one => one.haas_id === name)?.id ?? '');
  await signIn(page, scene.server, 'operator', 'trips');
  const field = page.getByRole('combobox', { name: 'Assets' });
  for (const name of ['Trip Engine', 'Trip Ladder']) {
    await field.fill(name);
    await page.getByRole('option', { name }).click();
  }
  await field.press('Escape');
  await page.getByRole('button', { name: 'Last 8 hours' }).click();
  await page.getByText('Data until').first().waitFor();
  await page.getByRole('button', { name: 'Search trips' }).click();

  const run = row(page, 'Lights on 14 min');
  await run.waitFor();
  const movement = row(page, 'Movement without lights');
  expect(await movement.textContent()).toContain('Trip Ladder');
  await mapReady(page);
  const found = await everywhere(page, ['desktop', 'tablet'], 'trips-list');
  await page.getByRole('button', { name: 'Export trips' }).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export GPX' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^trips-.*\.gpx$/);
  const gpx = (await buffer(await saved.createReadStream())).toString('utf8');
  // The four minutes that nobody saw end a segment.
  expect([gpx.match(/<trk>/g)?.length, gpx.match(/<trkseg>/g)?.length]).toEqual([2, 3]);
  await run.click();
  await page.getByText('Positions').waitFor();
  // 8.85 km and 4.35 km are 8.2 miles; the four minutes that nobody saw are not driven.
  await page.getByText('8.2 mi').waitFor();
  expect(new URL(page.url()).pathname).toContain(`/dashboard/trips/${ids[0]}/`);
  found.push(...(await everywhere(page, ['desktop'], 'trips-detail')));
  expect(found).toEqual([]);

  const before = await saidAt(page);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => saidAt(page), { timeout: 60_000 }).not.toBe(before);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.waitForURL(/[?&]at=/);
  const rests = await saidAt(page);
  const other = (await scene.open()).page;
  await signIn(other, scene.server, 'admin');
  await other.goto(page.url());
  await other.getByText('Positions').waitFor();
  await expect.poll(() => saidAt(other), { timeout: 60_000 }).toBe(rests);
});

it('is nothing for who may not look, and says who has looked', async () => {
  const { page } = await scene.open();
  await signIn(page, scene.server, 'viewer');
  await page.goto(`${scene.server.url}/dashboard/trips`);
  await page.getByText('Sorry, you are not currently authorized to access this page.').waitFor();
  const admin = await client(scene.server);
  const rows = await admin.get<{ verb: string; noun: string }[]>('/audit');
  expect(rows.filter(one => one.verb === 'read' && one.noun === 'trips').length).toBeGreaterThanOrEqual(2);
});

it('says what the raw points say, summed up by another program', async () => {
  const { server } = scene;
  const [program, from, to] = [
    fileURLToPath(new URL('../../scripts/totals.mjs', import.meta.url)),
    ...[begin, begin + 2 * HOUR].map(at => new Date(at).toISOString()),
  ];
  const asked = [
    server.url,
    await server.join('admin'),
    server.password,
    from ?? '',
    to ?? '',
    'Trip Engine',
    'Trip Ladder',
  ];
  const { stdout } = await promisify(execFile)('node', [program ?? '', ...asked]);
  expect(stdout).toContain('2 trips compared, 0 differ');
});
