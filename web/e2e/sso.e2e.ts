// Single sign-on: the button, the way to a provider and back, a person made at the first visit, and one without a group kept out;
// sign-in links that ask first, and a step-up at the provider.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { binary, start, until } from './harness';
import { axe, both } from './look';
import { startProvider } from './provider';
import { setScene } from './scene';

let provider: Awaited<ReturnType<typeof startProvider>>;
const scene = setScene(async () => {
  const data = mkdtempSync(join(tmpdir(), 'lightbar-sso-'));
  provider = await startProvider('lightbar');
  const fire = execFileSync(binary(), ['organization', 'create', 'City Fire', '--data', data], {
    encoding: 'utf8',
  }).trim();
  const file = join(data, 'sso.json');
  const city = {
    id: 'city',
    title: 'City account',
    issuer: provider.issuer,
    client_id: 'lightbar',
    client_secret: 'journey',
    mappings: [
      { group: 'chiefs', organization: fire, role: 'administrator' },
      { group: 'fire', organization: fire, role: 'operator' },
    ],
  };
  writeFileSync(file, JSON.stringify([city]), { mode: 0o600 });
  const server = await start('serve', ['--sso', file, '--link-confirmation'], { data });
  const stop: typeof server.stop = async signal => {
    const code = await server.stop(signal);
    await provider.stop();
    rmSync(data, { recursive: true, force: true });
    return code;
  };
  return { ...server, stop };
});

const ann = { sub: 'ann-1', email: 'ann@city.example', given_name: 'Ann', family_name: 'Lee' };

it('leads to the provider and back to where somebody wanted to go', async () => {
  const { page } = await scene.open();
  provider.who({ ...ann, groups: ['staff', 'fire'] });
  await page.goto(`${scene.server.url}/dashboard/things?from=here`);
  await page.waitForURL('**/welcome/signin?**');
  await page
    .getByRole('link', { name: 'City account' })
    .or(page.getByRole('button', { name: 'City account' }))
    .click();
  await page.waitForURL('**/dashboard/things?from=here');
  await page.getByRole('button', { name: 'AL, profile of Ann Lee' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'AL, profile of Ann Lee' }).waitFor();
});

it('offers the end of the session at the provider too, to who has signed out', async () => {
  const { page } = await scene.open({ still: true });
  await page.addInitScript({ path: axe });
  provider.who({ ...ann, groups: ['fire'] });
  await page.goto(`${scene.server.url}/welcome/signin`);
  await page.getByRole('link', { name: 'City account' }).click();
  await page.getByRole('button', { name: 'AL, profile of Ann Lee' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByText('You may still be signed in with City account.').waitFor();
  expect(await both(page, 'desktop', 'signed-out')).toEqual([]);
  await page.getByRole('link', { name: 'Sign out of City account too' }).click();
  await page.getByRole('link', { name: 'Yes, sign me out' }).click();
  await page.getByRole('link', { name: 'City account' }).waitFor();
  expect(page.url()).toBe(`${scene.server.url}/welcome/signin`);
  expect(await page.getByText('You may still be signed in').count()).toBe(0);
});

it('keeps out who is in no mapped group, and says so', async () => {
  const { page } = await scene.open();
  provider.who({ ...ann, groups: ['staff'] });
  await page.goto(`${scene.server.url}/welcome/signin`);
  await page
    .getByRole('link', { name: 'City account' })
    .or(page.getByRole('button', { name: 'City account' }))
    .click();
  await page.getByText('Your user is not authorized to access Safety Cloud Dashboard.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/welcome/signin');
});

const chief = { sub: 'kim-1', email: 'kim@city.example', given_name: 'Kim', family_name: 'Day', groups: ['chiefs'] };

/** Kim signs in by the provider and makes a sign-in link; its session has proved nothing yet. */
async function linkOf(page: Page): Promise<string> {
  provider.who({ ...chief, justNow: true });
  await page.goto(`${scene.server.url}/welcome/signin`);
  const asked = page.waitForRequest('**/api/profile');
  await page
    .getByRole('link', { name: 'City account' })
    .or(page.getByRole('button', { name: 'City account' }))
    .click();
  const { authorization = '' } = await (await asked).allHeaders();
  const answer = await fetch(`${scene.server.url}/api/session/link`, {
    method: 'POST',
    headers: { Authorization: authorization },
  });
  return ((await answer.json()) as { data: { url: string } }).data.url;
}

// spec: D.auth.07
it('asks before a sign-in link signs in, and proves who is there at the provider', async () => {
  const first = await scene.open();
  const { page, context } = await scene.open();
  await page.goto(await linkOf(first.page));
  await page.getByRole('heading', { name: 'Continue as Kim Day' }).waitFor();
  await page.getByText('kim@city.example').waitFor();
  await page.getByText('City Fire').waitFor();
  expect(page.url()).not.toMatch(/lb_[a-z]+_/);
  expect([await page.evaluate(() => localStorage.getItem('lightbar.session')), await context.cookies()]).toEqual([
    null,
    [],
  ]);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/dashboard/things**');
  expect(page.url()).not.toMatch(/lb_[a-z]+_/);

  await page.goto(`${scene.server.url}/dashboard/accounts/key/new`);
  await page.getByLabel('Description').fill('Station gateway');
  await page.getByRole('button', { name: 'Create key' }).click();
  const question = page.getByRole('dialog', { name: "Confirm it's you" });
  await question.getByRole('button', { name: 'Confirm with City account' }).waitFor();

  // Somebody else at the provider proves nothing.
  provider.who({ ...chief, sub: 'ann-1' });
  const wrong = await opens(page, question);
  await wrong.getByText('Your provider signed in someone else.').waitFor();
  await question.getByText('Your provider signed in someone else.').waitFor();
  await wrong.close();

  provider.who(chief);
  const right = await opens(page, question);
  await right.getByText('You can close this window.').waitFor();
  expect(await page.getByLabel('API key', { exact: true }).textContent()).toMatch(/^lb_key_/);
  await question.waitFor({ state: 'detached' });
});

/** Presses the button, and the one of the provider in the window that opens. */
async function opens(page: Page, question: Locator): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await question.getByRole('button', { name: 'Confirm with City account' }).click();
  const popup = await opened;
  await question.getByText('Sign in again in the City account window.').waitFor();
  await popup.getByRole('link', { name: 'I am Kim' }).click();
  await popup.waitForURL('**/welcome/verified**');
  return popup;
}

const textsOf = (link: string) => JSON.stringify(Object.fromEntries(new URL(link).searchParams));

it('uses a sign-in link up for who is not meant', async () => {
  const first = await scene.open();
  const { page, context } = await scene.open();
  const link = await linkOf(first.page);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Continue as Kim Day' }).waitFor();
  await page.getByRole('button', { name: 'Not you? Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  const lookUp = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: textsOf(link) };
  await until(
    'the link to be used up',
    async () => (await fetch(`${scene.server.url}/api/sign_in_link`, lookUp)).status === 401,
  );
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await context.cookies()).toEqual([]);
});
