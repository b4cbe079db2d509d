// A feed of somebody else's, from its address to its closures: added, shrunk and accepted, edited, deleted and brought back, failing.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { heard, mapReady, row, type Server, signIn, start, until } from './harness';
import { HOME } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { settle } from './world';

const FEEDS = 'accounts/feed';
const NAME = 'State DOT';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A work zone of WZDx 4.2, as we publish them. */
const zone = (id: string, street: string, north: number) => ({
  id,
  type: 'Feature',
  properties: {
    core_details: {
      event_type: 'work-zone',
      data_source_id: 'state',
      road_names: [street],
      direction: 'northbound',
      description: `${street}: right lane closed`,
      creation_date: inHours(-30),
      update_date: inHours(-2),
    },
    start_date: inHours(-2),
    end_date: inHours(20),
    is_start_date_verified: true,
    is_end_date_verified: true,
    is_start_position_verified: true,
    is_end_position_verified: true,
    location_method: 'channel-device-method',
    vehicle_impact: 'some-lanes-closed',
  },
  geometry: {
    type: 'LineString',
    coordinates: [0, 1, 2].map(i => [HOME.lng + i * 0.001, HOME.lat + north + i * 0.002]),
  },
});

const streets = ['Bridge Rd', 'Mill Rd', 'Ferry Rd', 'Canal Rd', 'Quarry Rd', 'Orchard Rd'];
const whole: object[] = streets.map((street, i) => zone(`DOT-${i}`, street, i * 0.004));

/** What the feed's server says now. */
const feed = { status: 200, features: whole };

/** A server that somebody reads feeds of others on, and the one of the feed. */
const scene = setScene<Server>(async () => {
  const data = mkdtempSync(join(tmpdir(), 'lightbar-feeds-'));
  const publisher = createServer((_, answer) => {
    const feed_info = {
      publisher: 'Department of Transportation',
      version: '4.2',
      update_date: new Date().toISOString(),
      update_frequency: 60,
      data_sources: [{ data_source_id: 'state', organization_name: 'Department of Transportation' }],
    };
    answer.writeHead(feed.status, { 'Content-Type': 'application/geo+json' });
    answer.end(JSON.stringify({ feed_info, type: 'FeatureCollection', features: feed.features }));
  });
  await new Promise<void>(resolve => publisher.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/wzdx.geojson`;
  const server = await start('serve', ['--outbound-allow', '127.0.0.0/8'], { data });
  const stop: typeof server.stop = async signal => {
    const code = await server.stop(signal);
    publisher.closeAllConnections();
    await new Promise(resolve => publisher.close(resolve));
    rmSync(data, { recursive: true, force: true });
    return code;
  };
  return { ...(await settle(server, 'feeds')), stop };
});
let address = '';

/** Presses Tab until something has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = () =>
    page.evaluate(
      wanted => (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent) === wanted,
      name,
    );
  for (let i = 0; i < 60 && !(await isThere()); i += 1) await page.keyboard.press('Tab');
  expect(await isThere(), `${name} to be reached by Tab`).toBe(true);
}

const closuresOf = (page: Page) => page.getByRole('treegrid', { name: 'Closures' }).getByRole('row');
const state = (page: Page) => page.getByRole('heading', { level: 1 });

// spec: 2.closures.04
it('a feed is added, shrinks and is accepted, edited, deleted and brought back, and fails', {
  timeout: 300_000,
}, async () => {
  const { page } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string, sizes = ['desktop', 'phone']) =>
    void found.push(...(await everywhere(page, sizes, name)));
  const visit = (path: string) => page.goto(`${scene.server.url}/dashboard/${path}`);

  feed.features = [...whole, { type: 'Feature' }];
  await signIn(page, scene.server, 'admin', FEEDS);
  await page.getByText('No incoming feeds yet.').waitFor();
  await page.getByRole('link', { name: 'Add feed' }).click();
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await page.getByRole('textbox', { name: 'Address' }).fill(address);
  await page.getByRole('button', { name: 'Add feed' }).click();
  await heard(page, `“${NAME}” is added`);
  await page.waitForURL(url => !url.pathname.endsWith('/new'));
  const own = new URL(page.url()).pathname.replace('/dashboard/', '');
  await page.getByText('6 closures', { exact: true }).waitFor();
  await page.getByText('6 accepted, 1 rejected').waitFor();
  const reasons = page.getByRole('list', { name: 'Why features were rejected' });
  expect(await reasons.getByRole('listitem').count()).toBe(1);
  await see('feed-good');

  await visit('closures');
  await mapReady(page);
  await until('its closures to be listed', async () => (await closuresOf(page).count()) === 6);
  await row(page, 'Mill Rd').click();
  const closure = page.getByRole('article', { name: 'Closure' });
  await closure.getByText('Managed by WZDx feed').waitFor();
  expect(await closure.getByRole('button', { name: /Delete|Deactivate/ }).count()).toBe(0);
  expect(await closure.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
  await closure.getByRole('link', { name: NAME }).click();
  await page.waitForURL(`**/${own}`);

  feed.features = whole.slice(0, 1);
  const fetchNow = page.getByRole('button', { name: 'Fetch now' });
  await fetchNow.click();
  await page.getByText('5 closures of this feed are missing.').waitFor();
  await see('feed-held');
  // By the keyboard alone.
  await tabTo(page, 'Accept the shorter feed');
  await page.keyboard.press('Enter');
  await page.getByText('5 closures end now, for everyone.').waitFor();
  await see('feed-accept');
  await tabTo(page, 'Confirm');
  await page.keyboard.press('Enter');
  await heard(page, 'Fetched: Good');
  await page.getByText('1 closure', { exact: true }).waitFor();
  expect(await page.getByText('of this feed are missing').count()).toBe(0);

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('County roads');
  await page.getByRole('button', { name: 'Save' }).click();
  await heard(page, 'Feed saved');
  await state(page).getByText('County roads').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await heard(page, 'Change undone');
  await state(page).getByText(NAME).waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('These end for everyone immediately: 1 closure.').waitFor();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('No incoming feeds yet.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await heard(page, 'Change undone');
  await row(page, NAME).getByText('1 closure').waitFor();

  feed.status = 503;
  await row(page, NAME).getByRole('link', { name: NAME }).click();
  await fetchNow.click();
  await heard(page, 'Fetched: The server answers with an error (503)');
  await page.getByText(/^Its closures are still active\. If the feed keeps failing, they end between /).waitFor();
  await see('feed-failing');

  await visit(FEEDS);
  await row(page, NAME).getByText('Failing').waitFor();
  await see('feeds');
  await page.setViewportSize({ width: 390, height: 844 });
  const box = await row(page, NAME).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 391)).toBeLessThanOrEqual(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await visit('closures/nonsense');
  await page.getByText('Closure not found').waitFor();
  expect(found).toEqual([]);
});
