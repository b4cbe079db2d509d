// The map in a real browser on the real server: pointer, menu, finder, camera, theme, graphics context, providers.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MapController } from '~/map';
import { ingest, openTab, register, type Server, signIn, startBrowser, startDemo, type Tab, until } from './harness';

declare global {
  interface Window {
    map: MapController;
  }
}

const CENTER = { lat: 39.7447, lng: -75.5484 };
/** Names, and where they stand: degrees east and north of the centre. */
const UNITS = [
  { name: 'HA7-08001', east: 0, north: 0, speed: 0, alerting: false },
  { name: 'HA7-08002', east: 0.006, north: 0.003, speed: 15, alerting: true },
  { name: 'HA7-08003', east: -0.005, north: -0.004, speed: 0, alerting: false },
] as const;
const [PARKED, RUNNER, THIRD] = UNITS;
const COURSE = 90;
const TEXTS = {
  fallback: 'The map cannot be shown in this browser.',
  webgl: 'WebGL must be enabled in your browser',
  unreachable: 'Map provider unreachable: showing the built-in map',
  unsupported: 'Your browser does not support geolocation.',
};

let server: Server;
let browser: Browser;
let tab: Tab;
let page: Page;

/** A report of a unit now, so many degrees east of where it started. */
const report = (unit: (typeof UNITS)[number], east = 0) => ({
  type: 'point',
  asset: unit.name,
  at: new Date().toISOString(),
  lat: CENTER.lat + unit.north,
  lng: CENTER.lng + unit.east + east,
  course: COURSE,
  speed: unit.speed,
  accuracy: 4,
  alerting: unit.alerting,
});

/** Puts the map's controller, which the stage has in its properties, where the page's scripts can be asked about it. */
async function findMap(): Promise<void> {
  await page.waitForFunction(
    () => {
      type Fiber = { return: Fiber | null; memoizedProps: { controller?: MapController } | null };
      const stage = document.querySelector('[data-map="ready"]');
      const key = stage && Object.keys(stage).find(name => name.startsWith('__reactFiber$'));
      let fiber = key ? (stage as unknown as Record<string, Fiber>)[key] : null;
      for (; fiber; fiber = fiber.return) {
        const controller = fiber.memoizedProps?.controller;
        if (!controller) continue;
        window.map = controller;
        return controller.assets.size > 0;
      }
      return false;
    },
    undefined,
    { timeout: 60_000 },
  );
}

const idle = () => page.evaluate(() => new Promise<void>(resolve => window.map.whenIdle(resolve)));
const state = () => page.evaluate(() => window.map.getState());
const layers = () => page.evaluate(() => window.map.engineMap()?.getLayersOrder() ?? []);

async function look(zoom = 14): Promise<void> {
  await page.evaluate(([at, z]) => window.map.engineMap()?.jumpTo({ center: [at.lng, at.lat], zoom: z }), [
    CENTER,
    zoom,
  ] as const);
  await idle();
}

/** Where a unit's mark stands in the viewport. */
const pointOf = (name: string) =>
  page.evaluate(label => {
    const asset = window.map.layer.table.objects.find(object => object?.label === label);
    const place = asset && window.map.placeOf(asset.id);
    const canvas = window.map.engineMap()?.getCanvas().getBoundingClientRect();
    const point = place && window.map.engineMap()?.project([place.lng, place.lat]);
    if (!point || !canvas || !asset) throw new Error(`${label} is not on the map`);
    return { id: asset.id, x: canvas.x + point.x, y: canvas.y + point.y };
  }, name);

/** Opens the app on a desk; `before` runs in the page before its scripts. */
async function open(options: { before?: () => void; config?: (body: MapBody) => void } = {}): Promise<void> {
  tab = await openTab(browser);
  page = tab.page;
  if (options.before) await page.addInitScript(options.before);
  if (options.config) {
    const change = options.config;
    await page.route('**/api/map/config', async route => {
      const response = await route.fetch();
      const body = (await response.json()) as MapBody;
      change(body);
      await route.fulfill({ response, json: body });
    });
  }
  await signIn(page, server);
}

interface MapBody {
  data: { providers: Record<string, unknown>[] };
}

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemo({ quiet: true }), startBrowser()]);
  await register(
    server,
    UNITS.map(unit => ({ haas_id: unit.name, thing_type: 'fire', nickname: unit.name })),
  );
  await ingest(
    server,
    UNITS.map(unit => report(unit)),
  );
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('the map', () => {
  beforeEach(async () => {
    await open();
    await findMap();
    await look();
  });
  afterEach(async () => {
    await tab.context.close();
    expect(tab.complaints).toEqual([]);
  });

  // spec: 2.map.11
  it('opens a card on hover, keeps it when pinned, opens the asset on a click', async () => {
    const { x, y, id } = await pointOf(PARKED.name);
    await page.mouse.move(x, y);
    const card = page.locator('[data-map]').getByRole('region', { name: PARKED.name });
    await card.waitFor();
    await card.getByRole('button', { name: 'Pin card' }).click();
    expect((await state()).pinned).toEqual([id]);
    await page.mouse.move(x + 60, y + 200);
    const other = await pointOf(THIRD.name);
    await page.mouse.click(other.x, other.y);
    await page.waitForURL(`**/dashboard/things/${other.id}`);
    await page.waitForFunction(selected => window.map.getState().selected === selected, other.id);
    await card.waitFor();
  });

  it('glides to a reported position and rests again', async () => {
    const before = await pointOf(RUNNER.name);
    await page.evaluate(id => {
      window.map.engineMap()?.on('render', () => {
        const place = window.map.placeOf(id);
        if (place) seen.push(place.lng);
      });
      const seen: number[] = [];
      Object.assign(window, { seen });
    }, before.id);
    const east = 0.0006;
    await ingest(server, [report(RUNNER, east)]);
    const target = CENTER.lng + RUNNER.east + east;
    await page.waitForFunction(
      ([id, lng]) => Math.abs((window.map.placeOf(id)?.lng ?? 0) - lng) < 1e-7 && !window.map.layer.gliding,
      [before.id, target] as const,
    );
    await idle();
    const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
    const between = seen.filter(lng => lng > target - east + 1e-6 && lng < target - 1e-6);
    expect(between.length).toBeGreaterThan(0); // how many depends on the machine
    expect(between).toEqual([...between].sort((a, b) => a - b));
    // At rest it draws nothing more: ten frames of the screen in a row without one of the map.
    await page.evaluate(
      () =>
        new Promise<void>(resolve => {
          let quiet = 0;
          window.map.engineMap()?.on('render', () => {
            quiet = 0;
          });
          const next = (): void => {
            if (++quiet > 10) resolve();
            else requestAnimationFrame(next);
          };
          next();
        }),
    );
  });

  // spec: 2.map.08 2.map.09
  it('a right click copies the coordinates and links to Waze and Google Maps', async () => {
    await page.mouse.click(900, 700, { button: 'right' });
    const menu = page.getByRole('menu', { name: 'Place on the map' });
    const said = menu.getByText('Copied').waitFor(); // it stands for two seconds
    await menu.getByRole('menuitem', { name: 'Copy coordinates' }).click();
    await said;
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^39\.\d{1,7}, -75\.\d{1,7}$/);
    const [lat, lng] = copied.split(', ');
    const link = (name: string) => menu.getByRole('menuitem', { name }).getAttribute('href');
    expect(await link('View on Waze')).toBe(`https://waze.com/ul?ll=${lat}%2C${lng}&navigate=yes`);
    expect(await link('View on Google Maps')).toBe(`https://www.google.com/maps/search/?api=1&query=${lat}%2C${lng}`);
    await menu.getByText('Copied').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  // spec: 2.map.05 2.map.06 2.map.10
  it('finds coordinates, shows all, follows the selected asset', async () => {
    await page.getByRole('button', { name: 'Find coordinates' }).click();
    const box = page.getByPlaceholder('41.8623, -87.6167');
    await box.fill('nowhere');
    await box.press('Enter');
    await page.getByText('Unable to find location.').waitFor();
    await box.fill('39.80, -75.60');
    await box.press('Enter');
    await idle();
    expect(await middleOffset({ lat: 39.8, lng: -75.6 })).toBeLessThan(2);
    await box.press('Escape');

    await page.getByRole('button', { name: 'Show All' }).click();
    await idle();
    const free = await freeRoom();
    for (const unit of UNITS) {
      const { x, y } = await pointOf(unit.name);
      expect(x).toBeGreaterThan(free.left);
      expect(x).toBeLessThan(free.right);
      expect(y).toBeGreaterThan(free.top);
      expect(y).toBeLessThan(free.bottom);
    }

    const { x, y } = await pointOf(RUNNER.name);
    await page.mouse.click(x, y);
    await page.waitForFunction(() => window.map.getState().selected !== null);
    await page.getByRole('toolbar', { name: 'Map' }).getByRole('button', { name: 'Follow asset' }).click();
    await idle();
    expect((await state()).zoom).toBeGreaterThanOrEqual(16.25);
    const east = 0.0012;
    await ingest(server, [report(RUNNER, east)]);
    const target = { lat: CENTER.lat + RUNNER.north, lng: CENTER.lng + RUNNER.east + east };
    await until('the camera to be over the followed asset', async () => (await middleOffset(target)) < 2);
    expect((await state()).following).toBe(true);
  });

  it.each([
    [1024, 768],
    [390, 844],
  ])('names the sources of its data in full at %d × %d', async (width, height) => {
    await page.setViewportSize({ width, height });
    const line = page.getByTitle('Map data');
    expect(await line.textContent()).toMatch(/OpenStreetMap contributors.*US Census$/);
    await until('the line to stand in the picture, clear of controls', async () => {
      const box = await line.boundingBox();
      const tools = await page.getByRole('toolbar', { name: 'Map' }).boundingBox();
      const cut = await line.evaluate(p => p.scrollWidth > p.clientWidth || p.scrollHeight > p.clientHeight);
      if (!box || !tools || cut) return false;
      const apart = box.x + box.width <= tools.x || box.y >= tools.y + tools.height;
      return box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height && apart;
    });
  });

  it('keeps assets and overlay over a change of theme and over a lost graphics context', async () => {
    const before = await layers();
    expect(before).toContain('lightbar-assets');
    expect(before.indexOf('lightbar-assets')).toBeLessThan(before.indexOf('app-labels'));
    const land = () =>
      page.evaluate(() => JSON.stringify(window.map.engineMap()?.getPaintProperty('base-land', 'fill-color')));
    const dark = await land();
    await page.emulateMedia({ colorScheme: 'light' });
    await until('the light ground', async () => (await land()) !== dark);
    await idle();
    expect(await layers()).toEqual(before);
    await expectMarksDrawn();

    await page.evaluate(async () => {
      const map = window.map.engineMap();
      const gl = map?.getCanvas().getContext('webgl2')?.getExtension('WEBGL_lose_context');
      if (!map || !gl) throw new Error('no graphics context to lose');
      const lost = new Promise(resolve => map.once('webglcontextlost', resolve));
      gl.loseContext();
      await lost;
      await new Promise(resolve => setTimeout(resolve)); // it may be restored only when the event has gone by
      const restored = new Promise(resolve => map.once('webglcontextrestored', resolve));
      gl.restoreContext();
      await restored;
    });
    await idle();
    expect(await layers()).toEqual(before);
    await expectMarksDrawn();
  });
});

// spec: 2.map.04 8.geo.01
describe('where the user is', () => {
  afterEach(() => tab.context.close());

  const press = () => page.getByRole('button', { name: 'Show your location' }).click();

  it('is shown at zoom 17 when the browser tells it', async () => {
    await open({
      before: () => {
        const coords = { latitude: 39.75, longitude: -75.55, accuracy: 5 };
        Object.defineProperty(navigator, 'geolocation', {
          value: { getCurrentPosition: (found: (position: unknown) => void) => found({ coords, timestamp: 0 }) },
        });
      },
    });
    await findMap();
    await press();
    await page.getByRole('img', { name: 'Your location' }).waitFor({ state: 'attached' }); // its box is a point: the dot is drawn around it
    await page.waitForFunction(() => window.map.getState().zoom === 17);
    await until('the camera to be there', async () => (await middleOffset({ lat: 39.75, lng: -75.55 })) < 2);
    expect(tab.complaints).toEqual([]);
  });

  it('says so when the user refuses', async () => {
    await open({
      before: () => {
        Object.defineProperty(navigator, 'geolocation', {
          value: { getCurrentPosition: (_: unknown, failed: (error: unknown) => void) => failed({ code: 1 }) },
        });
      },
    });
    await findMap();
    await press();
    await page.getByRole('status').getByText('Safety Cloud does not have permission to use your location.').waitFor();
  });

  it('says so when the browser has no geolocation', async () => {
    await open({ before: () => Object.defineProperty(navigator, 'geolocation', { value: undefined }) });
    await findMap();
    await press();
    await page.getByRole('status').getByText(TEXTS.unsupported).waitFor();
  });
});

describe('when something is missing', () => {
  afterEach(() => tab.context.close());

  // spec: 2.map.03
  it('a provider that cannot be reached gives way to the built-in map, with a notice', async () => {
    await open({
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
    await findMap();
    await page.route('**/nowhere/**', route => route.abort());
    await page.getByRole('radio', { name: 'Satellite' }).click();
    await page.getByText(TEXTS.unreachable).waitFor();
    expect((await state()).attribution.join()).not.toContain('Dead');
    expect(await layers()).toContain('base-land');
    await expectMarksDrawn();
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

/** How far, in px, a place is from the middle of the room that panels leave. */
async function middleOffset(place: { lat: number; lng: number }): Promise<number> {
  return page.evaluate(at => {
    const map = window.map.engineMap();
    const { insets } = window.map.anchors;
    const point = map?.project([at.lng, at.lat]);
    const box = map?.getContainer();
    if (!point || !box) return Number.POSITIVE_INFINITY;
    const x = (insets.left + box.clientWidth - insets.right) / 2;
    const y = (insets.top + box.clientHeight - insets.bottom) / 2;
    return Math.hypot(point.x - x, point.y - y);
  }, place);
}

/** The room that panels leave, in the viewport. */
async function freeRoom() {
  return page.evaluate(() => {
    const { insets } = window.map.anchors;
    const box = document.querySelector('[data-map]')?.getBoundingClientRect() ?? new DOMRect();
    return {
      left: box.left + insets.left,
      right: box.right - insets.right,
      top: box.top + insets.top,
      bottom: box.bottom - insets.bottom,
    };
  });
}

type Rgb = readonly [red: number, green: number, blue: number];
/** The fill of a responding asset in each theme. */
const AMBER: readonly Rgb[] = [
  [255, 178, 36],
  [238, 149, 18],
];

/** The pixels of that colour around a point of the page, as offsets from it in px. */
async function amberAround({ x, y }: { x: number; y: number }): Promise<{ dx: number; dy: number }[]> {
  const side = 48;
  const png = await page.screenshot({
    clip: { x: Math.round(x) - side / 2, y: Math.round(y) - side / 2, width: side, height: side },
  });
  return page.evaluate(
    async ([base64, colors, size]) => {
      const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(size, size).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, size, size);
      const found: { dx: number; dy: number }[] = [];
      for (let i = 0; i < data.length; i += 4) {
        const near = colors.some(color => color.every((part, c) => Math.abs(part - (data[i + c] ?? 0)) < 24));
        const pixel = i / 4;
        if (near) found.push({ dx: (pixel % size) - size / 2 + 0.5, dy: Math.floor(pixel / size) - size / 2 + 0.5 });
      }
      return found;
    },
    [png.toString('base64'), AMBER, side] as const,
  );
}

/** So far east that the mark jumps there. */
const JUMP = 0.007;
let east = 0;

/**
 * Waits until the responding unit's mark is in the picture. It must report for that, or it is stale, and elsewhere each
 * time, since a minute of lights in one place is an arrival.
 */
async function expectMarksDrawn(): Promise<void> {
  await look();
  const { id } = await pointOf(RUNNER.name);
  await until(
    'the responding mark to be drawn',
    async () => {
      east = JUMP - east;
      await ingest(server, [report(RUNNER, east)]);
      await page.waitForFunction(([asset, lng]) => Math.abs((window.map.placeOf(asset)?.lng ?? 0) - lng) < 1e-7, [
        id,
        CENTER.lng + RUNNER.east + east,
      ] as const);
      return (await amberAround(await pointOf(RUNNER.name))).length > 100;
    },
    60_000,
  );
}
