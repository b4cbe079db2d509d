// Monthly reports on the real server: a chief reads the month that has ended, looks behind a figure, and takes the PDF along.
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { client, ingest, register, signIn, start, until } from './harness';
import { HOME } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { settle } from './world';

// A server of its own: what is reported of the past must be there before the server first looks for months, a minute after its start.
const scene = setScene(async () => settle(await start('serve', []), 'reports'));

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = new Date();
/** The last evening of the month that has ended, in the organization's New York. */
const evening = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1, 3);
/** Reports are taken for 30 days: on a 31st nothing of the last month is, and on a 1st its report is made at 3 o'clock. */
const isReachable = now.getTime() - evening < 30 * DAY - HOUR && now.getTime() - evening > 6 * HOUR;

beforeAll(async () => {
  if (!isReachable) return;
  await register(scene.server, [{ haas_id: 'HA7-09301', nickname: 'Report Engine', thing_type: 'fire' }]);
  await ingest(
    scene.server,
    Array.from({ length: 12 }, (_, i) => ({
      type: 'event',
      id: `STORM-${i}`,
      at: new Date(evening - i * 60_000).toISOString(),
      lat: HOME.lat + (i % 4) * 0.004,
      lng: HOME.lng + (i % 3) * 0.006,
      alert_message: `Tree down ${i + 1}`,
    })),
  );
}, 120_000);

it('are read, looked behind, and taken along', async () => {
  const { page } = await scene.open();
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin');
  if (!isReachable) {
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByText('No reports yet.').waitFor();
    return;
  }
  const asked = await client(scene.server);
  const path = `/reports/${scene.server.organization}/organization_monthly_report_list`;
  await until('the report', async () => (await asked.get<unknown[]>(path)).length > 0, 150_000);
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('heading', { name: 'Monthly Reports' }).waitFor();
  const month = new Date(evening - 6 * HOUR).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const link = page.getByRole('link', { name: month });
  await link.waitFor();
  const mail = page.getByRole('switch', { name: 'Mail me this report each month' });
  await mail.waitFor();
  expect(await mail.isChecked()).toBe(false);
  await mail.focus();
  await page.keyboard.press('Space');
  await page.getByText('You will be mailed').waitFor();
  await page.reload();
  await mail.waitFor();
  expect(await mail.isChecked()).toBe(true);
  const found = await everywhere(page, ['desktop', 'tablet'], 'reports-list');
  await link.click();
  await page.getByRole('heading', { name: month }).waitFor();
  const incidents = page.getByRole('listitem').filter({ hasText: /^Incidents/ });
  await incidents.getByText('12', { exact: true }).waitFor();
  await page.getByText('not measured').first().waitFor();
  found.push(...(await everywhere(page, ['desktop', 'tablet'], 'reports-month')));

  const file = page.getByRole('button', { name: /^Download PDF/ });
  const [download] = await Promise.all([page.waitForEvent('download'), file.click()]);
  const pdf = await buffer(await download.createReadStream());
  expect(pdf.toString('latin1', 0, 5)).toBe('%PDF-');
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);

  await incidents.getByRole('link', { name: 'Incidents' }).click();
  await page.getByRole('heading', { name: `Incidents of ${month}` }).waitFor();
  await page.getByRole('row').filter({ hasText: 'Tree down 12' }).waitFor();
  found.push(...(await everywhere(page, ['desktop', 'tablet'], 'reports-rows')));
  expect(found).toEqual([]);
  await page.getByRole('link', { name: 'Tree down 12' }).click();
  await page.waitForURL(/\/dashboard\/(events|incidents)\//);
}, 240_000);
