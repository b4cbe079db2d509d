// Areas as a file, and the way back from a deletion, on the real server: what was exported and deleted comes back.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { client, heard, mapReady, row, type Server, signIn, textOf, until } from './harness';
import { HOME } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

const scene = setScene();
const PATH = '/organization/exclusion_zone';

const names = async (server: Server) =>
  (await (await client(server)).get<{ name: string }[]>(PATH)).map(({ name }) => name);

async function more(page: Page, entry: string): Promise<void> {
  await page.getByRole('region', { name: 'Areas' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

async function exported(page: Page, format: string): Promise<{ name: string; buffer: Buffer }> {
  const waits = page.waitForEvent('download');
  await more(page, `Export ${format}`);
  const file = await waits;
  return { name: file.suggestedFilename(), buffer: Buffer.from(await textOf(file)) };
}

async function deleteArea(page: Page, name: string): Promise<void> {
  await row(page, name).click();
  await page.getByRole('button', { name: 'Delete Area' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await heard(page, 'Area deleted');
}

it('a deleted area comes back by Undo, by the list of changes, and from an exported file', {
  timeout: 400_000,
}, async () => {
  const { get, post } = await client(scene.server);
  const types = await get<{ id: string; db_name: string }[]>('/ez_types');
  const poi = types.find(type => type.db_name === 'poi')?.id;
  for (const name of ['Yard Depot', 'Gate House'])
    await post(PATH, { name, ez_type_id: poi, point_geom: { lat: HOME.lat, lon: HOME.lng } });

  const { page } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin', 'areas');
  await row(page, 'Yard Depot').waitFor();
  await mapReady(page);

  await deleteArea(page, 'Yard Depot');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).press('Enter');
  await heard(page, 'Change undone');
  await row(page, 'Yard Depot').waitFor();

  await deleteArea(page, 'Gate House');
  await more(page, 'Undo a change…');
  const changes = page.getByRole('dialog', { name: 'Undo a change' });
  await changes.getByText('Area deleted by you').waitFor();
  expect(await everywhere(page, ['desktop', 'tablet'], 'areas-undo')).toEqual([]);
  await changes.getByRole('button', { name: 'Undo: Gate House deleted' }).click();
  await changes.getByText('Undone', { exact: true }).waitFor();
  await changes.getByRole('button', { name: 'Close' }).click();
  await row(page, 'Gate House').waitFor();

  for (const format of ['GeoJSON', 'KML']) {
    const file = await exported(page, format);
    expect(file.name).toMatch(/^areas-\d{4}-\d{2}-\d{2}\.(geojson|kml)$/);
    await deleteArea(page, 'Yard Depot');
    await until('it to be gone', async () => !(await names(scene.server)).includes('Yard Depot'));
    await more(page, 'Import…');
    const dialog = page.getByRole('dialog', { name: 'Import areas' });
    await dialog.locator('input[type=file]').setInputFiles({ ...file, mimeType: 'application/octet-stream' });
    await dialog.getByText('1 new, 0 to change').waitFor();
    expect(await everywhere(page, ['desktop', 'tablet'], `areas-import-${format.toLowerCase()}`)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import 1 area' }).click();
    await dialog.getByText('1 area added').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row(page, 'Yard Depot').waitFor();
  }
});
