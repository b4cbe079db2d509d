// Exports on the real server: an analyst asks for what a unit did, and opens the file; keyboard alone for the next one.
import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { client, ingest, register, signIn } from './harness';
import { HOME } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();
const UNIT = 'HA7-09101';

beforeAll(async () => {
  await register(scene.server, [{ haas_id: UNIT, nickname: 'Export Engine', thing_type: 'fire', device_type: 'ha7' }]);
  const begin = Date.now() - 3_600_000;
  await ingest(
    scene.server,
    Array.from({ length: 30 }, (_, i) => ({
      type: 'point',
      asset: UNIT,
      at: new Date(begin + i * 10_000).toISOString(),
      lat: HOME.lat + i * 0.001,
      lng: HOME.lng,
      speed: 12.5,
      accuracy: 4,
      alerting: true,
    })),
  );
});

/** The texts of a ZIP file by their names, read by its central directory (APPNOTE.TXT, 4.3.12). */
function unpacked(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, name, extra, comment] = [
      zip.readUInt32LE(at + 20),
      ...[28, 30, 32].map(to => zip.readUInt16LE(at + to)),
    ];
    const local = zip.readUInt32LE(at + 42);
    const body = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(
      zip.toString('utf8', at + 46, at + 46 + (name ?? 0)),
      inflateRawSync(zip.subarray(body, body + (size ?? 0))).toString('utf8'),
    );
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

it('from its type to the opened file', async () => {
  const { page } = await scene.open();
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: 'Data Exports' }).click(); // reports come first
  await page.getByText('No exports yet.').waitFor();
  await page.getByRole('link', { name: 'New export' }).first().click();
  await page.getByText('What should the files be about?').waitFor();
  const found = await everywhere(page, ['desktop', 'tablet'], 'exports-type');
  await page.getByRole('button', { name: /^Points / }).click();
  const assets = page.getByRole('combobox', { name: 'Assets' });
  await assets.fill('Export Engine');
  await page.getByRole('option', { name: 'Export Engine' }).click();
  await assets.press('Escape');
  await page.getByRole('button', { name: 'Last 24 hours' }).click();
  for (const name of ['Excel', 'Parquet']) await page.getByText(name, { exact: true }).click();
  await page.getByText(/^About 30 rows/).waitFor();
  found.push(...(await everywhere(page, ['desktop', 'tablet'], 'exports-form')));
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByRole('link', { name: 'View all exports' }).click();
  const file = page.getByRole('button', { name: /^Download CSV/ });
  await file.waitFor({ timeout: 30_000 });
  found.push(...(await everywhere(page, ['desktop', 'tablet'], 'exports-list')));
  expect(found).toEqual([]);

  const [download] = await Promise.all([page.waitForEvent('download'), file.click()]);
  expect(download.suggestedFilename()).toMatch(/^points_.*\.zip$/);
  const files = unpacked(await buffer(await download.createReadStream()));
  const rows = [...files]
    .filter(([name]) => name.endsWith('.csv'))
    .flatMap(([, text]) => text.trim().split('\r\n').slice(1));
  expect(rows).toHaveLength(30);
  expect(rows[0]).toContain(',Export Engine,');
  expect(rows[0]).toContain(',12.5,');
  expect(files.get('about.txt')).toContain('Rows: 30');
  for (const [name, magic] of [
    ['Excel', 'PK'],
    ['Parquet', 'PAR1'],
  ] as const) {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: new RegExp(`^Download ${name}`) }).click(),
    ]);
    expect(String(await buffer(await saved.createReadStream())).slice(0, magic.length)).toBe(magic);
  }
  const audit = await (await client(scene.server)).get<{ verb: string; noun: string }[]>('/audit');
  expect(audit.filter(one => one.noun === 'export').map(one => one.verb)).toEqual(
    expect.arrayContaining(['create', 'read']),
  );
});

it('is deleted by who asked for it, and shows to nobody without permission', async () => {
  const { page } = await scene.open();
  await signIn(page, scene.server, 'admin', 'data/exports');
  await page.getByRole('button', { name: /^Download CSV/ }).waitFor();
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await page.getByText('Are you sure you want to delete this export?').waitFor();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('No exports yet.').waitFor();
  const other = (await scene.open()).page;
  await signIn(other, scene.server, 'viewer');
  await other.goto(`${scene.server.url}/dashboard/data/exports`);
  await other.getByText('Sorry, you are not currently authorized to access this page.').waitFor();
});
