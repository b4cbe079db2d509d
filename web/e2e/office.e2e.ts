// Assets, API keys and the audit, looked after by an administrator: each flow on the real server, and hostile texts in every list.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, heard, ingest, mapReady, register, row, signIn, type sizes, type Tab, textOf, until } from './harness';
import { axe, everywhere } from './look';
import { setScene } from './scene';
import { addOrganization } from './world';

const scene = setScene();
beforeAll(() => addOrganization(scene.server.data, 'Brandywine Towing', scene.server.organization));
let tab: Tab;
let page: Page;

/** Signs the administrator in, at the assets or at another page of the dashboard. */
async function enter(to = 'accounts/thing', size: keyof typeof sizes = 'desktop'): Promise<void> {
  tab = await scene.open({ size });
  page = tab.page;
  await page.addInitScript({ path: axe });
  await signIn(page, scene.server, 'admin', to);
}

const said = (text: string | RegExp) => page.getByText(text).first().waitFor();

async function pick(label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Pictures of what stands on a desk and on a tablet, in both themes; what breaks a law of accessibility. */
const look = (name: string) => everywhere(page, ['desktop', 'tablet'], `office-${name}`);

/** Saves what a press downloads; its text. */
async function download(press: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return textOf(file);
}

describe('assets', () => {
  it('are registered, configured, given away and deleted', async () => {
    await enter('accounts/thing/new');
    const found: string[] = [];
    await page.getByRole('button', { name: 'Register asset' }).click();
    await said('Required');
    await page.getByLabel('System name').fill('HA5-OFFICE');
    await page.getByLabel('Nickname').fill('Office Engine');
    await pick('Type', 'Fire');
    await pick('Device', 'HA5 transponder');
    found.push(...(await look('register')));
    await page.getByRole('button', { name: 'Register asset' }).click();
    await page.getByRole('heading', { level: 1, name: 'Office Engine' }).waitFor();

    for (const [label, value] of [
      ['Model', 'HA5'],
      ['Platform', 'linux'],
      ['File name', 'ha5.bin'],
      ['Location type', 'gps'],
      ['Heartbeat interval (s)', '60'],
      ['Warning Light Pin', '4'],
      ['Indicator Pin', '4'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Save configuration' }).click();
    await said('Cannot be the same as Warning Light Pin');
    await page.getByLabel('Indicator Pin', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Save configuration' }).click();
    await heard(page, 'Device configuration saved');
    found.push(...(await look('asset')));

    await page.getByRole('button', { name: 'Transfer' }).click();
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Choose an organization').nth(1).waitFor();
    found.push(...(await look('transfer')));
    await dialog.getByRole('button', { name: /New owner$/ }).click();
    await page.getByRole('option', { name: 'Brandywine Towing' }).click();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await heard(page, 'Office Engine now belongs to Brandywine Towing');
    await page.getByRole('searchbox', { name: 'Search assets' }).fill('HA5-OFFICE');
    await said('No results found.');
    expect(found).toEqual([]);
  });

  it('come from a file after a look at what would change, and go into one', async () => {
    await register(scene.server, [{ haas_id: 'FILE-1', nickname: 'Filed Engine', thing_type: 'fire' }]);
    await enter();
    await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor();
    const file = await download(() => page.getByRole('button', { name: 'Export' }).click());
    const [header = '', first = ''] = file.trim().split(/\r?\n/);
    expect(header).toContain('haas_id');
    await page.getByRole('link', { name: 'Import' }).click();
    const give = (csv: string) =>
      page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf8') });
    await give(`${header}\n${first}\n`);
    await said(/0 to register, 0 to change, 1 unchanged/);
    await give('haas_id,thing_type\nIMPORT-1,fire\nIMPORT-2,submarine\n');
    await said(/1 with errors/);
    expect(await page.getByRole('button', { name: 'Apply 1 change' }).isDisabled()).toBe(true);
    const found = await look('import');
    await give('haas_id,thing_type,nickname\nIMPORT-1,fire,Imported One\nIMPORT-2,tow,Imported Two\n');
    await page.getByRole('button', { name: 'Apply 2 changes' }).click();
    await said('2 registered, 0 changed');
    found.push(...(await look('import-done')));
    await page.getByRole('button', { name: 'Undo' }).click();
    await said('2 deleted, 0 restored.');
    await page.getByRole('button', { name: 'Import another file' }).click();
    await give('haas_id,thing_type,nickname\nIMPORT-1,fire,Imported One\nIMPORT-2,tow,Imported Two\n');
    await page.getByRole('button', { name: 'Apply 2 changes' }).click();
    await said('2 registered, 0 changed');
    await page.getByRole('link', { name: 'View assets' }).click();
    await row(page, 'Imported Two').getByRole('link').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
    found.push(...(await look('asset-delete')));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heard(page, 'Imported Two is deleted');
    await row(page, 'Imported Two').waitFor({ state: 'detached' });
    found.push(...(await look('assets')));
    await page.getByRole('searchbox', { name: 'Search assets' }).fill('nothing of that name');
    await said('No results found.');
    found.push(...(await look('assets-none')));
    expect(found).toEqual([]);
  });
});

describe('API keys', () => {
  it('are made, shown once, report, and are revoked', async () => {
    await enter('accounts/key');
    await page.getByRole('link', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await said('Required');
    await page.getByLabel('Description').fill('Station gateway');
    const found = await look('key-new');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByLabel('API key', { exact: true }).textContent()) ?? '';
    expect(secret).toMatch(/^lb_key_/);
    const report = () =>
      ingest({ ...scene.server, key: secret }, [{ type: 'heartbeat', asset: 'nobody', at: new Date().toISOString() }]);
    await expect(report()).rejects.toThrow('asset_unknown');
    found.push(...(await look('key-secret')));
    await page.getByRole('button', { name: "I've saved it" }).click();
    await row(page, 'Station gateway').getByText('Active').waitFor();
    // A year is the longest, and the list says when it is over.
    const year = new Date(Date.now() + 364 * 86_400_000).getFullYear();
    await row(page, 'Station gateway')
      .getByText(new RegExp(`^[A-Z][a-z]{2}-\\d\\d-${year}$`))
      .waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    await row(page, 'Station gateway').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').waitFor();
    found.push(...(await look('key-revoke')));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await row(page, 'Station gateway').getByText('Revoked').waitFor();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    found.push(...(await look('keys')));
    expect(found).toEqual([]);
    await until('the revoked key to be refused', () =>
      report().then(
        () => false,
        error => /401|invalid_key/.test(String(error)),
      ),
    );
  });
});

describe('the audit', () => {
  it('says who changed what, in detail and as a file', async () => {
    const admin = await client(scene.server);
    const organization = scene.server.organization;
    await admin.put(`/organization/${organization}`, { contact_name: 'Audited Contact' });
    await enter('accounts/audit');
    // Not "Viewed organizations", which somebody of the platform may leave at any time.
    await page.getByRole('button', { name: 'Updated organization', exact: true }).first().click();
    await page.getByRole('dialog').getByText('Audited Contact').waitFor();
    const found = await look('audit-entry');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    found.push(...(await look('audit')));
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menu').waitFor();
    found.push(...(await look('audit-export')));
    const file = await download(() => page.getByRole('menuitem', { name: 'JSON lines for software' }).click());
    expect(found).toEqual([]);
    expect(file).toContain('Audited Contact');
    for (const line of file.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('actor');
  });
});

describe('hostile texts', () => {
  // Any dialog or policy violation is a complaint of the tab, which fails the journey.
  it('are shown as they are, on every screen that shows them', async () => {
    const evil = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}`;
    const short = '<img src=x onerror=alert(3)>';
    await enter();
    const admin = await client(scene.server);
    const organization = scene.server.organization;
    const roles = await admin.get<{ id: string }[]>('/roles');
    const types = await admin.get<{ id: string }[]>('/thing_types');
    await admin.put(`/organization/${organization}`, { contact_name: evil });
    const user = await admin.post<{ id: string }>('/users', {
      firstname: evil,
      lastname: evil,
      email: 'evil@office.example',
      role_id: roles[0]?.id,
    });
    const thing = await admin.post<{ id: string }>('/things', {
      haas_id: 'EVIL-1',
      nickname: short,
      thing_type_id: types[0]?.id,
      license_plate_number: short,
      registry_number: short,
    });
    await admin.post('/keys', { description: evil, scope: 'ingest' });
    await ingest(scene.server, [
      {
        type: 'point',
        asset: 'EVIL-1',
        at: new Date().toISOString(),
        lat: 39.7391,
        lng: -75.5398,
        accuracy: 4,
        speed: 0,
      },
    ]);
    for (const [path, text] of [
      ['accounts/user', 'alert(2)'],
      [`accounts/user/${user.id}`, 'alert(2)'],
      [`accounts/user/${user.id}/edit`, ''],
      ['accounts/organization', 'Wilmington'],
      [`accounts/organization/${organization}`, 'alert(2)'],
      [`accounts/organization/${organization}/edit`, ''],
      ['accounts/thing', 'alert(3)'],
      [`accounts/thing/${thing.id}`, 'alert(3)'],
      ['accounts/key', 'alert(2)'],
      ['accounts/audit', 'alert(2)'],
      ['things', 'alert(3)'],
      [`things/${thing.id}`, 'alert(3)'],
      [`things/${thing.id}/edit/profile`, ''],
    ] as const) {
      await page.goto(`${scene.server.url}/dashboard/${path}`);
      if (path.startsWith('things')) await mapReady(page);
      if (text) await said(new RegExp(text.replace(/[()]/g, '\\$&')));
      else await page.getByRole('form').first().waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(tab.complaints).toEqual([]);
    }
  });
});
