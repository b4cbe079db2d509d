// The map alone in a real browser: pointer, menu, finder, theme, lost context, providers, missing WebGL.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BenchServer, CHROMIUM, serve } from './server.mjs';
import type {} from './stage';

let server: BenchServer;
let browser: Browser;
let context: BrowserContext;
let faults: string[] = [];

beforeAll(async () => {
  server = await serve(5178);
  browser = await chromium.launch(CHROMIUM);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  await context?.close();
  expect(faults).toEqual([]);
});

async function open(options: { before?: () => void; idle?: boolean; query?: string } = {}): Promise<Page> {
  faults = [];
  context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    geolocation: { latitude: 39.75, longitude: -75.55 },
    permissions: ['geolocation', 'clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.on('pageerror', error => faults.push(error.message));
  if (options.before) await page.addInitScript(options.before);
  const region = server.bounds ? `&region=${encodeURIComponent(JSON.stringify(server.bounds))}` : '';
  await page.goto(`${server.url}/stage.html?theme=dark${region}${options.query ?? ''}`);
  if (options.idle !== false) await idle(page);
  return page;
}

async function idle(page: Page): Promise<void> {
  await page.waitForSelector('[data-map="ready"]', { timeout: 60_000 });
  await page.evaluate(() => new Promise<void>(resolve => window.stage.controller.whenIdle(resolve)));
}

/** Where an asset's mark stands on the page. */
const pointOf = (page: Page, id: string) =>
  page.evaluate(asset => {
    const { controller } = window.stage;
    const place = controller.placeOf(asset);
    const point = place && controller.engineMap()?.project([place.lng, place.lat]);
    return { x: point?.x ?? -1, y: point?.y ?? -1 };
  }, id);

const layers = (page: Page) => page.evaluate(() => window.stage.controller.engineMap()?.getLayersOrder() ?? []);
const state = (page: Page) => page.evaluate(() => window.stage.controller.getState());

/** Frames drawn in a second in which nothing happens. */
const framesAtRest = (page: Page) =>
  page.evaluate(async () => {
    let frames = 0;
    const count = () => {
      frames++;
    };
    const map = window.stage.controller.engineMap();
    map?.on('render', count);
    await new Promise(resolve => setTimeout(resolve, 1000));
    map?.off('render', count);
    return frames;
  });

describe('the map stage', () => {
  // spec: 2.map.11
  it('opens a card on hover, selects on click, pins; a still picture draws no frame', async () => {
    const page = await open();
    expect(await framesAtRest(page)).toBe(0);
    const unit = await pointOf(page, 'asset-13');
    await page.mouse.move(unit.x, unit.y);
    const card = page.getByRole('region', { name: 'asset-13' });
    await card.waitFor();
    await card.getByRole('button', { name: 'Pin card' }).click();
    expect((await state(page)).pinned).toContain('asset-13');
    const clicked = page.evaluate(
      () => new Promise<string>(resolve => window.stage.controller.on('assetclick', ({ id }) => resolve(id))),
    );
    const other = await pointOf(page, 'asset-10');
    await page.mouse.click(other.x, other.y);
    expect(await clicked).toBe('asset-10');
  });

  it('glides to a received fix and then rests again', async () => {
    const page = await open();
    const before = await pointOf(page, 'asset-3');
    await page.evaluate(() => {
      const { controller, assetsAt } = window.stage;
      controller.assets.apply({ upserted: assetsAt(12), removed: [] });
    });
    await page.waitForFunction(() => !window.stage.controller.layer.gliding);
    await idle(page);
    const after = await pointOf(page, 'asset-3');
    expect(after.x - before.x).toBeGreaterThan(11);
    expect(after.x - before.x).toBeLessThan(13);
    expect(await framesAtRest(page)).toBe(0);
  });

  // spec: 2.map.08 2.map.09
  it('right-click copies coordinates and links', async () => {
    const page = await open();
    await page.mouse.click(700, 700, { button: 'right' });
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Copy coordinates' }).click();
    await menu.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^-?\d+\.\d{1,7}, -?\d+\.\d{1,7}$/);
    expect(await menu.getByRole('menuitem', { name: 'View on Waze' }).getAttribute('href')).toMatch(
      /^https:\/\/waze\.com\/ul\?ll=39\.\d+%2C-75\.\d+&navigate=yes$/,
    );
    await menu.getByText('Copied').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  // spec: 2.map.05 2.map.06 2.map.10
  it('finds coordinates, shows all, follows', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Find coordinates' }).click();
    const box = page.getByPlaceholder('41.8623, -87.6167');
    await box.fill('nowhere');
    await box.press('Enter');
    await page.getByText('Unable to find location.').waitFor();
    await box.fill('39.80, -75.60');
    await box.press('Enter');
    await idle(page);
    const found = await page.evaluate(() => window.stage.controller.engineMap()?.project([-75.6, 39.8]));
    expect(Math.abs((found?.x ?? 0) - 840)).toBeLessThan(2); // the middle beside the drawer
    await page.getByRole('button', { name: 'Show All' }).click();
    await idle(page);
    for (const id of ['asset-0', 'asset-4', 'asset-16']) {
      const { x, y } = await pointOf(page, id);
      expect(x).toBeGreaterThan(449);
      expect(x).toBeLessThan(1231);
      expect(y).toBeGreaterThan(49);
      expect(y).toBeLessThan(851);
    }
    await page.getByRole('button', { name: 'Follow asset' }).click();
    await idle(page);
    const { x, y } = await pointOf(page, 'asset-2');
    expect([Math.round(x), Math.round(y)]).toEqual([840, 450]);
    expect((await state(page)).zoom).toBeGreaterThanOrEqual(16.25);
  });

  // spec: 2.map.04
  it('shows where the user is, at zoom 17', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Show your location' }).click();
    await page.getByRole('img', { name: 'Your location' }).waitFor();
    await idle(page);
    expect((await state(page)).zoom).toBe(17);
  });

  it('keeps assets and overlay over a change of theme and a lost graphics context', async () => {
    const page = await open();
    const before = await layers(page);
    expect(before).toContain('lightbar-assets');
    await page.evaluate(() => window.stage.controller.setTheme('light'));
    await idle(page);
    expect(await layers(page)).toEqual(before);
    await page.evaluate(async () => {
      const map = window.stage.controller.engineMap();
      const gl = map?.getCanvas().getContext('webgl2')?.getExtension('WEBGL_lose_context');
      const restored = new Promise(resolve => map?.once('webglcontextrestored', resolve));
      const lost = new Promise(resolve => map?.once('webglcontextlost', resolve));
      gl?.loseContext();
      await lost;
      gl?.restoreContext();
      await restored;
    });
    await idle(page);
    expect(await layers(page)).toEqual(before);
    expect(await page.evaluate(() => window.stage.controller.layer.fill.visible)).toBeGreaterThan(10);
  });

  it('falls back to the built-in map when a provider cannot be reached, and says so', async () => {
    const page = await open();
    await page.evaluate(() => {
      const provider = {
        id: 'dead',
        title: '',
        kind: 'raster',
        role: 'satellite',
        url: '/nowhere/{z}/{x}/{y}.png',
      } as const;
      window.stage.controller.setConfig({
        base: { tiles: '/map/base/{z}/{x}/{y}.mvt', maxZoom: 8, attribution: 'Base' },
        region: null,
        providers: [{ ...provider, attribution: 'Dead', maxZoom: 19, tileSize: 256 }],
      });
    });
    await page.getByRole('radio', { name: 'Satellite' }).click();
    await page.getByText('Map provider unreachable: showing the built-in map').waitFor();
    expect((await state(page)).attribution).toEqual(['Base']);
    expect(await layers(page)).toContain('base-land');
  });

  // spec: 2.map.01 2.map.02
  it('says what to do when the browser has no WebGL', async () => {
    const page = await open({
      idle: false,
      before: () => {
        HTMLCanvasElement.prototype.getContext = () => null;
      },
    });
    await page.getByText('The map cannot be shown in this browser.').waitFor();
    await page.getByRole('button', { name: 'WebGL must be enabled in your browser' }).click();
    await page.getByRole('dialog').getByText('chrome://settings/system').waitFor();
  });
});
