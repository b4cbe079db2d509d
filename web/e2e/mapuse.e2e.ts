// What somebody does with the map: point at a mark, open the menu of a place, look for coordinates, follow, ask where they are.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { client, heard, ingest, register, signIn, sizes, until } from './harness';
import { point } from './journey';
import { axe, both, everywhere } from './look';
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
    await phone.touchscreen.tap(x - 165, y); // beside the card, and away from the controls
    await go.waitFor({ state: 'detached' });
    expect(new URL(phone.url()).pathname).toBe('/dashboard/things');
  });
});

describe('the layers', () => {
  const ROADS = '/organization/closure';
  const closed = 'Water main break, both lanes closed';
  const hours = (ahead: number) => new Date(Date.now() + ahead * 3_600_000).toISOString();
  /** A line north of the units. */
  const line = [0, 1, 2].map(i => ({ lat: CENTER.lat + 0.0035 + i * 0.0009, lng: CENTER.lng - 0.002 + i * 0.0014 }));

  const close = async (description: string, start: string, more: object = {}) => {
    const { post } = await client(scene.server);
    const body = {
      description,
      direction: 'N',
      road_name: 'N Market St',
      user_route: line,
      end_time: hours(8),
      ...more,
    };
    return (await post(ROADS, { ...body, start_time: start })) as { data?: { id: string } };
  };

  it('show closed roads and hazards behind the units, by a switch each, and open a card', {
    timeout: 400_000,
  }, async () => {
    await close(closed, hours(-1), { is_active: true, calculated_route: line });
    await close('Next week', hours(160), { end_time: hours(170), calculated_route: line });
    const at = { lat: CENTER.lat - 0.001, lng: CENTER.lng + 0.003 };
    const debris = { type: 'hazard', id: 'L-1', at: hours(-0.1), ...at, hazard_type: 'debris', description: 'Ladder' };
    await ingest(scene.server, [debris]);
    await open();
    await page.addInitScript({ path: axe });
    await page.reload();
    await findMap(page);
    await lookAt(page, 15);
    const kinds = async () => (await stateOf(page)).places.map(({ kind }) => kind);
    await until('both on the map', async () =>
      ['closure', 'hazard'].every(async kind => (await kinds()).includes(kind)),
    );

    const bar = page.getByRole('toolbar', { name: 'Map' });
    await bar.getByRole('button', { name: 'Layers' }).click();
    const panel = page.locator('section[aria-label="Layers"]');
    await panel.getByText('Closures 1').waitFor();
    const found = await everywhere(page, ['desktop', 'tablet'], 'layers');
    await page.setViewportSize(sizes.desktop);
    // By keys alone: from its control to the first switch, and back.
    await bar.getByRole('button', { name: 'Layers' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await until('the closed road to go', async () => !(await kinds()).includes('closure'));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.reload(); // it is remembered
    await findMap(page);
    await lookAt(page, 15);
    await until(
      'the hazard alone',
      async () => (await kinds()).includes('hazard') && !(await kinds()).includes('closure'),
    );
    await bar.getByRole('button', { name: 'Layers' }).click();
    await panel.getByText('Closures').click();
    await page.keyboard.press('Escape');

    const mark = page.getByRole('group', { name: 'On the map' }).getByRole('button', { name: closed });
    await mark.waitFor({ state: 'attached' });
    await mark.focus();
    const card = page.locator('[data-map]').getByRole('region', { name: closed });
    await card.getByText(/^Active · until /).waitFor();
    await mark.press('Enter'); // it is kept
    found.push(...(await both(page, 'desktop', 'layers-card')));
    expect(found).toEqual([]);
    await card.getByRole('link', { name: `Details of ${closed}` }).click();
    await page.waitForURL(/\/dashboard\/closures\/[0-9a-f-]{36}$/);
  });

  it('the menu of a place begins a closure there, and lists who is near', { timeout: 400_000 }, async () => {
    await ingest(scene.server, [report(PARKED), report(THIRD)]);
    await open();
    await page.addInitScript({ path: axe });
    await page.reload();
    await findMap(page);
    await lookAt(page, 15);
    const menu = page.getByRole('menu', { name: 'Place on the map' });
    const { x, y } = await pointOf(page, PARKED.name);
    const at = { x: x + 40, y: y + 60 };
    await page.mouse.click(at.x, at.y, { button: 'right' });
    await menu.getByRole('menuitem', { name: 'Nearest units' }).click();
    const heardOf = page.getByRole('list', { name: 'Units that are heard' }).getByRole('link');
    await until(
      'the nearest first',
      async () => (await heardOf.first().textContent())?.startsWith(PARKED.name) === true,
    );
    expect(await heardOf.first().textContent()).toMatch(/0\.\d\d mi/);
    const found = await everywhere(page, ['desktop', 'tablet'], 'nearest');
    await page.setViewportSize(sizes.desktop);
    await heardOf.first().click();
    await page.waitForURL(/\/dashboard\/things\/[0-9a-f-]{36}$/);
    await page.goBack();
    await heardOf.first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/dashboard\/things$/);

    await lookAt(page, 15);
    // A map that moves closes its menu, also under a press that has begun: then it is opened again, as a person would.
    await until('the form to begin at the place', async () => {
      await page.mouse.click(at.x, at.y, { button: 'right' });
      await menu.getByRole('menuitem', { name: 'Add closure here' }).click();
      return page.waitForURL(/\/closures\/new\?at=/, { timeout: 5000 }).then(
        () => true,
        () => false,
      );
    });
    await page.getByText('1 point.', { exact: true }).waitFor();
    found.push(...(await both(page, 'desktop', 'closure-here')));
    expect(found).toEqual([]);
  });

  it('are there on a phone', async () => {
    const { page: phone } = await scene.open({ size: 'phone', still: true });
    await phone.addInitScript({ path: axe });
    await signIn(phone, scene.server);
    await findMap(phone);
    await phone.evaluate(place => window.map.goTo(place, 14), line[1] ?? CENTER);
    await idle(phone);
    await phone.getByRole('button', { name: 'More map controls' }).click();
    await phone.getByRole('button', { name: 'Layers' }).click();
    await phone
      .locator('section[aria-label="Layers"]')
      .getByText(/^Closures/)
      .waitFor();
    expect(await both(phone, 'phone', 'layers')).toEqual([]);
  });
});
