// The map from outside: three units that stand where a journey wants them, and questions to the map's controller.
import type { Page } from 'playwright-core';
import type { MapController } from '~/map';
import { client, ingest, register, type Server, signIn, type sizes, until } from './harness';
import type { Scene } from './scene';

declare global {
  interface Window {
    map: MapController;
  }
}

export const CENTER = { lat: 39.7447, lng: -75.5484 };
/** Names, and where they stand: degrees east and north of the center. */
export const UNITS = [
  { name: 'HA7-08001', east: 0, north: 0, speed: 0, alerting: false },
  { name: 'HA7-08002', east: 0.006, north: 0.003, speed: 15, alerting: true },
  { name: 'HA7-08003', east: -0.005, north: -0.004, speed: 0, alerting: false },
] as const;
export const [PARKED, RUNNER, THIRD] = UNITS;
const COURSE = 90;

/** A report of a unit now, so many degrees east of where it started. */
export const report = (unit: (typeof UNITS)[number], east = 0) => ({
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

/** The units' ids by name. */
const ids = new Map<string, string>();

/** Makes the units known and has each report once. */
export async function sendUnits(server: Server): Promise<void> {
  await register(
    server,
    UNITS.map(unit => ({ haas_id: unit.name, thing_type: 'fire', nickname: unit.name })),
  );
  await ingest(
    server,
    UNITS.map(unit => report(unit)),
  );
  const things = await (await client(server)).get<{ id: string; nickname: string }[]>('/organization/things?limit=100');
  for (const { id, nickname } of things) ids.set(nickname, id);
}

function idOf(name: string): string {
  const id = ids.get(name);
  if (!id) throw new Error(`${name} is not known`);
  return id;
}

export interface MapConfig {
  data: { providers: Record<string, unknown>[] };
}

/** Opens the app on a desk; `before` runs in the page before its scripts, `config` changes what the map is told to use. */
export async function openMap(
  scene: Scene,
  options: {
    size?: keyof typeof sizes;
    sharp?: boolean;
    before?: () => void;
    config?: (body: MapConfig) => void;
  } = {},
): Promise<Page> {
  const { page } = await scene.open({ size: options.size ?? 'desktop', sharp: options.sharp ?? false });
  if (options.before) await page.addInitScript(options.before);
  if (options.config) {
    const change = options.config;
    await page.route('**/api/map/config', async route => {
      const response = await route.fetch();
      const body = (await response.json()) as MapConfig;
      change(body);
      await route.fulfill({ response, json: body });
    });
  }
  await signIn(page, scene.server);
  return page;
}

/**
 * Puts the map's controller, which the stage has in its properties, where the page's scripts can be asked about it, once
 * these stand on it: the units, if nothing else.
 */
export async function findMap(page: Page, standing = UNITS.map(unit => idOf(unit.name))): Promise<void> {
  await page.waitForFunction(units => {
    type Fiber = { return: Fiber | null; memoizedProps: { controller?: MapController } | null };
    const stage = document.querySelector('[data-map="ready"]');
    const key = stage && Object.keys(stage).find(name => name.startsWith('__reactFiber$'));
    let fiber = key ? (stage as unknown as Record<string, Fiber>)[key] : null;
    for (; fiber; fiber = fiber.return) {
      const controller = fiber.memoizedProps?.controller;
      if (!controller) continue;
      window.map = controller;
      return units.every(id => controller.standing.placeOf(id));
    }
    return false;
  }, standing);
}

export const idle = (page: Page) => page.evaluate(() => new Promise<void>(resolve => window.map.whenIdle(resolve)));
export const stateOf = (page: Page) => page.evaluate(() => window.map.getState());
export const layersOf = (page: Page) => page.evaluate(() => window.map.engineMap()?.getLayersOrder() ?? []);

/** The graphics context goes, and comes back: MapLibre then loads its style anew. */
export const loseGraphics = (page: Page) =>
  page.evaluate(async () => {
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

/** Shows the units from above. */
export async function lookAt(page: Page, zoom = 14): Promise<void> {
  await page.evaluate(([at, z]) => window.map.engineMap()?.jumpTo({ center: [at.lng, at.lat], zoom: z }), [
    CENTER,
    zoom,
  ] as const);
  await idle(page);
}

/** Where a unit's mark stands in the viewport. */
export const pointOf = (page: Page, name: string) =>
  page.evaluate(id => {
    const place = window.map.standing.placeOf(id);
    const canvas = window.map.engineMap()?.getCanvas().getBoundingClientRect();
    const point = place && window.map.engineMap()?.project([place.lng, place.lat]);
    if (!point || !canvas) throw new Error(`${id} is not on the map`);
    return { id, x: canvas.x + point.x, y: canvas.y + point.y };
  }, idOf(name));

/** How far, in px, a place is from the middle of the room that panels leave. */
export async function middleOffset(page: Page, place: { lat: number; lng: number }): Promise<number> {
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
export async function freeRoom(page: Page) {
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

/** The pixels of that color around a point of the page, as offsets from it in px. */
async function amberAround(page: Page, { x, y }: { x: number; y: number }): Promise<{ dx: number; dy: number }[]> {
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
export async function expectMarksDrawn(page: Page, server: Server): Promise<void> {
  await lookAt(page);
  const { id } = await pointOf(page, RUNNER.name);
  await until('the responding mark to be drawn', async () => {
    east = JUMP - east;
    await ingest(server, [report(RUNNER, east)]);
    await page.waitForFunction(
      ([asset, lng]) => Math.abs((window.map.standing.placeOf(asset)?.lng ?? 0) - lng) < 1e-7,
      [id, CENTER.lng + RUNNER.east + east] as const,
    );
    return (await amberAround(page, await pointOf(page, RUNNER.name))).length > 100;
  });
}
