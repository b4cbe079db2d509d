// Assets that say exactly what a journey needs, and the list that shows them.
import type { Locator, Page } from 'playwright-core';
import { client, ingest, mapReady, register, row, type Server, until } from './harness';
import { addKey, addOrganization } from './world';

export const HOME = { lat: 39.7391, lng: -75.5398 };

export const seconds = (ago: number) => new Date(Date.now() - ago * 1000).toISOString();

export const point = (asset: string, ago: number, more: Record<string, unknown> = {}) => ({
  type: 'point',
  asset,
  at: seconds(ago),
  ...HOME,
  speed: 0,
  accuracy: 4,
  ...more,
});

/** Makes known so many fire engines, which stand in a row north of the town and have reported. */
export async function sendFleet(server: Server, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const asset = (n: number) => `FL-${String(n).padStart(3, '0')}`;
  await register(
    server,
    numbers.map(n => ({ haas_id: asset(n), nickname: `Engine ${n}`, thing_type: 'fire', device_type: 'ha7' })),
  );
  await ingest(
    server,
    numbers.map(n => point(asset(n), 0, { lat: HOME.lat + 0.02, lng: HOME.lng + n * 0.001 })),
  );
}

/** Attenuator 1 belongs to another organization, is ours to manage, and has reported. */
export async function sendLent(server: Server): Promise<void> {
  const owner = await addOrganization(server.data, 'City Public Works', server.organization);
  const theirs = { ...server, key: await addKey(server.data, owner) };
  await register(theirs, [{ haas_id: 'TMA-1', nickname: 'Attenuator 1', thing_type: 'maintenance' }]);
  await ingest(theirs, [point('TMA-1', 0)]);
  const platform = await client(server, 'super');
  const [lent] = await platform.get<{ id: string }[]>(`/organization/things?org_ids[]=${owner}`);
  await platform.put(`/things/${lent?.id}/associations`, {
    organization_relationships: [{ organization_uuid: server.organization, relationship_type: 'manager' }],
  });
}

/** Journey Runner drives with its lights on, Journey Parked stands, Journey Scene has stood for a minute with its lights on. */
export async function sendJourneys(server: Server): Promise<void> {
  await register(
    server,
    ['Runner', 'Parked', 'Scene'].map((name, i) => ({
      haas_id: `HA7-0909${i}`,
      nickname: `Journey ${name}`,
      thing_type: 'fire',
      device_type: 'ha7',
    })),
  );
  await ingest(server, [
    point('HA7-09090', 2, { speed: 15.2, course: 38, alerting: true }),
    point('HA7-09091', 4),
    ...Array.from({ length: 16 }, (_, i) =>
      point('HA7-09092', 78 - 5 * i, { lat: 39.7502, lng: -75.5601, alerting: true }),
    ),
  ]);
}

export const pathOf = (page: Page) => new URL(page.url()).pathname;
export const searchOf = (page: Page) => page.getByRole('searchbox', { name: 'Search for an asset...' });

/** The rows of assets, without the heads of groups. */
export const listed = (page: Page) => page.locator('[role=row]:not([aria-expanded])');

/** Looks for an asset; its row. */
export async function find(page: Page, name: string) {
  await searchOf(page).fill(name);
  const found = row(page, name);
  await until(
    `only ${name} to be listed`,
    async () => (await listed(page).count()) === 1 && (await found.count()) === 1,
  );
  return found;
}

/** The list with nothing looked for, and the map beside it complete: what follows may cut the network or leave. */
export async function toList(page: Page, server: Server): Promise<void> {
  if (pathOf(page) !== '/dashboard/things') await page.goto(`${server.url}/dashboard/things`);
  await searchOf(page).fill('');
  await row(page, 'Engine').first().waitFor();
  await mapReady(page);
}

/** Presses Tab until the focus is there. A toolbar is one stop: within it the arrows go on. */
export async function tabbed(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    const where = await target
      .evaluate(e => {
        if (e === document.activeElement) return 'there';
        return e.closest('[role=toolbar]')?.contains(document.activeElement) ? 'toolbar' : 'elsewhere';
      })
      .catch(() => 'elsewhere');
    if (where === 'there') return;
    await page.keyboard.press(where === 'toolbar' ? 'ArrowRight' : key);
  }
  throw new Error(`no way there by ${key}`);
}
