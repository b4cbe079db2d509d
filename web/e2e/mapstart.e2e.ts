// The map's own files on a network that fails: MapLibre, its worker and tiles come when they can, and the page stays.
import type { Page, Route } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ingest, mapReady, register, row, signIn, type Tab, until } from './harness';
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
    await page.getByRole('button', { name: 'Retry' }).click();
    await expectHealed();
  });

  it('tries again by itself', async () => {
    const heal = await cut(WORKER);
    await signIn(page, scene.server);
    await mark();
    await notice().waitFor();
    heal();
    await expectHealed();
  });

  it('comes when the network does that was cut while it loaded', async () => {
    const isCut = new Promise<void>(resolve => {
      void page.route(WORKER, async route => {
        await tab.context.setOffline(true);
        await route.abort('internetdisconnected');
        resolve();
      });
    });
    await signIn(page, scene.server);
    await mark();
    await isCut;
    await notice().waitFor();
    await page.unroute(WORKER);
    await tab.context.setOffline(false);
    await expectHealed();
  });

  it('is a fault, and is reported as one, when the server gives out something that does not run', async () => {
    await cut(WORKER, route => route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }));
    await signIn(page, scene.server);
    await notice().waitFor();
    const said = await until('the fault to be reported', () => tab.complaints.find(text => /Worker failed/.test(text)));
    expect(said).toContain('Worker failed to load');
    tab.complaints.splice(0); // it is what this journey is about
  });

  it('tiles that failed come without a move of the map', async () => {
    const tiles = /\/map\/(base|region)\/\d+\//;
    let isCut = true;
    let failed = 0;
    await page.route(tiles, async route => {
      if (!isCut) return route.continue();
      failed++;
      return route.abort('internetdisconnected');
    });
    await signIn(page, scene.server);
    await mapReady(page);
    await until('a tile to fail', () => failed > 0);
    const tile = page.waitForResponse(response => tiles.test(response.url()) && response.ok());
    isCut = false;
    await tile;
  });
});
