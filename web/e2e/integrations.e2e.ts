// An account at Geotab, from its password to positions of linked vehicles: connected, checked, started, paused, refused, removed;
// and one at Samsara, from its token to a vehicle on the map with its lights on.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import enums from '@catalog/enums.json';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Fake, startFake } from './fake';
import { client, heard, ingest, mapReady, row, type Server, signIn, start, until } from './harness';
import { HOME, point } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { settle } from './world';

const TAB = 'accounts/integration';
const NAME = 'North garage';

let geotab: Fake;
let samsara: Fake;

/** A server that trusts the fakes, and lets them be on this machine. */
const scene = setScene<Server>(async () => {
  const data = mkdtempSync(join(tmpdir(), 'lightbar-integrations-'));
  geotab = await startFake('geotab');
  samsara = await startFake('samsara');
  const trusted = join(data, 'trusted.pem');
  writeFileSync(trusted, [geotab, samsara].map(fake => readFileSync(fake.certificate, 'utf8')).join('\n'));
  const env = { SSL_CERT_FILE: trusted };
  const server = await start('serve', ['--outbound-allow', '127.0.0.0/8'], { data, env });
  const stop: typeof server.stop = async signal => {
    const code = await server.stop(signal);
    await geotab.stop();
    await samsara.stop();
    rmSync(data, { recursive: true, force: true });
    return code;
  };
  return { ...(await settle(server, 'integrations')), stop };
});

/** Presses Tab until something has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = () =>
    page.evaluate(
      wanted => (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent) === wanted,
      name,
    );
  for (let i = 0; i < 60 && !(await isThere()); i += 1) await page.keyboard.press('Tab');
  expect(await isThere(), `${name} to be reached by Tab`).toBe(true);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

it('an account at Geotab is connected, checked, started, paused, refused, and removed', {
  timeout: 300_000,
}, async () => {
  const { server } = scene;
  const other = await client(server, 'admin');
  const thing_type_id = enums.thingTypes.find(one => one.name === 'fire')?.id;
  for (const [nickname, marks] of [
    ['Engine 1', { vin_number: '4P1BAAGF4JA018991', device_type: 'ha7' }],
    ['Engine 2', { license_plate_number: 'FD 2002' }],
    ['Engine 3', {}],
  ] as const)
    await other.post('/things', { haas_id: nickname, nickname, thing_type_id, ...marks });
  geotab.tell({ device: { ID: 'b1', Name: 'Pumper North', VIN: '4P1BAAGF4JA018991', Serial: 'G90000000001' } });
  geotab.tell({ device: { ID: 'b2', Name: 'Ladder', Plate: 'FD-2002', Serial: 'G90000000002' } });
  geotab.tell({ device: { ID: 'b3', Name: 'Spare', Serial: 'G90000000003' } });

  const { page } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string, sizes = ['desktop', 'tablet', 'phone']) =>
    void found.push(...(await everywhere(page, sizes, name)));

  await signIn(page, server, 'admin', TAB);
  await page.getByText('No integrations yet.').waitFor();
  await see('integrations-none');
  await page.getByRole('link', { name: 'Connect a provider' }).click();
  await page.getByText('Where do your vehicles report?').waitFor();
  await see('integration-provider');
  await page.getByRole('button', { name: /^Geotab/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await page.getByLabel('Server').fill(geotab.server);
  await page.getByLabel('Database').fill(geotab.database);
  await page.getByLabel('User name').fill(geotab.user);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('not this one');
  await page.getByRole('button', { name: 'Check the account' }).click();
  await page.getByText(/^Geotab refuses .* password\.$/).waitFor();
  expect(await password.getAttribute('aria-invalid')).toBe('true');
  await see('integration-refused');

  await password.fill(geotab.password);
  await page.getByRole('button', { name: 'Check the account' }).click();
  await page.getByText('3 vehicles: 2 matched, 1 without a match.').waitFor();
  expect(new URL(page.url()).hash).toBe('#vehicles');
  await see('integration-vehicles');
  const integrations = () =>
    other.get<{ id: string; is_active: boolean; kept: number; version: number }[]>('/organization/integrations');
  expect(await integrations()).toMatchObject([{ is_active: false, kept: 0 }]);

  // By the keyboard alone.
  await tabTo(page, 'Choose asset: Spare');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Which asset is Spare?' }).waitFor();
  await page.getByRole('combobox', { name: 'Asset' }).focus();
  await page.keyboard.type('Engine 3');
  await page.getByRole('option', { name: /Engine 3/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await see('integration-asset');
  await page.keyboard.press('Escape');
  await tabTo(page, 'Choose');
  await page.keyboard.press('Enter');
  await row(page, 'Spare').getByText('Engine 3').waitFor();
  await tabTo(page, 'Start');
  await page.keyboard.press('Enter');
  await heard(page, `“${NAME}” is started with 3 vehicles`);
  await heading(page).getByText('Good').waitFor();

  geotab.tell({ log: { id: 'b1', Lat: HOME.lat, Lng: HOME.lng, KMH: 36 } });
  await page.getByText('1 accepted, 0 rejected').waitFor();
  await see('integration-good');
  const assets = await other.get<{ id: string; nickname: string; lat: number }[]>('/organization/things');
  const engine = assets.find(one => one.nickname === 'Engine 1');
  expect(engine?.lat).toBeCloseTo(HOME.lat, 4);

  // A device of its own reports as well, and has not said which configuration it has.
  const file = { model: 'HA7', platform: 'ESP32', file_name: 'ha7-engine.bin', location_type: 'gnss' };
  const pins = { warning_light_pin: 4, indicator_pin: 5 };
  await other.put(`/things/${engine?.id}/device_config`, { ...file, ...pins, heartbeat_interval: 60 });
  await ingest(server, [point('Engine 1', 0)]);
  await page.goto(`${server.url}/dashboard/things/${engine?.id}`);
  const detail = page.getByRole('article', { name: 'Asset' });
  await detail.getByText('Sources', { exact: true }).waitFor();
  await detail.getByText(`Geotab · ${NAME}`).waitFor();
  await detail.getByText(/^Configuration 1 · device has not said which it has/).waitFor();
  await mapReady(page);
  await see('asset-sources');

  await page.goto(`${server.url}/dashboard/${TAB}`);
  const actions = page.getByRole('button', { name: `Actions for ${NAME}` });
  await actions.click();
  await see('integration-actions', ['desktop']);
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await heard(page, `“${NAME}” is paused`);
  await row(page, NAME).getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await heard(page, 'Change undone');
  await row(page, NAME).getByText('Good').waitFor();
  await see('integrations');

  geotab.tell({ revoke: true });
  await row(page, NAME).getByRole('link', { name: NAME }).click();
  await page.getByRole('button', { name: 'Fetch now' }).click();
  await page
    .getByText(/^Failing since .*: Geotab refuses .* password$/)
    .first()
    .waitFor();
  await see('integration-unauthorized');
  await page.getByRole('link', { name: 'Replace password' }).click();
  await page.getByText('Saved, encrypted, and never shown again.').waitFor();
  await page.getByRole('button', { name: 'Replace password' }).click();
  await page.getByLabel('New password', { exact: true }).waitFor();
  await see('integration-edit');
  await page.getByRole('link', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('No integrations yet.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await heard(page, 'Change undone');
  await until('it to be back', async () => (await integrations()).length === 1);
  expect(found).toEqual([]);
});

it('an account at Samsara is connected by its token, checked, started, and its vehicle is on the map with its lights on', {
  timeout: 300_000,
}, async () => {
  const { server } = scene;
  const other = await client(server, 'admin');
  const thing_type_id = enums.thingTypes.find(one => one.name === 'tow')?.id;
  await other.post('/things', { haas_id: 'TOW-1', nickname: 'Tow 1', thing_type_id, vin_number: '1HGCM82633A004352' });
  samsara.tell({ truck: { ID: '281474977075805', Name: 'Rollback', VIN: '1HGCM82633A004352' } });
  samsara.tell({ truck: { ID: '281474977075806', Name: 'Yard truck' } });

  const { page } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  const found: string[] = [];
  const see = async (name: string) =>
    void found.push(...(await everywhere(page, ['desktop', 'tablet', 'phone'], name)));
  // The form knows Samsara's own places alone: on its way to the server one of them becomes the fake.
  const places: unknown[] = [];
  await page.route('**/api/organization/integrations', async route => {
    if (route.request().method() !== 'POST') return route.fallback();
    const body = route.request().postDataJSON();
    places.push(body.server);
    await route.continue({ postData: JSON.stringify({ ...body, server: samsara.server }) });
  });

  await signIn(page, server, 'admin', TAB);
  await page.getByRole('link', { name: 'Connect a provider' }).click();
  await page.getByRole('button', { name: /^Samsara/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Tow yard');
  await page.getByRole('button', { name: /Region/ }).click();
  await page.getByRole('option', { name: 'Europe' }).click();
  await page.getByLabel('Token', { exact: true }).fill(samsara.password);
  const lights = page.getByRole('combobox', { name: 'Inputs that mean emergency lights are on' });
  await lights.fill('Emergency Lights');
  await page.getByRole('option', { name: 'Emergency Lights' }).click();
  await page.keyboard.press('Escape');
  await see('integration-samsara');
  await page.getByRole('button', { name: 'Check the account' }).click();
  await page.getByText('2 vehicles: 1 matched, 1 without a match.').waitFor();
  expect(places).toEqual(['api.eu.samsara.com']);
  await see('integration-samsara-vehicles');
  const tow = (await other.get<{ id: string; nickname: string }[]>('/organization/things')).find(
    one => one.nickname === 'Tow 1',
  );
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await heard(page, '“Tow yard” is started with 1 vehicle');
  await heading(page).getByText('Good').waitFor();

  samsara.tell({ gps: { id: '281474977075805', Lat: HOME.lat + 0.002, Lng: HOME.lng, MPH: 0 } });
  samsara.tell({ aux: { id: '281474977075805', name: 'Emergency Lights', on: true } });
  const state = () =>
    other
      .get<{ id: string; lat: number; is_active: boolean }[]>('/organization/things')
      .then(all => all.find(one => one.id === tow?.id));
  await until('it to be there, with its lights on', async () => {
    const now = await state();
    return now?.is_active && Math.abs(now.lat - HOME.lat - 0.002) < 1e-4;
  });
  await page.goto(`${server.url}/dashboard/things/${tow?.id}`);
  await mapReady(page);
  const detail = page.getByRole('article', { name: 'Asset' });
  await detail.getByRole('heading', { name: 'Tow 1' }).waitFor();
  await see('asset-samsara');
  expect(found).toEqual([]);
});
