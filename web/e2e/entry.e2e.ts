// The way into the app and out of it, its addresses, and who may what, on the real server with a moving fleet.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, look, mapReady, row, signIn, type Tab, until } from './harness';
import * as journey from './journey';
import { setScene } from './scene';
import { startDemo } from './world';

const scene = setScene(startDemo);
let tab: Tab;
let page: Page;

const path = () => journey.pathOf(page);
const find = (name: string) => journey.find(page, name);

beforeAll(async () => {
  await journey.sendJourneys(scene.server);
  tab = await scene.openForAll({ still: true });
  page = tab.page;
});

describe('the way in', () => {
  // spec: 2.pub.01 2.pub.02 2.pub.10 2.dash.01 8.signin.03
  it('leads a stranger to the sign-in, refuses a wrong password, and remembers where they wanted to go', async () => {
    await page.goto(`${scene.server.url}/welcome`);
    await page.waitForURL('**/welcome/signin');
    await page.goto(scene.server.url);
    await page.waitForURL('**/welcome/signin');
    await page.goto(`${scene.server.url}/dashboard/things?from=here`);
    await page.waitForURL('**/welcome/signin?**');
    await page.getByLabel('Email').fill('admin@demo.example');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('Journey#Otter2025');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Email and/or password incorrect.').waitFor();
    await password.fill(scene.server.password);
    const tile = page.waitForResponse(r => r.url().includes('/map/region/') && r.status() === 200);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard/things?from=here');
    await tile;
  });

  // spec: 2.nav.09
  it('draws the map over the whole stage', async () => {
    await mapReady(page);
    const canvas = page.locator('[data-map] canvas').first();
    const box = await canvas.boundingBox();
    expect(box?.height).toBe(900);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(1440);
    const { colors } = await until('streets on the canvas', async () => {
      const seen = await look(
        scene.browser,
        await page.screenshot({ clip: { x: 600, y: 100, width: 700, height: 650 } }),
      );
      return seen.colors > 50 && seen;
    });
    expect(colors).toBeGreaterThan(50);
  });

  // spec: 4.auth.01
  it('keeps the session over a reload and in a new tab', async () => {
    await page.reload();
    await row(page, 'Engine').first().waitFor();
    await mapReady(page);
    expect(path()).toBe('/dashboard/things');
    await page.goto(`${scene.server.url}/welcome/signin`);
    await page.waitForURL(/\/dashboard\/things(\?|$)/);
    await mapReady(page);
  });
});

describe('addresses', () => {
  // spec: 2.route.24
  it('says that an unknown address is unknown, and leads home', async () => {
    await page.goto(`${scene.server.url}/nonsense`);
    await page.getByText('Sorry, the requested URL was not found here.').waitFor();
    await page.getByRole('link', { name: 'Take me back to the main page' }).click();
    await page.waitForURL(/\/dashboard\/things(\?|$)/);
    await mapReady(page);
    await page.goto(`${scene.server.url}/dashboard/nonsense`);
    await page.getByText('Sorry, the requested URL was not found here.').waitFor();
  });

  // spec: 2.route.23
  it('opens a shared link in a new tab', async () => {
    await journey.toList(page, scene.server);
    await (await find('Journey Scene')).click();
    await page.waitForURL(/\/dashboard\/things\/[0-9a-f-]{36}(\?|$)/);
    const second = await tab.context.newPage();
    await second.goto(page.url());
    await second.getByRole('heading', { level: 1, name: 'Journey Scene' }).waitFor();
    await second.getByText('Time-to-Scene').waitFor();
    await mapReady(second);
    await second.goto(`${scene.server.url}/dashboard/404`);
    await second.waitForURL(/\/dashboard\/things(\?|$)/);
    await mapReady(second);
    await second.close();
  });
});

describe('who may what', () => {
  // spec: 2.nav.07 4.auth.02 4.auth.03
  it('signs out for good', async () => {
    await page.goto(`${scene.server.url}/dashboard/things`);
    await mapReady(page);
    const revoked = page.waitForRequest(r => r.url().endsWith('/api/revoke_token'));
    await page.getByRole('button', { name: /profile of Dana Moore/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await revoked;
    await page.waitForURL('**/welcome/signin**');
    await page.goto(`${scene.server.url}/dashboard/things`);
    await page.waitForURL('**/welcome/signin**');
  });

  // spec: 2.route.02 2.things.12
  it('lets a viewer read and not edit', async () => {
    await signIn(page, scene.server, 'viewer');
    await (await find('Journey Scene')).click();
    await page.waitForURL(/\/dashboard\/things\/[0-9a-f-]{36}(\?|$)/);
    await page.getByText('System Id', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
    await mapReady(page);
    await page.goto(`${scene.server.url}${path()}/edit`);
    await page.getByText('Sorry, you are not currently authorized to access this page.').waitFor();
  });

  it('keeps an outsider out', async () => {
    const asset = await (await client(scene.server))
      .get<{ id: string; nickname: string }[]>('/organization/things?limit=100')
      .then(things => things.find(thing => thing.nickname === 'Journey Scene')?.id ?? '');
    expect(asset).not.toBe('');
    const stranger = await scene.open();
    await signIn(stranger.page, scene.server, 'outsider');
    await stranger.page.getByText('No results found.').waitFor();
    const title = stranger.page.getByRole('heading', { level: 1 });
    await until('none of none', async () => (await title.textContent()) === 'Live Assets 0 / 0');
    await mapReady(stranger.page);
    await stranger.page.goto(`${scene.server.url}/dashboard/things/${asset}`);
    await stranger.page.getByText('Asset not found').waitFor();
  });
});
