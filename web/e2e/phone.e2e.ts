// A phone in the hand of somebody who looks after many organizations.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ingest, register, row, signIn, until } from './harness';
import { point } from './journey';
import { axe, both } from './look';
import { setScene } from './scene';
import { addKey, addOrganization as makeOrganization } from './world';

const scene = setScene();

/** Makes an organization that the own one manages; its id. */
const addOrganization = (name: string) => makeOrganization(scene.server.data, name, scene.server.organization);

/** An asset of an organization that reports from where it stands. */
async function addAsset(organization: string, haasId: string, nickname: string): Promise<void> {
  const itsOwn = { ...scene.server, key: await addKey(scene.server.data, organization) };
  await register(itsOwn, [{ haas_id: haasId, nickname, thing_type: 'fire', device_type: 'ha7' }]);
  await ingest(itsOwn, [point(haasId, 0)]);
}

async function phone(): Promise<Page> {
  const tab = await scene.open({ size: 'phone' });
  await tab.page.addInitScript({ path: axe });
  await signIn(tab.page, scene.server);
  return tab.page;
}

/** Opens what hangs from the top bar. */
async function account(page: Page) {
  await page.getByRole('button', { name: 'Account' }).click();
  const panel = page.getByRole('dialog', { name: 'Account' });
  await panel.waitFor();
  return panel;
}

const list = (panel: ReturnType<Page['getByRole']>) => panel.getByRole('list', { name: 'Organizations' });
const names = (panel: ReturnType<Page['getByRole']>) => list(panel).getByRole('button').allInnerTexts();

// spec: 2.mob.01 2.mob.02 2.mob.03 9.limits.21
it('lists up to five organizations as they are, and searches among more', async () => {
  for (const name of ['City Public Works', 'Brandywine Towing', 'Town of Elsmere', 'Newport Fire Company'])
    await addOrganization(name);
  const five = await phone();
  const short = await account(five);
  expect(await names(short)).toHaveLength(5);
  expect(await short.getByRole('searchbox').count()).toBe(0);
  await short.getByText('Dana Moore', { exact: true }).waitFor();
  await short.getByText(scene.server.email('admin'), { exact: true }).waitFor();
  await short.getByRole('button', { name: 'Sign Out' }).waitFor();

  const claymont = await addOrganization('Claymont Fire Company');
  await addAsset(claymont, 'HA7-06001', 'Claymont Engine');
  const page = await phone();
  const bar = page.getByRole('banner');
  await bar.getByText('Wilmington Fire Dept', { exact: true }).waitFor();
  await page.getByText(/appear here when they first report a position|^Register the first asset/).waitFor();
  const panel = await account(page);
  const search = panel.getByRole('searchbox', { name: 'Search organizations' });
  await search.waitFor();
  const all = await names(panel);
  expect(all).toHaveLength(6);
  expect(all).toEqual(expect.arrayContaining(['Wilmington Fire Dept', 'Brandywine Towing', 'Claymont Fire Company']));
  const found = await both(page, 'phone', 'phone-organizations');
  await search.fill('company');
  await until('two to fit', async () => (await names(panel)).length === 2);
  expect((await names(panel)).sort()).toEqual(['Claymont Fire Company', 'Newport Fire Company']);
  found.push(...(await both(page, 'phone', 'phone-organizations-found')));
  await search.fill('no such town');
  await list(panel).getByText('No results found.').waitFor();
  await search.fill('CLAYMONT');
  await list(panel).getByRole('button', { name: 'Claymont Fire Company' }).click();
  await panel.waitFor({ state: 'detached' });
  await bar.getByText('Claymont Fire Company', { exact: true }).waitFor();
  await row(page, 'Claymont Engine').waitFor();
  await until('one asset', async () =>
    (await page.getByRole('heading', { level: 1 }).textContent())?.includes('1 / 1'),
  );
  await page.reload();
  await bar.getByText('Claymont Fire Company', { exact: true }).waitFor();
  await row(page, 'Claymont Engine').waitFor();
  expect(found).toEqual([]);
});
