// Every screen in both themes and three sizes: pictures to look at (screens/, not in git), and the laws of accessibility on each.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, mapReady, row, signIn } from './harness';
import { sendFleet, sendLent } from './journey';
import { axe, everywhere } from './look';
import { setScene } from './scene';

/** Takes pictures of what stands, in every theme and size of the tab; remembers what breaks a law. */
type See = (name: string) => Promise<void>;

const scene = setScene();

// So that there is a lock screen; nobody waits for the hour.
beforeAll(async () => {
  await sendFleet(scene.server, 12);
  await sendLent(scene.server);
  await (await client(scene.server)).put('/organization', { lock_screen_ms: 3_600_000 });
});

/** Windows that may stand over the map. */
async function dialogs(page: Page, isPhone: boolean, see: See): Promise<void> {
  await page.getByRole('button', { name: isPhone ? 'Account' : / profile of / }).click();
  await page.getByText('Sign Out').waitFor();
  await see('menu');
  if (!isPhone) await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Support' }).click();
  await page.getByRole('dialog', { name: 'Support' }).waitFor();
  await see('support');
  await page.getByRole('dialog', { name: 'Support' }).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The lock screen, as another tab of the browser calls for it; nothing of the fleet can be read behind it. */
async function locked(page: Page, see: See): Promise<void> {
  const tell = () => new BroadcastChannel('lightbar.session').postMessage({ kind: 'lock', locked: true });
  await page.evaluate(tell);
  await page.getByRole('alertdialog', { name: 'Screen locked' }).waitFor();
  const readable = await page.evaluate(() =>
    [...document.querySelectorAll('#root *')]
      .filter(e => e.checkVisibility({ visibilityProperty: true }) && e.tagName !== 'CANVAS')
      .map(e => `${e.tagName} ${e.className} ${e.textContent}`),
  );
  expect(readable).toEqual([]);
  await see('locked');
  await page.getByLabel('Password').fill(scene.server.password);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
}

/** What stands before a sign-in, and in its way. */
async function publicScreens(page: Page, see: See): Promise<void> {
  const visit = (path: string) => page.goto(`${scene.server.url}/welcome/${path}`);
  await visit('signin');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await see('signin');
  await page.getByLabel('Email').fill('nobody@demo.example');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Email and/or password incorrect.').waitFor();
  await see('signin-refused');
  await visit('forgot');
  await page.getByRole('button', { name: 'Send link' }).waitFor();
  await see('forgot');
  await visit('reset/admin@demo.example#lb_rst_unknown');
  await page.getByLabel('New password', { exact: true }).fill('journey2026');
  await page.getByLabel('Confirm password', { exact: true }).fill('journey');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Should match password').waitFor();
  await see('reset');
  await visit('invite/ivy@demo.example#lb_inv_unknown');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await see('invite');
  await page.route('**/api/sign_in_methods', route =>
    route.fulfill({
      json: {
        data: {
          password: true,
          providers: [{ id: 'kent', title: 'Kent County', start: '/api/sso/kent/start' }],
          password_policy: 'specified',
        },
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
  await page.getByRole('button', { name: 'Email me an unlock link' }).waitFor();
  await see('signin-locked');
  await enter({ error: 'mfa_required', challenge: 'lb_mfa_1', methods: ['totp', 'recovery'] });
  await page.getByText('Enter the code from your authenticator app.').waitFor();
  await see('signin-code');
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const url = `otpauth://totp/Safety%20Cloud:dana@demo.example?secret=${secret}&issuer=Safety%20Cloud`;
  await enter({ error: 'mfa_setup_required', challenge: 'lb_mfa_2', totp: { secret, url } });
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
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
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  await see('signin-recovery');
  await page.unroute('**/api/user_token');
  await page.unroute('**/api/sign_in_methods');
  await page.goto(`${scene.server.url}/help`);
  await page.getByRole('heading', { name: 'Rename assets' }).waitFor();
  await see('help');
}

// Larger screens have one markup and the phone another; each is walked once.
describe.each([
  ['larger screens', ['desktop', 'tablet']],
  ['a phone', ['phone']],
] as const)('on %s', (_, sizes) => {
  it('every screen looks right and breaks no law of accessibility', { timeout: 400_000 }, async () => {
    const isPhone = sizes[0] === 'phone';
    // A still picture asks for a still map.
    const { page } = await scene.open({ size: sizes[0], still: true });
    await page.addInitScript({ path: axe });
    const found: string[] = [];
    const see = async (name: string) => void found.push(...(await everywhere(page, sizes, name)));

    await publicScreens(page, see);
    await page.goto(`${scene.server.url}/nonsense`);
    await page.getByText('Sorry, the requested URL was not found here.').waitFor();
    await see('not-found');

    await signIn(page, scene.server);
    await mapReady(page);
    await row(page, 'Engine').first().waitFor();
    // "Pending" is spoken in the name of the sign-in's button, which has gone; the words stay for some seconds.
    await page.waitForFunction(() => !document.querySelector('[data-live-announcer] [role="img"]'));
    await see('live');
    await dialogs(page, isPhone, see);

    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('form', { name: 'Filters' }).waitFor();
    await see('filters');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('searchbox', { name: 'Search for an asset...' }).fill('Attenuator 1');
    await row(page, 'Attenuator 1').click();
    await page.getByText('Plate#').waitFor();
    // Its card stands on the map, where there is room for one.
    if (!isPhone) await page.getByRole('heading', { name: /^Attenuator 1/, level: 2 }).waitFor();
    await see('detail');
    await locked(page, see);
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.getByRole('form', { name: 'Profile' }).waitFor();
    await see('edit');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Edit Organization Access' }).click();
    await page.getByRole('form', { name: 'Organization Access' }).waitFor();
    await see('access');
    expect(found).toEqual([]);
  });
});
