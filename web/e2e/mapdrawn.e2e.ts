// What the map draws, whatever happens: sources in full, another theme, a lost graphics context, a dead provider, no WebGL.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sizes, until } from './harness';
import { setScene } from './scene';
import {
  expectMarksDrawn,
  findMap,
  idle,
  layersOf,
  lookAt,
  loseGraphics,
  openMap,
  PARKED,
  sendUnits,
  stateOf,
} from './stage';

const TEXTS = {
  fallback: "This browser can't show the map.",
  webgl: 'WebGL must be enabled in your browser',
  unreachable: 'Map provider unreachable. Showing the built-in map.',
};

const scene = setScene();
let page: Page;

const expectLayers = (layers: readonly string[]) =>
  expect.poll(() => layersOf(page), { timeout: 60_000 }).toEqual(layers);

async function open(options: Parameters<typeof openMap>[1] = {}): Promise<void> {
  page = await openMap(scene, options);
}

beforeAll(() => sendUnits(scene.server));

describe('the map', () => {
  it('names the sources of its data in full on a phone', async () => {
    const { width, height } = sizes.phone;
    await open({ size: 'phone' });
    await findMap(page);
    const line = page.getByTitle('Map data');
    expect(await line.textContent()).toMatch(/OpenStreetMap contributors.*US Census$/);
    await until('the line to stand in the picture, clear of controls', async () => {
      const box = await line.boundingBox();
      const groups = await page.getByRole('toolbar', { name: 'Map' }).locator('> div').all();
      const tools = await Promise.all(groups.map(group => group.boundingBox()));
      const cut = await line.evaluate(p => p.scrollWidth > p.clientWidth || p.scrollHeight > p.clientHeight);
      if (!box || tools.length === 0 || cut) return false;
      const apart = tools.every(of => of && (box.x + box.width <= of.x || box.y >= of.y + of.height));
      return apart && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    });
  });

  it('keeps assets and overlay over a change of theme and over a lost graphics context', async () => {
    await open({ sharp: true });
    await findMap(page);
    await lookAt(page);
    const before = await layersOf(page);
    expect(before).toContain('lightbar-assets');
    expect(before.indexOf('lightbar-assets')).toBeLessThan(before.indexOf('app-labels'));
    const land = () =>
      page.evaluate(() => JSON.stringify(window.map.engineMap()?.getPaintProperty('base-land', 'fill-color')));
    const dark = await land();
    await page.emulateMedia({ colorScheme: 'light' });
    await until('the light ground', async () => (await land()) !== dark);
    await idle(page);
    await expectLayers(before);
    await expectMarksDrawn(page, scene.server);

    await loseGraphics(page);
    await idle(page);
    await expectLayers(before);
    await expectMarksDrawn(page, scene.server);
  });
});

describe('when something is missing', () => {
  // spec: 2.map.03
  it('a provider that cannot be reached gives way to the built-in map, with a notice', async () => {
    await open({
      sharp: true,
      config: body => {
        body.data.providers = [
          {
            id: 'dead',
            title: '',
            kind: 'raster',
            map_type: 'satellite',
            url: '/nowhere/{z}/{x}/{y}.png',
            attribution: 'Dead',
            max_zoom: 19,
            tile_size: 256,
          },
        ];
      },
    });
    await findMap(page);
    await page.route('**/nowhere/**', route => route.abort());
    await page.getByRole('radio', { name: 'Satellite' }).click();
    await page.getByText(TEXTS.unreachable).waitFor();
    await until('the built-in map', async () => (await layersOf(page)).includes('base-land'));
    await until('its sources alone', async () => !(await stateOf(page)).attribution.join().includes('Dead'));
    await expectMarksDrawn(page, scene.server);
  });

  // spec: 2.map.01 2.map.02
  it('without WebGL there are a notice and this browser’s steps, and the list goes on working', async () => {
    await open({
      before: () => {
        HTMLCanvasElement.prototype.getContext = () => null;
      },
    });
    await page.getByText(TEXTS.fallback).waitFor();
    await page.getByRole('button', { name: TEXTS.webgl }).click();
    await page.getByRole('dialog').getByText('chrome://settings/system').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await page.getByRole('row').filter({ hasText: PARKED.name }).waitFor();
  });
});
