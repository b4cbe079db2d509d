// Incidents on the real server: the list, one incident, and where its marker stands, at a desk and on a phone.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, heard, ingest, mapReady, register, row, type Server, signIn, until } from './harness';
import { HOME, point } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();

const SCENE = { lat: HOME.lat + 0.004, lng: HOME.lng };
const ENDED = { lat: HOME.lat - 0.006, lng: HOME.lng + 0.004 };

/** Two assets that have stood side by side with their lights on for a minute, and one that did and went on. */
async function sendIncidents(server: Server): Promise<void> {
  await register(
    server,
    ['Engine', 'Medic', 'Gone'].map((name, i) => ({
      haas_id: `HA7-0707${i}`,
      nickname: `Incident ${name}`,
      thing_type: i === 1 ? 'ambulance' : 'fire',
      device_type: 'ha7',
    })),
  );
  const stand = (asset: string, at: object, from: number) =>
    Array.from({ length: 16 }, (_, i) => point(asset, from - 5 * i, { ...at, alerting: true }));
  await ingest(server, [
    ...stand('HA7-07070', SCENE, 90),
    ...stand('HA7-07071', SCENE, 85),
    ...stand('HA7-07072', ENDED, 600),
    point('HA7-07072', 300, { ...HOME, alerting: true, speed: 12 }),
  ]);
}

interface Incident {
  id: string;
  is_active: boolean;
  lat: number;
  lng: number;
  roadway_heading: number | null;
  things_active: { nickname: string }[];
}

const incidents = async (server: Server) => (await client(server)).get<Incident[]>('/locations');

/** The incident where an asset is. */
const incidentOf = (server: Server, nickname: string) =>
  until(`an incident of ${nickname}`, async () =>
    (await incidents(server)).find(one => one.things_active.some(thing => thing.nickname === nickname)),
  );

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search Asset, Street, or System ID' });
const listed = (page: Page) => page.getByRole('treegrid', { name: 'Incidents' }).getByRole('row');

beforeAll(() => sendIncidents(scene.server));

describe.each([
  ['at a desk', ['desktop', 'tablet']],
  ['on a phone', ['phone']],
] as const)('%s', (_, sizes) => {
  // spec: 2.events.01 2.events.02 2.events.03 2.events.04 2.route.01 2.route.05 2.mob.04 2.mob.05 4.events.02
  it('incidents are found, opened and edited', { timeout: 400_000 }, async () => {
    const isPhone = sizes[0] === 'phone';
    const { page } = await scene.open({ size: sizes[0], still: true });
    await page.addInitScript({ path: axe });
    const found: string[] = [];
    const see = async (name: string) => void found.push(...(await everywhere(page, sizes, name)));
    const { id, lat, lng } = await incidentOf(scene.server, 'Incident Engine');

    await signIn(page, scene.server);
    await mapReady(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Incidents' }).click();
    const counts = page.locator('p').filter({ hasText: 'Active Incidents' });
    await until(
      'both to be counted',
      async () => (await counts.textContent()) === 'Active Incidents 1 | Recent Incidents 1',
    );
    expect(await page.getByRole('radio', { name: '24 hrs' }).getAttribute('aria-checked')).toBe('true');
    await until('both to be listed', async () => (await listed(page).count()) === 2);
    expect(await listed(page).first().textContent()).toContain('Incident Engine, Incident Medic');
    expect(await listed(page).last().textContent()).toContain('Incident Gone');
    await page.waitForFunction(() => !document.querySelector('[data-live-announcer] [role="img"]'));
    await see('events');

    await search(page).fill('ha7-07071');
    await until('what fits to be listed', async () => (await listed(page).count()) === 1);
    await row(page, 'Incident Medic').click();
    await page.waitForURL(new RegExp(`/dashboard/events/${id}(\\?|$)`));

    const detail = page.getByRole('article', { name: 'Incident' });
    for (const text of ['Duration', 'Assets', 'Started', 'Coordinates', 'Roadway Heading'])
      await detail.getByText(text, { exact: true }).first().waitFor();
    await detail.getByRole('link', { name: 'Incident Engine' }).waitFor();
    await mapReady(page);
    if (!isPhone)
      await page
        .locator('[data-map]')
        .getByRole('link', { name: /^Go to .* with Waze$/ })
        .waitFor();
    await see('event');

    await detail.getByRole('link', { name: 'Edit Location' }).click();
    await page.waitForURL(new RegExp(`/dashboard/events/${id}/edit(\\?|$)`));
    await page.getByRole('button', { name: 'OK' }).click();
    const marker = page.getByRole('button', { name: /^Incident marker/ });
    await marker.waitFor();
    await see('event-edit');
    await drag(page, isPhone);
    await page.getByRole('textbox', { name: 'Roadway Heading' }).fill('361');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Must be a number from 0 to 360').waitFor();
    await page.getByRole('textbox', { name: 'Roadway Heading' }).fill(isPhone ? '90' : '45');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(new RegExp(`/dashboard/events/${id}(\\?|$)`));
    await heard(page, 'Incident saved');
    await detail.getByText(isPhone ? 'E · 90°' : 'NE · 45°').waitFor();
    const after = await incidentOf(scene.server, 'Incident Engine');
    expect(after.roadway_heading).toBe(isPhone ? 90 : 45);
    expect(Math.abs(after.lat - lat) + Math.abs(after.lng - lng)).toBeGreaterThan(0);

    await page.keyboard.press('Escape');
    await page.waitForURL(/\/dashboard\/events(\?|$)/);
    await row(page, 'Incident Medic').waitFor();
    expect(found).toEqual([]);
  });
});

/** Drags the marker far beyond its circle: it stays on the edge; the arrow keys bring it back a little. */
async function drag(page: Page, isPhone: boolean): Promise<void> {
  const marker = page.getByRole('button', { name: /^Incident marker/ });
  const away = async () => Number(/, (\d+) m of 100 m/.exec((await marker.getAttribute('aria-label')) ?? '')?.[1]);
  if (!isPhone) {
    // Hovering waits until the marker stands still: a press beside it would drag the map.
    await marker.hover();
    const box = await marker.boundingBox();
    if (!box) throw new Error('the marker is nowhere');
    await page.mouse.move(box.x + 22, box.y + 22);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 22, { steps: 4 });
    await page.mouse.move(box.x + 700, box.y + 22, { steps: 4 });
    await page.mouse.up();
    await until('the edge of the circle', async () => (await away()) === 100);
  }
  await marker.focus();
  const from = await away();
  await page.keyboard.press(isPhone ? 'Shift+ArrowRight' : 'Shift+ArrowLeft');
  await until('ten meters', async () => Math.abs((await away()) - from) === 10);
}
