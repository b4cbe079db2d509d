// The map's own files on a network that fails: MapLibre, its worker and tiles come when they can, and the page stays.
import type { Page, Route } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ingest, mapReady, register, row, signIn, type Tab } from './harness';
import { setScene } from './scene';

const WORKER = '**/assets/maplibre-gl-worker*';
const ENGINE = '**/assets/engine-*.js';
const UNIT = 'HA7-07001';
const NOTICE = "The map couldn't load. Trying again…";

const scene = setScene();
let tab: Tab;
let page: Page;

beforeAll(async () => {
  await register(scene.server, [{ haas_id: UNIT, thing_type: 'fire', nickname: UNIT }]);
  const at = new Date().toISOString();
  await ingest(scene.server, [{ type: 'point', asset: UNIT, at, lat: 39.7447, lng: -75.5484, accuracy: 4 }]);
});
beforeEach(async () => {
  tab = await scene.open();
  page = tab.page;
});

const notice = () => page.locator('[data-map]').getByRole('status').getByText(NOTICE);

/** Lets requests for these files fail until the answer of this is called. */
async function cut(files: string, fail = (route: Route) => route.abort('internetdisconnected')): Promise<() => void> {
  let isCut = true;
  await page.route(files, route => (isCut ? fail(route) : route.continue()));
  return () => {
    isCut = false;
  };
}

/** Marks the document, so that a reload would be seen. */
const mark = () => page.evaluate(() => Object.assign(window, { stays: true }));
const stays = () => page.evaluate(() => 'stays' in window);

async function expectHealed(): Promise<void> {
  await mapReady(page);
  await notice().waitFor({ state: 'detached' });
  expect(await stays()).toBe(true);
}

describe('what the map is made of cannot be had', () => {
  it.each([
    ['its worker', WORKER],
    ['MapLibre itself', ENGINE],
  ])('%s: a notice says so, the list works, Retry brings the map', async (_, files) => {
    const heal = await cut(files);
    await signIn(page, scene.server);
    await mark();
    await notice().waitFor();
    await row(page, UNIT).waitFor();
    heal();
    // The map tries by itself as well, so the button may be gone before it can be pressed.
    const pressed = page.getByRole('button', { name: 'Retry' }).click();
    pressed.catch(() => undefined); // of a page that is closed by then
    await Promise.race([pressed, notice().waitFor({ state: 'detached' })]);
    await expectHealed();
  });
});
