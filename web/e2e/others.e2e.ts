import { expect, it } from 'vitest';
import { client, ingest, mapReady, register, row, type Server, signIn, until } from './harness';
import { find as findAsset, pathOf, point } from './journey';
import { setScene } from './scene';
import { findMap } from './stage';

const scene = setScene();
const AREAS = '/organization/exclusion_zone';
const SEA = { lat: 35.5, lon: -60.5 };

const typeOf = async (server: Server) =>
  (await (await client(server)).get<{ id: string; db_name: string }[]>('/ez_types')).find(t => t.db_name === 'poi')?.id;

it('an asset that is open and no longer shared is gone, from the list and the map as well', async () => {
  const { server } = scene;
  const [platform, outsider] = [await client(server, 'super'), await client(server, 'outsider')];
  const { user } = await outsider.get<{ user: { organization_id: string } }>('/profile');
  await register(server, [{ haas_id: 'HA7-SHARED', nickname: 'Shared Engine', thing_type: 'fire' }]);
  await ingest(server, [point('HA7-SHARED', 0)]);
  const things = await (await client(server)).get<{ id: string; nickname: string }[]>('/organization/things?limit=100');
  const id = things.find(one => one.nickname === 'Shared Engine')?.id ?? '';
  const share = (relationship_type: 'accessor' | 'delete') =>
    platform.put(`/things/${id}/associations`, {
      organization_relationships: [{ organization_uuid: user.organization_id, relationship_type }],
    });
  await share('accessor');
  const { page } = await scene.open({ still: true });
  await signIn(page, server, 'outsider');
  await (await findAsset(page, 'Shared Engine')).click();
  await page.getByRole('heading', { level: 1, name: 'Shared Engine' }).waitFor();
  await mapReady(page);
  await findMap(page, []);
  await share('delete');
  await page.getByText('Asset not found').waitFor();
  await page.getByText("your organization doesn't have access to it").waitFor();
  await until('the mark to go', () => page.evaluate(one => window.map.standing.placeOf(one) === null, id));
  await page.getByRole('button', { name: 'Back to Live' }).click();
  await page.getByText('No results found.').waitFor();
  expect(pathOf(page)).toBe('/dashboard/things');
});

it('500 areas of an import come into the list and onto the map that somebody looks at, without a reload', async () => {
  const { server } = scene;
  const admin = await client(server);
  const { page } = await scene.open({ still: true });
  await signIn(page, server, 'admin');
  await page.goto(`${server.url}/dashboard/areas`);
  await mapReady(page);
  await findMap(page, []);
  await page.locator('[data-map]').getByText('Live', { exact: true }).waitFor();
  const count = page.getByRole('heading', { level: 1, name: /^Areas/ });
  const [, before = ''] = /\/ (\d+)$/.exec((await count.textContent()) ?? '') ?? [];
  const features = Array.from({ length: 500 }, (_, i) => ({
    type: 'Feature',
    properties: { name: `Batch ${String(i).padStart(3, '0')}` },
    geometry: { type: 'Point', coordinates: [SEA.lon + (i % 25) * 0.01, SEA.lat + Math.floor(i / 25) * 0.01] },
  }));
  await admin.post(`${AREAS}/import`, {
    format: 'geojson',
    content: JSON.stringify({ type: 'FeatureCollection', features }),
    ez_type_id: await typeOf(server),
    preview: false,
  });
  const all = Number(before) + 500;
  await page.getByText(`${all} / ${all}`, { exact: true }).waitFor();
  const pages = [1, 2].map(one => admin.get<{ id: string; name: string }[]>(`${AREAS}?per_page=500&page=${one}`));
  const made = (await Promise.all(pages)).flat().filter(one => one.name.startsWith('Batch'));
  expect(made).toHaveLength(500);
  const ids = made.map(one => one.id);
  await until('all to stand on the map', () =>
    page.evaluate(ones => ones.every(id => window.map.standing.placeOf(id)), ids),
  );
  await page.getByRole('searchbox').fill('Batch 499');
  await until('one to be listed', async () => (await row(page, 'Batch').count()) === 1);
  await row(page, 'Batch 499').waitFor();
});
