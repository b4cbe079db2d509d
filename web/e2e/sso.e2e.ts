// Single sign-on: the button, the way to a provider and back, a person made at the first visit, and one without a group kept out.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { binary, openTab, type Process, start, startBrowser } from './harness';
import { startProvider } from './provider';

let provider: Awaited<ReturnType<typeof startProvider>>;
let server: Process;
let browser: Browser;
const data = mkdtempSync(join(tmpdir(), 'lightbar-sso-'));

beforeAll(async () => {
  provider = await startProvider('lightbar');
  const file = join(data, 'sso.json');
  const city = {
    id: 'city',
    title: 'City account',
    issuer: provider.issuer,
    client_id: 'lightbar',
    client_secret: 'journey',
    mappings: [{ group: 'fire', organization: 'City Fire', role: 'operator' }],
  };
  writeFileSync(file, JSON.stringify([city]), { mode: 0o600 });
  execFileSync(binary(), ['organization', 'create', 'City Fire', '--data', data]);
  [server, browser] = await Promise.all([start('serve', ['--sso', file], { data }), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  expect(await server?.stop()).toBe(0);
  await provider?.stop();
  rmSync(data, { recursive: true, force: true });
});

const ann = { sub: 'ann-1', email: 'ann@city.example', given_name: 'Ann', family_name: 'Lee' };

it('leads to the provider and back to where somebody wanted to go', async () => {
  const { page, context, complaints } = await openTab(browser);
  provider.who({ ...ann, groups: ['staff', 'fire'] });
  await page.goto(`${server.url}/dashboard/things?from=here`);
  await page.waitForURL('**/welcome/signin?**');
  await page
    .getByRole('link', { name: 'City account' })
    .or(page.getByRole('button', { name: 'City account' }))
    .click();
  await page.waitForURL('**/dashboard/things?from=here');
  await page.getByRole('button', { name: 'Profile: Ann Lee (AL)' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Profile: Ann Lee (AL)' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it('keeps out who is in no mapped group, and says so', async () => {
  const { page, context, complaints } = await openTab(browser);
  provider.who({ ...ann, groups: ['staff'] });
  await page.goto(`${server.url}/welcome/signin`);
  await page
    .getByRole('link', { name: 'City account' })
    .or(page.getByRole('button', { name: 'City account' }))
    .click();
  await page.getByText('Your user is not authorized to access Safety Cloud Dashboard.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/welcome/signin');
  expect(complaints).toEqual([]);
  await context.close();
});
