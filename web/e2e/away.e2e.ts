// What somebody who was away is told: over a cut wire, and after a sleep of the computer.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, ingest, register, type Server, signIn, until } from './harness';
import { axe, both } from './look';
import { setScene } from './scene';

const scene = setScene();
const AREAS = '/organization/exclusion_zone';
const CLOSURES = '/organization/closure';
const ZONES = '/organization/alerting_zones';
const AWAY = 70_000;
const SEA = { lat: 35.5, lng: -60.5 };

const at = (ago = 0) => new Date(Date.now() - ago).toISOString();
const event = (id: string, more: object = SEA) => ({ type: 'event', id, at: at(), ...more });
const panel = (page: Page) => page.getByRole('region', { name: 'While you were away' });

/** What the panel lists, but for assets that fall silent by the clock as the journey goes on. */
async function told(page: Page): Promise<string[]> {
  const rows = await panel(page).getByRole('listitem').allTextContents();
  return rows
    .map(text => text.replace(/\d+:\d\d [AP]M$/, ''))
    .filter(text => !/^(?!Away).*(not reporting|reporting again)$/.test(text));
}

async function area(server: Server, name: string): Promise<string> {
  const { get, post } = await client(server);
  const type = (await get<{ id: string; db_name: string }[]>('/ez_types')).find(one => one.db_name === 'poi');
  const body = { name, ez_type_id: type?.id, point_geom: { lat: SEA.lat, lon: SEA.lng } };
  return (await post<{ id: string }>(AREAS, body)).id;
}

/** A line of two points out at sea. */
const shore = [SEA, { lat: SEA.lat + 0.002, lng: SEA.lng }];

async function closure(server: Server, description: string): Promise<string> {
  const { post } = await client(server);
  const end_time = at(-3_600_000);
  const body = { description, direction: 'N', road_name: 'Shore Rd', user_route: shore, is_active: true, end_time };
  return (await post<{ id: string }>(CLOSURES, body)).id;
}

async function zone(server: Server, description: string): Promise<string> {
  const { post } = await client(server);
  const geometry = { type: 'Point', coordinates: [SEA.lng, SEA.lat] };
  const features = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { radius_dist: 90 }, geometry }],
  };
  return (await post<{ id: string }>(ZONES, { description, alerting_zone_type_name: 'school', features })).id;
}

const debris = (id: string, more: object = {}) => ({
  type: 'hazard',
  id,
  at: at(),
  ...SEA,
  hazard_type: 'debris',
  description: id,
  ...more,
});

const live = (page: Page) => page.locator('[data-map]').getByText('Live', { exact: true });

beforeAll(async () => {
  await ingest(scene.server, [event('AWAY-OLD')]);
  await register(scene.server, [
    { haas_id: 'HA7-AWAY', nickname: 'Away Engine', thing_type: 'fire', device_type: 'ha7' },
  ]);
});

/** Until the server lists it as changed: a silence comes by the clock alone. */
const silent = (server: Server, since: string) =>
  until('the unit to fall silent', async () => {
    const path = `/organization/changes?since=${encodeURIComponent(since)}`;
    const changes = await (await client(server)).get<{ name: string; what: string }[]>(path);
    return changes.some(one => one.name === 'Away Engine' && one.what === 'silent');
  });

it('says what has changed, and nothing when nothing has', async () => {
  const size = 'desktop';
  const { server } = scene;
  const admin = await client(server);
  const [kept, gone] = [await area(server, `Away Kept ${size}`), await area(server, `Away Gone ${size}`)];
  const road = await closure(server, `Away Road ${size}`);
  const school = await zone(server, `Away School ${size}`);
  await ingest(server, [event(`AWAY-ENDS-${size}`), debris(`AWAY-DEBRIS-${size}`)]);
  const { page, context } = await scene.open({ size, still: true });
  await page.addInitScript({ path: axe });
  await page.clock.install();
  await signIn(page, server);
  await live(page).waitFor();

  // The wire is cut.
  await context.setOffline(true);
  await page.locator('[data-map]').getByText('Offline', { exact: true }).waitFor();
  await page.clock.fastForward(AWAY);
  const since = at(2000);
  // Ten minutes without a sign of life end while the wire is cut.
  await ingest(server, [{ type: 'heartbeat', asset: 'HA7-AWAY', at: at(599_000) }]);
  await ingest(server, [event(`AWAY-NEW-${size}`), event(`AWAY-ENDS-${size}`, { is_active: false })]);
  await admin.put(`${AREAS}/${kept}`, { desc: 'Keep clear' });
  await admin.remove(`${AREAS}/${gone}`);
  await area(server, `Away Made ${size}`);
  await admin.put(`${CLOSURES}/${road}`, { is_active: false });
  await admin.put(`${ZONES}/${school}`, { alert_message: 'Children' });
  await ingest(server, [debris(`AWAY-DEBRIS-${size}`, { is_active: false })]);
  await silent(server, since);
  expect(await panel(page).count()).toBe(0);
  await context.setOffline(false);
  await panel(page).waitFor();
  expect((await told(page)).sort()).toEqual(
    [
      'Away Enginenot reporting',
      `AWAY-DEBRIS-${size}ended`,
      `AWAY-ENDS-${size}ended`,
      `AWAY-NEW-${size}opened`,
      `Away Gone ${size}deleted by you`,
      `Away Kept ${size}changed by you`,
      `Away Made ${size}added by you`,
      `Away Road ${size}ended`,
      `Away School ${size}changed by you`,
    ].sort(),
  );
  const summary = panel(page).getByRole('status');
  await summary.getByText('Incidents: 1 opened, 1 ended').waitFor();
  await summary.getByText('Areas: 1 added, 1 changed, 1 deleted').waitFor();
  expect(await both(page, size, 'away', { preload: false })).toEqual([]);
  // It stands in a corner: the middle of the map is free.
  const box = await panel(page).boundingBox();
  const view = page.viewportSize();
  expect(box && view && box.y > view.height / 2).toBe(true);
  await panel(page)
    .getByRole('link', { name: `Away Kept ${size}` })
    .click();
  await page.waitForURL(new RegExp(`/dashboard/areas/${kept}(\\?|$)`));
  await page.getByRole('heading', { level: 1, name: `Away Kept ${size}` }).waitFor();
  await panel(page).getByRole('button', { name: 'Dismiss' }).press('Enter');
  await panel(page).waitFor({ state: 'detached' });

  // The computer sleeps, and it is asked anew: what was told and dismissed is not told again.
  await live(page).waitFor();
  const asked = page.waitForResponse(answer => answer.url().includes('/organization/changes') && answer.ok());
  await page.clock.fastForward(AWAY);
  const { meta } = (await (await asked).json()) as { meta: { total: number } };
  await live(page).waitFor();
  await until('what there is to tell', async () => (await panel(page).count()) === Math.min(1, meta.total));
  expect((await told(page)).filter(text => text.includes(size))).toEqual([]);
});

it('on a phone, is not told twice of what was dismissed, though the next gap begins before the picture has said how late it is', async () => {
  const { server } = scene;
  const admin = await client(server);
  const id = await area(server, 'Away Twice');
  const { page, context } = await scene.open({ size: 'phone', still: true });
  await page.addInitScript({ path: axe });
  await page.clock.install();
  await signIn(page, server);
  await live(page).waitFor();
  await context.setOffline(true);
  await page.locator('[data-map]').getByText('Offline', { exact: true }).waitFor();
  await page.clock.fastForward(AWAY);
  await admin.put(`${AREAS}/${id}`, { desc: 'Keep clear' });
  await context.setOffline(false);
  await panel(page).waitFor();
  expect(await told(page)).toContain('Away Twicechanged by you');
  expect(await both(page, 'phone', 'away', { preload: false })).toEqual([]);
  await panel(page).getByRole('button', { name: 'Dismiss' }).press('Enter');
  const asked = page.waitForResponse(answer => answer.url().includes('/organization/changes') && answer.ok());
  await page.clock.fastForward(AWAY);
  const { meta } = (await (await asked).json()) as { meta: { total: number } };
  await until('what there is to tell', async () => (await panel(page).count()) === Math.min(1, meta.total));
  expect(await told(page)).not.toContain('Away Twicechanged by you');
});
