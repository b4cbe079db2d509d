// Zones on the real server: an asset drives in and out, a zone is made, edited and deleted, and a second browser agrees.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { client, heard, ingest, mapReady, register, row, type Server, signIn, until } from './harness';
import { HOME, point } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { findMap } from './stage';

const scene = setScene();
const PATH = '/organization/alerting_zones';
const ENGINE = 'HA7-07070';

interface ZoneRow {
  id: string;
  description: string;
}

/** A zone as wide as so many degrees to each side of a place. */
const square = (lat: number, lng: number, by: number) => ({
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [lng - by, lat - by],
        [lng + by, lat - by],
        [lng + by, lat + by],
        [lng - by, lat + by],
        [lng - by, lat - by],
      ],
    ],
  },
});
const circle = (lat: number, lng: number, radius_dist: number) => ({
  type: 'Feature',
  properties: { radius_dist },
  geometry: { type: 'Point', coordinates: [lng, lat] },
});

const all = async (server: Server) => (await client(server)).get<ZoneRow[]>(PATH);
const listed = (page: Page) => page.getByRole('treegrid', { name: 'Zones' }).getByRole('row');
/** The engine reports from the school, so many seconds ago. */
const drive = (ago: number, alerting = true) =>
  ingest(scene.server, [point(ENGINE, ago, { ...HOME, alerting, speed: 12 })]);

beforeAll(async () => {
  await register(scene.server, [{ haas_id: ENGINE, nickname: 'Zone Engine', thing_type: 'fire', device_type: 'ha7' }]);
  const { post, remove } = await client(scene.server);
  for (const { id } of await all(scene.server)) await remove(`${PATH}/${id}`); // the demo's
  const make = (description: string, type: string, features: object[], more: object = {}) =>
    post(PATH, {
      description,
      alerting_zone_type_name: type,
      features: { type: 'FeatureCollection', features },
      ...more,
    });
  await make('Harbor School', 'school', [square(HOME.lat, HOME.lng, 0.0015)], { alert_message: 'Children' });
  await make('Market Square', 'event', [circle(HOME.lat + 0.006, HOME.lng + 0.006, 90)], { external_id: 'EV-1' });
  await make('Bridge Works', 'work', [square(HOME.lat - 0.006, HOME.lng + 0.004, 0.001)]);
});

// spec: 2.route.10 4.zone.01 4.zone.02 3.zone.01
it('a zone knows who is inside; one is made, edited and deleted, and a second browser agrees', {
  timeout: 400_000,
}, async () => {
  const [{ page: first }, { page: second }] = [await scene.open({ still: true }), await scene.open({ still: true })];
  await first.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string) => void found.push(...(await everywhere(first, ['desktop', 'tablet'], name)));
  await signIn(first, scene.server, 'admin', 'zones');
  await signIn(second, scene.server, 'admin', 'zones');
  await row(second, 'Market Square').waitFor();
  await until('all to be listed', async () => (await listed(first).count()) === 3);
  expect((await listed(first).first().boundingBox())?.height).toBe(75);
  await mapReady(first);
  await first.getByRole('button', { name: 'Zone Types' }).click();
  await first.getByRole('checkbox', { name: /^Event/ }).waitFor();
  await see('zones-types');
  await first.keyboard.press('Escape');

  await row(first, 'Harbor School').click();
  const detail = first.getByRole('article', { name: 'Zone' });
  await detail.getByText('Children').waitFor();
  // Its lights are on now, however long all that came before has taken.
  await drive(0);
  await detail.getByText('Alerting now: 1 Asset inside').waitFor();
  await until('the other browser to have it first', async () =>
    ((await listed(second).first().textContent()) ?? '').includes('Active Zone Engine'),
  );
  await first
    .locator('[data-map]')
    .getByRole('region', { name: 'Harbor School' })
    .getByText('1 Asset inside')
    .waitFor();
  await see('zone');
  // Its lights go out: the zone stays active for a while, and says until when.
  await drive(0, false);
  await detail.getByText('The last alerting asset has left.').waitFor();
  await detail.getByText(/^until /).waitFor();
  await first.keyboard.press('Escape');
  await first.waitForURL(/\/dashboard\/zones(\?|$)/);
  await see('zones');

  await findMap(first, []);
  await first.evaluate(home => window.map.goTo(home, 12), HOME); // too far to draw
  await first.getByRole('button', { name: 'Zoom to Add' }).click();
  await first.getByRole('button', { name: '+ Add' }).click();
  await first.waitForURL(/\/dashboard\/zones\/new(\?|$)/);
  const steps = first.getByRole('dialog', { name: 'How to draw a zone' });
  await steps.getByText("Don't show again").click();
  await steps.getByRole('button', { name: 'OK' }).click();
  await first.getByRole('textbox', { name: 'Description' }).fill('Journey Zone');
  await first.getByRole('button', { name: 'Add', exact: true }).click();
  await first.getByText('Draw the zone on the map.').waitFor();
  await first.getByRole('radio', { name: 'Circle' }).click();
  const panel = first.getByRole('region', { name: 'Drawing' });
  const type = async (label: string, text: string) => {
    await panel.getByRole('textbox', { name: label }).fill(text);
    await panel.getByRole('textbox', { name: label }).press('Enter');
  };
  await type('Center: latitude, longitude', '39.7401, -75.5501');
  await type('Radius', '80');
  await first.getByText('Radius 80 m.').first().waitFor();
  await see('zone-new');
  await first.getByRole('button', { name: 'Add', exact: true }).click();
  await heard(first, 'Zone added');
  await until('the other browser to list it', () => row(second, 'Journey Zone').isVisible());

  await first.getByRole('link', { name: 'Edit Zone' }).click();
  await first.getByRole('textbox', { name: 'Description' }).fill('Journey Works');
  await first.getByRole('button', { name: 'Save', exact: true }).click();
  await heard(first, 'Zone saved');
  await until('the other browser to rename it', () => row(second, 'Journey Works').isVisible());

  await first.getByRole('button', { name: 'Delete Zone' }).click();
  await first.getByText('Are you sure you want to delete Zone?').waitFor();
  await first.getByRole('button', { name: 'Confirm' }).click();
  await heard(first, 'Zone deleted');
  await until('the other browser to let it go', async () => (await row(second, 'Journey Works').count()) === 0);
  expect((await all(scene.server)).some(one => one.description.startsWith('Journey'))).toBe(false);
  expect(found).toEqual([]);
});
