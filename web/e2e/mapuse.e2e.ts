// What somebody does with the map: point at a mark, open the menu of a place, look for coordinates, follow, ask where they are.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heard, ingest, register, signIn, until } from './harness';
import { point } from './journey';
import { setScene } from './scene';
import {
  CENTER,
  findMap,
  freeRoom,
  idle,
  lookAt,
  middleOffset,
  openMap,
  PARKED,
  pointOf,
  RUNNER,
  report,
  sendUnits,
  stateOf,
  THIRD,
  UNITS,
} from './stage';

const scene = setScene();
let page: Page;

/** Opens the app on a desk; `before` runs in the page before its scripts. */
async function open(before?: () => void): Promise<void> {
  page = await openMap(scene, before ? { before } : {});
  await findMap(page);
}

beforeAll(() => sendUnits(scene.server));

describe('the map', () => {
  beforeEach(async () => {
    await open();
    await lookAt(page);
  });

  // spec: 2.map.11
  it('opens a card on hover, keeps it when pinned, opens the asset on a click', async () => {
    const { x, y, id } = await pointOf(page, PARKED.name);
    await page.mouse.move(x, y);
    const card = page.locator('[data-map]').getByRole('region', { name: PARKED.name });
    await card.waitFor();
    await card.getByRole('button', { name: 'Pin card' }).click();
    await until('the card to be pinned', async () => (await stateOf(page)).pinned.join() === id);
    await page.mouse.move(x + 60, y + 200);
    await card.waitFor();
    const other = await pointOf(page, THIRD.name);
    await page.mouse.click(other.x, other.y);
    await page.waitForURL(new RegExp(`/dashboard/things/${other.id}(\\?|$)`));
    await page.waitForFunction(selected => window.map.getState().selected === selected, other.id);
    // The map glides to what is open: where the pinned card is then, or whether it is in sight, is not told here.
    expect((await stateOf(page)).pinned).toEqual([id]);
  });

  // spec: 1.scope.05
  it('glides to a reported position and rests again', async () => {
    const before = await pointOf(page, RUNNER.name);
    // At a fifth of the speed, so that a loaded machine also draws within a glide, which takes a second.
    await page.evaluate(() => {
      const real = performance.now.bind(performance);
      const from = real();
      performance.now = () => from + (real() - from) / 5;
    });
    await page.evaluate(id => {
      window.map.engineMap()?.on('render', () => {
        const place = window.map.standing.placeOf(id);
        if (place) seen.push(place.lng);
      });
      const seen: number[] = [];
      Object.assign(window, { seen });
    }, before.id);
    const east = 0.0006;
    await ingest(scene.server, [report(RUNNER, east)]);
    const target = CENTER.lng + RUNNER.east + east;
    await page.waitForFunction(
      ([id, lng]) => Math.abs((window.map.standing.placeOf(id)?.lng ?? 0) - lng) < 1e-7 && !window.map.layer.gliding,
      [before.id, target] as const,
    );
    await idle(page);
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
    await menu.getByRole('menuitem', { name: 'Copy coordinates' }).click();
    await heard(page, 'Copied');
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
    await page.getByRole('button', { name: 'Search the map' }).click();
    const box = page.getByPlaceholder('41.8623, -87.6167');
    await box.fill('nowhere');
    await box.press('Enter');
    await page.getByText('Unable to find location.').waitFor();
    await box.fill('39.80, -75.60');
    await box.press('Enter');
    await until('the camera over it', async () => (await middleOffset(page, { lat: 39.8, lng: -75.6 })) < 2);
    await box.press('Escape');

    await page.getByRole('button', { name: 'Show All' }).click();
    await until('all units in the room that panels leave', async () => {
      const free = await freeRoom(page);
      const points = await Promise.all(UNITS.map(unit => pointOf(page, unit.name)));
      return points.every(({ x, y }) => x > free.left && x < free.right && y > free.top && y < free.bottom);
    });
    await idle(page);

    const { x, y } = await pointOf(page, RUNNER.name);
    await page.mouse.click(x, y);
    await page.waitForFunction(() => window.map.getState().selected !== null);
    await page.getByRole('toolbar', { name: 'Map' }).getByRole('button', { name: 'Follow asset' }).click();
    await page.waitForFunction(() => window.map.getState().zoom >= 16.25);
    await idle(page);
    const east = 0.0012;
    await ingest(scene.server, [report(RUNNER, east)]);
    const target = { lat: CENTER.lat + RUNNER.north, lng: CENTER.lng + RUNNER.east + east };
    await until('the camera to be over the followed asset', async () => (await middleOffset(page, target)) < 2);
    expect((await stateOf(page)).following).toBe(true);
  });
});

// spec: 2.map.04 8.geo.01
describe('where the user is', () => {
  const press = () => page.getByRole('button', { name: 'Show your location' }).click();

  it('is shown at zoom 17 when the browser tells it', async () => {
    await open(() => {
      const coords = { latitude: 39.75, longitude: -75.55, accuracy: 5 };
      Object.defineProperty(navigator, 'geolocation', {
        value: { getCurrentPosition: (found: (position: unknown) => void) => found({ coords, timestamp: 0 }) },
      });
    });
    await press();
    await page.getByRole('img', { name: 'Your location' }).waitFor({ state: 'attached' }); // its box is a point: the dot is drawn around it
    await page.waitForFunction(() => window.map.getState().zoom === 17);
    await until('the camera to be there', async () => (await middleOffset(page, { lat: 39.75, lng: -75.55 })) < 2);
  });
});

// spec: 2.map.12 2.map.14
describe('an incident', () => {
  const place = { lat: CENTER.lat - 0.009, lng: CENTER.lng };

  it('says by a touch who is there, and how to get there; a touch elsewhere closes it', async () => {
    const asset = { haas_id: 'HA7-08004', nickname: 'Touched Engine', thing_type: 'fire' };
    await register(scene.server, [asset]);
    const stood = Array.from({ length: 16 }, (_, i) => point(asset.haas_id, 78 - 5 * i, { ...place, alerting: true }));
    await ingest(scene.server, stood);
    const { page: phone } = await scene.open({ size: 'phone', still: true });
    await signIn(phone, scene.server);
    await findMap(phone);
    await phone.evaluate(at => window.map.goTo(at, 15), place);
    await idle(phone);
    const { x, y } = await phone.evaluate(({ lat, lng }) => {
      const map = window.map.engineMap();
      const at = map?.project([lng, lat]);
      const box = map?.getCanvas().getBoundingClientRect();
      return { x: (box?.x ?? 0) + (at?.x ?? 0), y: (box?.y ?? 0) + (at?.y ?? 0) };
    }, place);
    await until('the circle to be touched', async () => {
      await phone.touchscreen.tap(x + 38, y); // on the circle, beside the mark
      return (await stateOf(phone)).cards.some(card => card.kind === 'location');
    });
    // Of the card: the detail that opens below has one, too.
    const card = phone.locator('[data-map] section').filter({ hasText: 'Touched Engine' });
    const go = card.getByRole('link', { name: /^Go to 39\.\d+, -75\.\d+ with Google Maps$/ });
    await go.waitFor();
    expect(await go.getAttribute('target')).toBe('_blank');
    await phone.waitForURL(/\/dashboard\/events\/[0-9a-f-]{36}$/);
    await phone.goBack();
    await phone.waitForURL('**/dashboard/things');
    await idle(phone);
    await phone.touchscreen.tap(x + 130, y - 60);
    await go.waitFor({ state: 'detached' });
    expect(new URL(phone.url()).pathname).toBe('/dashboard/things');
  });
});
