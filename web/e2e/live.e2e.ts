// The Live section on the real server: a moving fleet, and a few assets that say exactly what a test needs.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { client, heard, ingest, register, row, signIn, type Tab, until } from './harness';
import * as journey from './journey';
import { HOME, listed, point, seconds } from './journey';
import { setScene } from './scene';
import { addKey, addOrganization } from './world';

const scene = setScene();
let tab: Tab;
let page: Page;

const search = () => journey.searchOf(page);
const path = () => journey.pathOf(page);
const find = (name: string) => journey.find(page, name);
const toList = () => journey.toList(page, scene.server);

/** Who may what with an asset, as the server has it. */
async function relations(id: string): Promise<[string, string][]> {
  const admin = await client(scene.server);
  const thing = await admin.get<{
    organization_relationships: { organization_name: string; relationship_type: string }[];
  }>(`/things/${id}`);
  return thing.organization_relationships.map(r => [r.organization_name, r.relationship_type]);
}

beforeAll(async () => {
  await journey.sendFleet(scene.server, 59);
  await journey.sendJourneys(scene.server);
  const { data, organization } = scene.server;
  const towing = await addOrganization(data, 'Brandywine Towing', organization);
  const theirs = { ...scene.server, key: await addKey(data, towing) };
  const tows = [1, 2, 3].map(n => ({ haas_id: `TOW-${n}`, nickname: `Brandywine Tow ${n}`, thing_type: 'tow' }));
  await register(theirs, tows);
  await ingest(
    theirs,
    tows.map(({ haas_id }) => point(haas_id, 0)),
  );
  await journey.sendLent(scene.server);
  tab = await scene.openForAll({ still: true });
  page = tab.page;
  await signIn(page, scene.server);
});

describe('the list and the map', () => {
  beforeEach(toList);

  // spec: 2.things.06 2.things.07
  it('counts the fleet and shows the ages of rows as they change', async () => {
    const title = page.getByRole('heading', { level: 1, name: 'Live' });
    // An asset counts from its first report on.
    await until('the whole fleet', async () => /^Live Assets \d+ \/ 63$/.test((await title.textContent()) ?? ''));
    await page
      .getByText(/^\d+ online$/)
      .first()
      .waitFor();
    const ages = () => page.getByRole('treegrid', { name: 'Assets' }).textContent();
    const before = await ages();
    await until('a row to say something new', async () => (await ages()) !== before);
  });

  // Tabs of a phone show once there are two sections for it.
  it('is as large as specified: a drawer of 400 px, a navigation of 160 px', async () => {
    const width = async (of: Locator) => (await of.boundingBox())?.width;
    expect(await width(page.getByRole('navigation', { name: 'Main' }))).toBe(160);
    expect(await width(page.getByRole('region', { name: 'Live', exact: true }).first())).toBe(400);
  });

  // spec: 4.status.01 4.status.05
  it('says what devices reported: 15.2 m/s is 34 mph, a minute of lights in place is on-scene', async () => {
    // Elsewhere than before: a minute of lights in one place would be an arrival.
    const lat = HOME.lat + 0.005;
    await ingest(scene.server, [point('HA7-09090', 0, { lat, speed: 15.2, course: 38, alerting: true })]);
    const runner = await find('Journey Runner');
    await runner.getByText('Responding').waitFor();
    await runner.getByText(/^NE · 34 mph/).waitFor();
    const arrived = await find('Journey Scene');
    await arrived.getByText('On-Scene').waitFor();
    await arrived.getByText(/arrived \d+:\d\d [AP]M$/).waitFor();
    await (await find('Journey Parked')).getByText('Standby').waitFor();
  });

  it('shows a heartbeat as a new age', async () => {
    const fresh = (await find('Journey Parked')).getByText(/^(now|[1-9] s)$/);
    // Looked for from before: it is true for ten seconds.
    const beat = { type: 'heartbeat', asset: 'HA7-09091', at: seconds(0) };
    await Promise.all([fresh.waitFor(), ingest(scene.server, [beat])]);
  });
});

describe('an asset', () => {
  beforeEach(toList);

  // spec: 1.scope.05 2.things.09 2.things.16 2.things.17
  it('opens from its row, is followed on the map, and moves there', async () => {
    const name = 'Journey Runner';
    const lat = HOME.lat + 0.01;
    const drive = (more: number) =>
      ingest(scene.server, [point('HA7-09090', 0, { lat: lat + more, speed: 12, course: 0, alerting: true })]);
    await drive(0);
    const moving = await find(name);
    await moving.getByText(/^N · 27 mph/).waitFor();
    await moving.click();
    await page.waitForURL(/\/dashboard\/things\/[0-9a-f-]{36}(\?|$)/);
    const detail = page.getByRole('article', { name: 'Asset' });
    for (const label of [
      'Start',
      'Run Time',
      'Alert Points',
      'Last Sync',
      'Nickname',
      'System Id',
      'Type',
      'Subtype',
      'VIN',
      'Plate#',
      'Vehicle Id',
      'Integrations',
      'Owner',
      'Managers',
      'Accessors',
    ]) {
      await detail.getByText(label, { exact: true }).waitFor();
    }
    for (const part of ['Status', 'Profile', 'Organization Access'])
      await detail.getByRole('heading', { name: part }).waitFor();
    const card = page.locator('[data-map]').getByRole('region', { name });
    await card.waitFor();
    // The card stands by its mark: it moves with the camera, and then with the asset alone.
    await card.click({ trial: true });
    const from = await card.boundingBox();
    await drive(0.001);
    await until('the marker to move', async () => {
      const to = await card.boundingBox();
      return from !== null && to !== null && Math.hypot(to.x - from.x, to.y - from.y) >= 3;
    });
    await page.keyboard.press('f');
    const follow = detail.getByRole('button', { name: 'Follow asset' });
    await until('following', async () => (await follow.getAttribute('aria-pressed')) === 'true');
    await page.keyboard.press('f');
    await until('no more following', async () => (await follow.getAttribute('aria-pressed')) === 'false');
  });

  // spec: 2.things.18 2.things.19
  it('leads back to its row, wherever that stood', async () => {
    await page.getByRole('treegrid', { name: 'Assets' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Scroll to top' }).waitFor();
    const last = page.locator('[role=row][data-current]');
    const name = (await last.locator('[title]').getAttribute('title')) ?? '';
    expect(name).not.toBe('');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboard\/things\/[0-9a-f-]{36}(\?|$)/);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/dashboard\/things(\?|$)/);
    await until('the row in view', async () => {
      const box = await row(page, name)
        .boundingBox()
        .catch(() => null);
      return box !== null && box.y > 100 && box.y + box.height <= 901;
    });
    await page.getByRole('button', { name: 'Scroll to top' }).click();
    await page.getByRole('button', { name: 'Scroll to top' }).waitFor({ state: 'detached' });
  });

  it('is reached by keyboard alone', async () => {
    await search().blur(); // in it, / is a letter
    await page.keyboard.press('/');
    await until('the search to be entered', () => search().evaluate(box => box === document.activeElement));
    await page.keyboard.type('Journey');
    await row(page, 'Journey Runner').waitFor();
    await page.keyboard.press('Escape'); // clears the search
    await until('no search', async () => (await search().inputValue()) === '');
    await page.keyboard.type('Journey');
    await until('these three alone', async () => (await listed(page).count()) === 3);
    await search().blur();
    // By its place: the ages of a row go on.
    const current = () => page.locator('[role=row][data-current]').getAttribute('aria-rowindex');
    await page.keyboard.press('j');
    // One of these three, not the row of a list before.
    const first = await until('a row', async () => {
      const at = await current();
      return Number(at) <= 3 && at;
    });
    await page.keyboard.press('j');
    await until('the next row', async () => (await current()) !== first);
    await page.keyboard.press('k');
    await until('the row before', async () => (await current()) === first);
    await page.keyboard.press('j');
    await until('the next row again', async () => (await current()) !== first);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboard\/things\/[0-9a-f-]{36}(\?|$)/);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Follow the selected asset').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    expect(path()).not.toBe('/dashboard/things');
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/dashboard\/things(\?|$)/);
  });

  // spec: 2.things.12 2.things.14 2.route.03
  it('gets a new nickname, within the rules, and not over somebody else', async () => {
    await (await find('Journey Parked')).click();
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.waitForURL(/\/edit\/profile(\?|$)/);
    const id = path().split('/')[3] ?? '';
    const nickname = page.getByLabel('Nickname');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await nickname.fill('');
    await save.click();
    await page.getByText('Required', { exact: true }).waitFor();
    await nickname.fill('x'.repeat(51));
    await page.getByText('Must be 50 or fewer characters').waitFor();
    await nickname.fill('Journey Renamed');
    await save.click();
    await page.waitForURL(new RegExp(`/dashboard/things/${id}(\\?|$)`));
    await page.getByRole('heading', { level: 1, name: 'Journey Renamed' }).waitFor();

    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await nickname.fill('Journey Mine');
    const other = await client(scene.server, 'super');
    await other.put(`/things/${id}`, { id, in_service: true, is_publicly_alerting: true, nickname: 'Journey Theirs' });
    await save.click();
    await page.getByText(/^Sam Upton changed this/).waitFor();
    const conflict = page.getByRole('row').filter({ hasText: 'Nickname' });
    expect(await conflict.textContent()).toBe('NicknameJourney TheirsJourney Mine');
    await page.getByRole('button', { name: 'Save my version' }).click();
    await page.waitForURL(new RegExp(`/dashboard/things/${id}(\\?|$)`));
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/dashboard\/things(\?|$)/);
    await find('Journey Mine');
  });

  it('is given to another organization to read, which may then edit no more', async () => {
    await (await find('Attenuator 1')).click();
    await page.getByRole('link', { name: 'Edit Organization Access' }).click();
    await page.waitForURL(/\/edit\/associations(\?|$)/);
    const id = path().split('/')[3] ?? '';
    expect(await relations(id)).toEqual([['Wilmington Fire Dept', 'manager']]);
    await page.getByRole('button', { name: /Access of Wilmington Fire Dept/ }).click();
    await page.getByRole('option', { name: 'Accessor' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(new RegExp(`/dashboard/things/${id}(\\?|$)`));
    await heard(page, 'Organization access saved');
    expect(await relations(id)).toEqual([['Wilmington Fire Dept', 'accessor']]);
    await until('no way to edit', async () => (await page.getByRole('link', { name: /^Edit/ }).count()) === 0);
  });
});

describe('trouble', () => {
  beforeEach(toList);

  // spec: 2.chrome.01
  it('tells of a lost connection and heals', async () => {
    const chip = page.locator('[data-map]');
    await chip.getByText('Live', { exact: true }).waitFor();
    await tab.context.setOffline(true);
    await chip.getByText('Offline', { exact: true }).waitFor();
    const banner = page.getByText(/^As of \d+:\d\d:\d\d [AP]M\. Looks like your connection is having trouble/);
    await banner.waitFor();
    // It covers nothing of what it warns about.
    const box = async (what: Locator) => (await what.boundingBox()) ?? { x: 0, y: -1, width: 0, height: 0 };
    const { y, height } = await box(banner);
    for (const below of [page.getByRole('heading', { level: 1 }), page.getByRole('button', { name: / profile of / })])
      expect((await box(below)).y).toBeGreaterThanOrEqual(y + height);
    const online = page.locator('header').getByText(/online/);
    const title = page.getByText(/^Assets \d+ \/ \d+$/);
    const color = (of: Locator) => of.evaluate(element => getComputedStyle(element).color);
    expect(await color(online)).toBe(await color(title)); // faint, as what is old
    await tab.context.setOffline(false);
    await chip.getByText('Live', { exact: true }).waitFor();
    await banner.waitFor({ state: 'detached' });
    // Elsewhere than before: a minute of lights in one place would be an arrival.
    await ingest(scene.server, [
      point('HA7-09090', 0, { lat: HOME.lat + 0.02, speed: 20, course: 90, alerting: true }),
    ]);
    await (await find('Journey Runner')).getByText(/^E · 45 mph/).waitFor();
  });

  it('opens an asset without a network, though no screen of one was open before', async () => {
    const { page: fresh, context } = await scene.open({ still: true });
    const files: string[] = [];
    fresh.on('requestfinished', request => files.push(request.url()));
    await signIn(fresh, scene.server);
    const asset = await journey.find(fresh, 'Journey Scene');
    const came = (part: string) => files.some(url => url.includes(`/assets/${part}-`));
    await until('the parts of the app', () => ['ThingDetail', 'ThingEdit', 'AccessEditScreen', 'KeysTab'].every(came));
    await context.setOffline(true);
    await fresh.locator('[data-map]').getByText('Offline', { exact: true }).waitFor();
    await asset.click();
    await fresh.getByRole('heading', { level: 1, name: 'Journey Scene' }).waitFor();
    await fresh.getByText('Plate#').waitFor();
    await fresh.getByRole('button', { name: 'Live', exact: true }).click();
    await asset.waitFor();
  });

  // spec: 1.org.02
  it('shows only the assets of the organization that is chosen', async () => {
    const choose = async (from: string, to: string) => {
      await page.getByRole('button', { name: `${from} Organization` }).click();
      await page.getByRole('option', { name: to }).click();
    };
    await choose('Wilmington Fire Dept', 'Brandywine Towing');
    await until('only the towing assets', async () =>
      /^Live Assets 3 \/ 3$/.test((await page.getByRole('heading', { level: 1 }).textContent()) ?? ''),
    );
    await row(page, 'Brandywine Tow 1').waitFor();
    expect(await row(page, 'Engine').count()).toBe(0);
    await choose('Brandywine Towing', 'Wilmington Fire Dept');
    await row(page, 'Engine').first().waitFor();
  });
});

describe('who looks at it', () => {
  it('hears who has come on scene, without looking', async () => {
    await toList();
    const [haas_id, nickname] = ['HA7-09093', 'Journey Late'];
    await register(scene.server, [{ haas_id, nickname, thing_type: 'fire', device_type: 'ha7' }]);
    const there = { lat: HOME.lat - 0.03, lng: HOME.lng - 0.03, alerting: true };
    await ingest(scene.server, [point(haas_id, 90, { lat: there.lat - 0.01 }), point(haas_id, 70, there)]);
    await row(page, nickname).getByText('Responding').waitFor();
    await ingest(scene.server, [point(haas_id, 30, there), point(haas_id, 0, there)]);
    await heard(page, /\bJourney Late\b.* on scene/); // others of the fleet may arrive at the same moment
  });
});
