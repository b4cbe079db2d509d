// A driver's phone at the windshield: the page for drivers on the real server, with its real stream, on a motorway.
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { metersBetween } from '~/model/track';
import { client, ingest, register, signIn, until } from './harness';
import { point } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

interface Place {
  lat: number;
  lng: number;
}

declare global {
  interface Window {
    /** What the phone was told to say. */
    spoken: string[];
  }
}

const scene = setScene();
const TRUCK = 'HA7-09501';
/** m/s; the receiver says no speed and no heading here, the page finds both. */
const SPEED = 50;
const STEP_MS = 500;
/** Of the motorway: how long it is driven, and where the scene is. */
const LENGTH_M = 3600;
const SCENE_M = 2600;

/** Both carriageways, each in the direction of its traffic. */
let north: Place[];
let south: Place[];

beforeAll(async () => {
  const admin = await client(scene.server);
  const road = async (text: string) => (await admin.post<{ route: Place[] }>('/directions', { text })).route;
  north = await road('I-95 N, exit 1 to exit 3A');
  south = await road('I-95 S, exit 3 to exit 1B');
  await admin.put('/organization', { alerts_public: true });
  await register(scene.server, [{ haas_id: TRUCK, thing_type: 'fire', nickname: 'Engine 5' }]);
  // It has stood there long enough to be on scene.
  const stood = Array.from({ length: 16 }, (_, i) => 80 - 5 * i);
  await ingest(
    scene.server,
    stood.map(ago => point(TRUCK, ago, { ...along(north, SCENE_M), alerting: true })),
  );
});

/** The place so many meters along a line. */
function along(line: readonly Place[], meters: number): Place {
  let left = meters;
  for (let at = 1; at < line.length; at++) {
    const [a, b] = [line[at - 1], line[at]];
    if (!a || !b) break;
    const length = metersBetween(a, b);
    if (left <= length && length > 0) {
      const share = left / length;
      return { lat: a.lat + share * (b.lat - a.lat), lng: a.lng + share * (b.lng - a.lng) };
    }
    left -= length;
  }
  throw new Error(`the line is not ${meters} m long`);
}

/** The meters along a line at which it is closest to a place. */
const closest = (line: readonly Place[], place: Place, most: number) =>
  Array.from({ length: Math.floor(most / 10) }, (_, i) => i * 10).reduce((best, one) =>
    metersBetween(along(line, one), place) < metersBetween(along(line, best), place) ? one : best,
  );

const lengthOf = (line: readonly Place[]) =>
  line.reduce((sum, place, at) => sum + (at > 0 ? metersBetween(line[at - 1] ?? place, place) : 0), 0);

/** The truck says that it stands on the carriageway to the north, with its lights on or off. */
const report = (alerting: boolean) => ingest(scene.server, [point(TRUCK, 0, { ...along(north, SCENE_M), alerting })]);

/** Lights that stay on until the journey ends: who is silent for 30 seconds alerts nobody. */
async function keepLights(): Promise<void> {
  await report(true);
  const lights = setInterval(() => void report(true), 5000);
  scene.restoreBy(async () => clearInterval(lights));
}

interface Phone {
  page: Page;
  context: BrowserContext;
  at: (place: Place) => Promise<void>;
  spoken: () => Promise<string[]>;
}

/** A phone whose voice is written down: browsers of journeys have none. */
async function phone(): Promise<Phone> {
  const { page, context } = await scene.open({ size: 'phone' });
  await context.grantPermissions(['geolocation']);
  await page.addInitScript({ path: axe });
  await page.addInitScript(() => {
    window.spoken = [];
    speechSynthesis.speak = words => {
      if (words.volume > 0) window.spoken.push(words.text);
      words.dispatchEvent(new Event('start'));
      words.dispatchEvent(new Event('end'));
    };
  });
  const at = ({ lat, lng }: Place) => context.setGeolocation({ latitude: lat, longitude: lng, accuracy: 5 });
  await page.goto(`${scene.server.url}/drive/${scene.server.organization}`);
  await page.getByText('Wilmington Fire Dept', { exact: true }).waitFor();
  return { page, context, at, spoken: () => page.evaluate(() => window.spoken) };
}

const standing = (page: Page, text: string) =>
  page.locator('[data-standing]').getByText(text, { exact: true }).waitFor();
const alerts = (page: Page) => page.locator('[data-alert]').count();

/** Drives a stretch in its own time. */
async function drive({ at }: Phone, line: readonly Place[], from: number, to: number): Promise<void> {
  const begun = Date.now();
  for (let meters = from; meters < to; meters = from + ((Date.now() - begun) / 1000) * SPEED) {
    await at(along(line, meters));
    await new Promise(resolve => setTimeout(resolve, STEP_MS));
  }
}

it('warns who drives towards a scene, once, and nobody on the other carriageway', async () => {
  await keepLights();
  const [mine, other] = [await phone(), await phone()];
  const beside = closest(south, along(north, SCENE_M), Math.floor(lengthOf(south)) - 10);
  await mine.at(along(north, 0));
  await other.at(along(south, beside - SCENE_M));
  for (const { page } of [mine, other]) {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await standing(page, 'Live');
  }
  const counted = mine.page.waitForResponse('**/alerts/impressions');
  await Promise.all([
    drive(mine, north, 0, LENGTH_M),
    drive(other, south, beside - SCENE_M, beside + LENGTH_M - SCENE_M),
  ]);
  const said = await mine.spoken();
  expect(said).toHaveLength(2);
  expect(said[0]).toMatch(/^Fire truck on scene ahead, (one mile|1\.\d miles)$/);
  expect(said[1]).toMatch(/^Fire truck on scene, close ahead$/);
  expect(await other.spoken()).toEqual([]);
  expect([await alerts(mine.page), await alerts(other.page)]).toEqual([0, 0]); // passed
  expect((await counted).status()).toBe(202);
  const admin = await client(scene.server);
  await until('one driver to be counted at the scene', async () => {
    const events = await admin.get<{ drivers_alerted: number | null }[]>('/locations');
    return events.some(one => one.drivers_alerted === 1);
  });
});

it('shows no lights that are off, and is not live without a network', async () => {
  await report(true);
  const one = await phone();
  const { page, context, at } = one;
  await at(along(north, SCENE_M - 700));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await standing(page, 'Live');
  await drive(one, north, SCENE_M - 700, SCENE_M - 400);
  await page.getByText('Fire truck', { exact: false }).first().waitFor();
  const gone = page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const look = () => {
          if (document.querySelector('[data-alert]')) requestAnimationFrame(look);
          else resolve(Date.now());
        };
        look();
      }),
  );
  await report(false);
  const off = Date.now();
  expect((await gone) - off).toBeLessThanOrEqual(2000);

  await context.setOffline(true);
  await standing(page, 'Alerts may be missing');
  expect(await page.getByText('Nothing ahead').count()).toBe(0);
  await context.setOffline(false);
  await standing(page, 'Live');
});

it('can be read by everybody, on its side too', async () => {
  await keepLights();
  const one = await phone();
  const { page, at } = one;
  const found = await everywhere(page, ['phone', 'side'], 'drive-start');
  await at(along(north, SCENE_M - 650));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await standing(page, 'Live');
  found.push(...(await everywhere(page, ['phone', 'side'], 'drive-waiting')));
  await drive(one, north, SCENE_M - 650, SCENE_M - 500);
  await page.locator('[data-alert]').waitFor();
  found.push(...(await everywhere(page, ['phone', 'side'], 'drive-ahead')));
  await drive(one, north, SCENE_M - 500, SCENE_M + 100);
  await page.getByText('Nothing ahead', { exact: true }).waitFor();
  found.push(...(await everywhere(page, ['phone', 'side'], 'drive-quiet')));
  expect(found).toEqual([]);
});

it('is found beside the switch that opens it, with a code to scan', async () => {
  const { page } = await scene.open();
  await page.addInitScript({ path: axe });
  const { organization, url } = scene.server;
  await signIn(page, scene.server, 'admin', `accounts/organization/${organization}/edit`);
  const link = page.getByRole('link', { name: 'Page for drivers' });
  expect(await link.getAttribute('href')).toBe(`${url}/drive/${organization}`);
  await page.getByRole('img', { name: 'QR code of the page for drivers' }).scrollIntoViewIfNeeded();
  expect(await everywhere(page, ['desktop', 'tablet'], 'drive-form')).toEqual([]);
});
