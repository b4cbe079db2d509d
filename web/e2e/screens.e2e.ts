// Every screen in both themes and three sizes: pictures to look at (screens/, not in git), and the laws of accessibility on each.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  client,
  mapReady,
  openTab,
  row,
  type Server,
  signIn,
  sizes,
  startBrowser,
  startDemo,
  type Tab,
} from './harness';
import { axe, both as look } from './look';

type Size = keyof typeof sizes;

let server: Server;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemo(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  expect(tab.complaints).toEqual([]);
});

/** Takes a picture of what stands, and of the same in the other theme; collects what breaks a law. */
const both = (size: Size, name: string) => look(tab.page, size, name);

/** Windows that may stand over the map. */
async function dialogs(size: Size, see: (name: string) => Promise<void>): Promise<void> {
  const { page } = tab;
  if (size === 'phone') await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Support' }).click();
  await page.getByRole('dialog', { name: 'Support' }).waitFor();
  await see('support');
  await page.getByRole('dialog', { name: 'Support' }).getByRole('button', { name: 'Close' }).click();
  const admin = await client(server);
  await admin.put('/organization', { lock_screen_ms: 3_600_000 });
  await page.reload();
  await mapReady(page);
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('lightbar.lock') ?? '{}');
    localStorage.setItem('lightbar.lock', JSON.stringify({ ...stored, locked: true }));
  });
  await page.reload();
  await page.getByRole('alertdialog', { name: 'Screen locked' }).waitFor();
  // Behind the lock the page is hidden; the map draws all the same.
  await page.waitForSelector('[data-map="ready"]', { state: 'attached' });
  await see('locked');
  await page.getByLabel('Password').fill(server.demo.password);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await admin.put('/organization', { lock_screen_ms: 0 });
  await row(page, 'Engine').first().waitFor();
}

/** What stands before a sign-in, and in its way. */
async function publicScreens(page: Page, see: (name: string) => Promise<void>): Promise<void> {
  const visit = (path: string) => page.goto(`${server.url}/welcome/${path}`);
  await visit('forgot');
  await page.getByRole('button', { name: 'Send link' }).waitFor();
  await see('forgot');
  await visit('reset/admin@demo.example/lb_rst_unknown');
  await page.getByLabel('New password', { exact: true }).fill('journey2026');
  await page.getByLabel('Confirm password', { exact: true }).fill('journey');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Should match password').waitFor();
  await see('reset');
  await visit('invite/ivy@demo.example/lb_inv_unknown');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await see('invite');
  await page.route('**/api/sign_in_methods', route =>
    route.fulfill({
      json: {
        data: { password: true, providers: [{ id: 'kent', title: 'Kent County', start: '/api/sso/kent/start' }] },
      },
    }),
  );
  let answer = {};
  await page.route('**/api/user_token', route => route.fulfill({ status: 401, json: answer }));
  const enter = async (next: object) => {
    answer = next;
    await visit('signin');
    await page.getByRole('link', { name: 'Sign in with Kent County' }).waitFor();
    await page.getByLabel('Email').fill('dana@demo.example');
    await page.getByLabel('Password', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await enter({ error: 'locked_out', error_description: 'Too many attempts. Please try again in 10 minutes.' });
  await page.getByRole('button', { name: 'Send me an unlock link' }).waitFor();
  await see('signin-locked');
  await enter({ error: 'mfa_required', challenge: 'lb_mfa_1', methods: ['totp', 'recovery'] });
  await page.getByText('Enter the code of your authenticator app.').waitFor();
  await see('signin-code');
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const url = `otpauth://totp/Safety%20Cloud:dana@demo.example?secret=${secret}&issuer=Safety%20Cloud`;
  await enter({ error: 'mfa_setup_required', challenge: 'lb_mfa_2', totp: { secret, url } });
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await see('signin-setup');
  await page.unroute('**/api/user_token');
  await page.route('**/api/user_token', route =>
    route.fulfill({
      json: {
        access_token: 'none',
        expires_in: 60,
        created_at: Math.floor(Date.now() / 1000),
        recovery_codes: Array.from({ length: 10 }, (_, i) => `${2345 + i * 111}-${9876 - i * 99}`),
      },
    }),
  );
  await page.getByLabel('Code', { exact: true }).fill('123456');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  await see('signin-recovery');
  await page.unroute('**/api/user_token');
  await page.unroute('**/api/sign_in_methods');
  await page.goto(`${server.url}/help`);
  await page.getByRole('heading', { name: 'Rename assets' }).waitFor();
  await see('help');
}

describe.each(Object.keys(sizes) as Size[])('on a %s', size => {
  it('every screen looks right and breaks no law of accessibility', { timeout: 240_000 }, async () => {
    tab = await openTab(browser, { size });
    const { page } = tab;
    await page.addInitScript({ path: axe });
    const found: string[] = [];
    const see = async (name: string) => void found.push(...(await both(size, name)));

    await page.goto(`${server.url}/welcome/signin`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await see('signin');
    await page.getByLabel('Email').fill('nobody@demo.example');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Email and/or password incorrect.').waitFor();
    await see('signin-refused');

    await publicScreens(page, see);

    await signIn(page, server);
    await mapReady(page);
    await row(page, 'Engine').first().waitFor();
    // "Pending" is spoken in the name of the sign-in's button, which has gone; the words stay for some seconds.
    await page.waitForFunction(() => !document.querySelector('[data-live-announcer] [role="img"]'));
    await see('live');

    await page.getByRole('button', { name: size === 'phone' ? 'Account' : /^Profile/ }).click();
    await page.getByText('Sign Out').waitFor();
    await see('menu');
    await page.keyboard.press('Escape');

    await dialogs(size, see);

    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('form', { name: 'Filters' }).waitFor();
    await see('filters');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('searchbox', { name: 'Search for an asset...' }).fill('Attenuator 1');
    await row(page, 'Attenuator 1').click();
    await page.getByText('Plate#').waitFor();
    await see('detail');
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.getByRole('form', { name: 'Profile' }).waitFor();
    await see('edit');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Edit Organization Access' }).click();
    await page.getByRole('form', { name: 'Organization Access' }).waitFor();
    await see('access');

    await page.goto(`${server.url}/nonsense`);
    await page.getByText('Sorry, the requested URL was not found here.').waitFor();
    await see('not-found');
    await tab.context.close();
    expect(found).toEqual([]);
  });
});
