// Shapes drawn on the map of the app as it ships: by mouse, by touch, by keys alone; over changes of theme and of style.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drawing, DrawOptions } from '~/map/draw/drawing';
import { heard, until } from './harness';
import { tabbed } from './journey';
import { axe, both, everywhere } from './look';
import { setScene } from './scene';
import {
  CENTER,
  findMap,
  freeRoom,
  idle,
  layersOf,
  lookAt,
  loseGraphics,
  type MapConfig,
  openMap,
  sendUnits,
} from './stage';

declare global {
  interface Window {
    drawing: Drawing;
  }
}

const scene = setScene();
let page: Page;
type Px = readonly [right: number, down: number];
/** Of the room that panels leave, where corners are counted from. */
let middle: Px;

beforeAll(() => sendUnits(scene.server));

/** Six corners around the middle of the free room. */
const CORNERS: readonly Px[] = [
  [-100, -80],
  [60, -110],
  [130, -10],
  [80, 90],
  [-40, 110],
  [-130, 40],
];

/** A provider of pictures from above, all of one pixel. */
const satellite = (body: MapConfig): void => {
  const url = '/picture/{z}/{x}/{y}.png';
  const size = { max_zoom: 19, tile_size: 256 };
  body.data.providers = [
    { id: 'above', title: '', kind: 'raster', map_type: 'satellite', url, attribution: 'Above', ...size },
  ];
};
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Opens a map and begins to draw, as the screen of a noun does. */
async function draw(
  options: Pick<DrawOptions, 'kind' | 'initial' | 'unit' | 'snapTo'>,
  size: 'desktop' | 'phone' = 'desktop',
  config: (body: MapConfig) => void = () => undefined,
): Promise<void> {
  page = await openMap(scene, { size, config });
  await findMap(page);
  await lookAt(page);
  await begin(options);
}

async function begin(options: Pick<DrawOptions, 'kind' | 'initial' | 'unit' | 'snapTo'>): Promise<void> {
  await page.evaluate(async given => {
    window.drawing = await window.map.openDrawing({
      ...given,
      describe: () => '0.12 square miles',
      // Stands for the law of shapes: what goes too far north is refused.
      check: drawn =>
        drawn.type === 'Polygon' && drawn.coordinates[0]?.some(([, lat = 0]) => lat > 39.76) ? 'Too far north' : null,
    });
  }, options);
  await tools().waitFor();
  const room = await freeRoom(page);
  const own = await tools().boundingBox();
  // A phone's tools take all of the upper part; they grow by a line of words.
  const top = own && own.width > (room.right - room.left) / 2 ? own.y + own.height + 20 : room.top;
  middle = [(room.left + room.right) / 2, (top + room.bottom) / 2];
}

const tools = () => page.getByRole('region', { name: 'Drawing' });
const tool = (name: string) => tools().getByRole('button', { name, exact: true });
const points = () => page.evaluate(() => window.drawing.state.get().draft.points.map(({ lat, lng }) => [lng, lat]));
const isClosed = () => page.evaluate(() => window.drawing.state.get().draft.isClosed);
const count = (n: number, closed: boolean) =>
  until(
    `${n} points, ${closed ? 'closed' : 'open'}`,
    async () => (await points()).length === n && (await isClosed()) === closed,
  ).catch(async error => {
    throw new Error(`${error.message}: ${JSON.stringify(await page.evaluate(() => window.drawing.state.get()))}`);
  });

const at = ([right, down]: Px): [x: number, y: number] => [Math.round(middle[0] + right), Math.round(middle[1] + down)];

/** Where a place of the map stands in the viewport. */
const pxOf = (place: readonly number[]) =>
  page.evaluate(([lng = 0, lat = 0]) => {
    const map = window.map.engineMap();
    const box = map?.getCanvas().getBoundingClientRect();
    const px = map?.project([lng, lat]);
    if (!box || !px) throw new Error('no map');
    return [box.x + px.x, box.y + px.y] as const;
  }, place);

/** The drawn features of a part, as they stand in the map's source. */
const parts = (part: string) =>
  page.evaluate(async wanted => {
    const source = window.map.engineMap()?.getSource('app-drawing') as unknown as {
      getData(): Promise<{ features: { properties: { part: string; refused: boolean } }[] }>;
    };
    return (await source.getData()).features.filter(f => f.properties.part === wanted);
  }, part);

async function expectNear(place: readonly number[] | undefined, [x, y]: readonly [number, number]): Promise<void> {
  const [px, py] = await pxOf(place ?? []);
  expect(Math.hypot(px - x, py - y)).toBeLessThan(2);
}

describe('by mouse', () => {
  const click = async (corner: Px) => page.mouse.click(...at(corner));
  const drag = async (from: readonly [number, number], by: Px) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + by[0] / 2, from[1] + by[1] / 2);
    await page.mouse.move(from[0] + by[0], from[1] + by[1], { steps: 3 });
    await page.mouse.up();
  };

  it('draws a polygon of six vertices, moves one, deletes one, undoes and redoes every step', async () => {
    await draw({ kind: 'polygon' });
    for (const corner of CORNERS) await click(corner);
    await count(6, false);
    await click(CORNERS[0] as Px);
    await count(6, true);
    const drawn = await points();
    for (const [i, corner] of CORNERS.entries()) await expectNear(drawn[i], at(corner));

    await drag(at(CORNERS[1] as Px), [40, 30]);
    const moved = await until('the second point to move', async () => {
      const now = await points();
      return now[1]?.join() !== drawn[1]?.join() && now;
    });
    const [x, y] = at(CORNERS[1] as Px);
    await expectNear(moved[1], [x + 40, y + 30]);
    await heard(page, 'Point 2 moved. 6 points, 0.12 square miles.');

    await click(CORNERS[3] as Px);
    await page.waitForFunction(() => window.drawing.state.get().selected === 3);
    await page.keyboard.press('Delete');
    await count(5, true);
    await heard(page, 'Point 4 removed. 5 points, 0.12 square miles.');
    const left = await points();

    await page.keyboard.press('Control+z');
    await count(6, true);
    expect(await points()).toEqual(moved);
    await page.keyboard.press('Control+Shift+z');
    await count(5, true);
    expect(await points()).toEqual(left);
    await tool('Undo').click();
    await tool('Undo').click();
    expect(await points()).toEqual(drawn);
    // Back to nothing, as it was drawn, and forth again; the pointer goes on where an undo has left it.
    await tool('Undo').click();
    await count(6, false);
    for (let n = 5; n >= 2; n--) {
      await tool('Undo').click();
      await count(n, false);
    }
    await click([0, 0]);
    await count(3, false);
    await page.keyboard.press('Control+z');
    await count(2, false);
    await click(CORNERS[2] as Px);
    await click(CORNERS[4] as Px);
    await page.keyboard.press('Enter');
    await count(4, true);
  });

  it('moves a point by a drag of a single move', async () => {
    await draw({ kind: 'polygon' });
    for (const corner of CORNERS) await click(corner);
    await page.keyboard.press('Enter');
    await count(6, true);
    const [x, y] = at(CORNERS[1] as Px);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 30);
    await page.mouse.up();
    await heard(page, 'Point 2 moved. 6 points, 0.12 square miles.');
    await expectNear((await points())[1], [x + 40, y + 30]);
  });

  it('adds a point by a midpoint as one step, closes by a double click, and takes a vertex by the other button', async () => {
    await draw({ kind: 'polygon' });
    for (const corner of CORNERS.slice(0, 3)) await click(corner);
    await page.mouse.dblclick(...at(CORNERS[4] as Px));
    await count(4, true);
    const [a, b] = [at(CORNERS[0] as Px), at(CORNERS[1] as Px)];
    await until('midpoints', async () => (await parts('midpoint')).length === 4);
    await drag([Math.round((a[0] + b[0]) / 2), Math.round((a[1] + b[1]) / 2)], [0, -40]);
    await count(5, true);
    await page.keyboard.press('Control+z');
    await count(4, true);
    await page.mouse.click(...at(CORNERS[2] as Px), { button: 'right' });
    await count(3, true);
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  it('shows what the law refuses on the shape and in words, through a change of theme, style and size', async () => {
    await draw({ kind: 'polygon' }, 'desktop', satellite);
    await page.route('**/picture/**', route => route.fulfill({ contentType: 'image/png', body: PIXEL }));
    for (const corner of CORNERS) await click(corner);
    await page.keyboard.press('Enter');
    await count(6, true);
    await until('the shape to be drawn', async () => (await parts('shape'))[0]?.properties.refused === false);
    await page.evaluate(() => window.drawing.move(0, { lat: 39.77, lng: -75.5484 }));
    await tools().getByText('Too far north').waitFor();
    await until('the shape to be drawn as refused', async () => (await parts('shape'))[0]?.properties.refused);
    await page.keyboard.press('Control+z');
    await tools().getByText('Too far north').waitFor({ state: 'detached' });
    await lookAt(page);

    const before = await points();
    await page.emulateMedia({ colorScheme: 'light' });
    const color = () => page.evaluate(() => window.map.engineMap()?.getPaintProperty('app-drawing-edge', 'line-color'));
    await until('the light colors', async () => (await color()) === '#ffffff');
    await page.getByRole('radio', { name: 'Satellite' }).click();
    await until('the pictures from above', async () => (await layersOf(page)).includes('provider-raster'));
    await loseGraphics(page);
    await page.setViewportSize({ width: 1280, height: 760 });
    await idle(page);
    expect((await parts('vertex')).length).toBe(6);
    expect(await points()).toEqual(before);
    await drag(await pxOf(before[2] ?? []), [20, 20]);
    await until('the third point to move', async () => (await points())[2]?.join() !== before[2]?.join());
  });

  it('draws a circle from its center, keeps the center while its edge is dragged and the radius while it is moved', async () => {
    await draw({ kind: 'circle', unit: 'ft' });
    await click([0, 0]);
    await click([100, 0]);
    await count(1, true);
    const radius = () => page.evaluate(() => window.drawing.state.get().draft.radiusM);
    const first = await radius();
    const [center] = await points();
    await expectNear(center, at([0, 0]));
    // From where it says that it can be held, and from anywhere else on its edge.
    await drag(at([100, 0]), [40, 0]);
    await until('a larger radius', async () => (await radius()) > first * 1.39);
    expect(await radius()).toBeLessThan(first * 1.41);
    expect((await points())[0]).toEqual(center);
    const second = await radius();
    await drag(at([0, 0]), [-30, 20]);
    await until('another center', async () => (await points())[0]?.join() !== center?.join());
    await expectNear((await points())[0], at([-30, 20]));
    expect(await radius()).toBe(second);
    await tools().getByRole('textbox', { name: 'Radius' }).fill('1000');
    await page.keyboard.press('Enter');
    await until('the typed radius', async () => Math.abs((await radius()) - 304.8) < 1e-9);
    await heard(page, 'Radius changed. Radius 1,000 ft, 0.12 square miles.');
  });

  it('draws a line and comes to rest on other shapes', async () => {
    await draw({
      kind: 'line',
      snapTo: [{ type: 'Point', coordinates: [CENTER.lng, CENTER.lat] }],
    });
    await click([-120, 40]);
    const [x, y] = await pxOf([CENTER.lng, CENTER.lat]);
    await page.mouse.click(x + 6, y - 5);
    await count(2, false);
    expect((await points())[1]).toEqual([CENTER.lng, CENTER.lat]);
    await click([100, 90]);
    await page.keyboard.press('Enter');
    await count(3, true);
    expect(await page.evaluate(() => window.drawing.get()?.type)).toBe('LineString');
    await page.evaluate(() => window.drawing.destroy());
    await tools().waitFor({ state: 'detached' });
    await until('nothing to be left on the map', async () => (await parts('shape')).length === 0);
  });
});

describe('by keys alone', () => {
  const tabTo = (target: Locator, key?: 'Tab' | 'Shift+Tab') => tabbed(page, target, key);

  it('draws a polygon of six vertices, moves one, deletes one, undoes and redoes', async () => {
    await draw({ kind: 'polygon' });
    const places = [
      '39.7500, -75.5600',
      '39.7520, -75.5480',
      '39.7470, -75.5400',
      '39.7400, -75.5420',
      '39.7380, -75.5500',
      '39.7420, -75.5590',
    ];
    for (const [i, place] of places.entries()) {
      await tabTo(tools().getByRole('button', { name: /^Add point/ }));
      await page.keyboard.press('Enter');
      // The new point's coordinates have the focus: they are typed over.
      await page.waitForFunction(
        n => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent?.startsWith(`Point ${n}:`),
        i + 1,
      );
      await page.keyboard.type(place);
      await page.keyboard.press('Enter');
      await until(`point ${i + 1}`, async () => {
        const at = (await points())[i];
        return at !== undefined && `${at[1]?.toFixed(4)}, ${at[0]?.toFixed(4)}` === place;
      });
    }
    await tabTo(tool('Finish'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await count(6, true);
    await heard(page, 'Shape finished. 6 points, 0.12 square miles.');

    // The list is one stop; arrows go through it, Enter chooses.
    await tabTo(tools().getByRole('treegrid', { name: 'Points' }));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.drawing.state.get().selected === 2);
    const before = await points();
    await tabTo(tool('Move north 1 m'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowRight');
    await heard(page, 'Point 3 moved. 6 points, 0.12 square miles.');
    const [lng = 0, lat = 0] = (await points())[2] ?? [];
    expect((lat - (before[2]?.[1] ?? 0)) * 111_195).toBeCloseTo(1, 1);
    expect((lng - (before[2]?.[0] ?? 0)) * 111_195 * Math.cos((lat * Math.PI) / 180)).toBeCloseTo(10, 1);

    const moved = await points();
    await tabTo(tool('Delete point'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await count(5, true);
    await page.keyboard.press('Control+z');
    await count(6, true);
    expect(await points()).toEqual(moved);
    await page.keyboard.press('Control+Shift+z');
    await count(5, true);
  });
});

describe('the look', () => {
  it.each([
    ['larger screens', ['desktop', 'tablet']],
    ['a phone', ['phone']],
  ] as const)('is right on %s and breaks no law of accessibility', async (_, sizes) => {
    page = await openMap(scene, { size: sizes[0] });
    await page.addInitScript({ path: axe });
    await page.reload();
    await findMap(page);
    await lookAt(page);
    const initial = {
      type: 'Polygon' as const,
      coordinates: [
        [
          [-75.556, 39.748],
          [-75.546, 39.749],
          [-75.542, 39.745],
          [-75.545, 39.74],
          [-75.553, 39.741],
          [-75.556, 39.748],
        ],
      ],
    };
    await begin({ kind: 'polygon', initial });
    await page.evaluate(() => window.drawing.select(2));
    const found: string[] = [];
    const see = async (name: string) => {
      await lookAt(page);
      found.push(...(await (sizes.length > 1 ? everywhere(page, sizes, name) : both(page, sizes[0], name))));
    };
    await see('draw-polygon');
    if (sizes[0] === 'phone') {
      await tool('Points').click();
      await see('draw-points');
    }
    await page.evaluate(() => window.drawing.move(0, { lat: 39.7605, lng: -75.5484 }));
    await see('draw-refused');
    await begin({ kind: 'circle', unit: 'ft', initial: { type: 'Circle', center: CENTER, radiusM: 300 } });
    await see('draw-circle');
    await begin({ kind: 'line' });
    await see('draw-line');
    expect(found).toEqual([]);
  });
});
