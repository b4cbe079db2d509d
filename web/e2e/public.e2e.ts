// The ways in, on the real server: mailed links, second factors, links with tokens; and what ends or hides a session.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { client, mapReady, openTab, type Server, signIn, startBrowser, startDemo, type Tab, until } from './harness';
import { find, sendJourneys } from './journey';
import { atSignIn, choose, enter, mailedLink, totp } from './people';

let server: Server;
let browser: Browser;
let tabs: Tab[] = [];
/** Undoes what a journey has changed for everybody, whatever came of it. */
let restore: (() => Promise<unknown>) | undefined;

const address = (role: string) => `${role}@demo.example`;
const pathOf = (page: Page) => new URL(page.url()).pathname;
const inside = (page: Page) => page.waitForURL('**/dashboard/things**');

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemo({ quiet: true }), startBrowser()]);
  await sendJourneys(server);
});
afterAll(async () => {
  await browser?.close();
  expect(await server?.stop()).toBe(0);
});
afterEach(async () => {
  await restore?.();
  restore = undefined;
  const complaints = tabs.flatMap(tab => tab.complaints);
  await Promise.all(tabs.map(tab => tab.context.close()));
  tabs = [];
  expect(complaints).toEqual([]);
});

async function visitor(): Promise<Page> {
  const tab = await atSignIn(browser, server);
  tabs.push(tab);
  return tab.page;
}

async function signedIn(role: string): Promise<Page> {
  const tab = await openTab(browser);
  tabs.push(tab);
  await signIn(tab.page, server, role);
  return tab.page;
}

/** Every address that the browser's history holds for this tab, as far as a page can know: its own. */
const noSecret = (page: Page) => expect(page.url()).not.toMatch(/lb_[a-z]+_/);

describe('a forgotten password', () => {
  // spec: 2.pub.03 2.pub.07 2.pub.08 5.password.05 8.signin.14 8.token.02 8.token.05 8.token.06
  it('is replaced by a mailed link, which works once', async () => {
    const page = await visitor();
    await page.getByLabel('Email').fill(address('viewer'));
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('button', { name: 'Send link' }).waitFor();
    expect(pathOf(page)).toBe('/welcome/forgot');
    expect(await page.getByLabel('Email').inputValue()).toBe(address('viewer'));
    await page.getByLabel('Email').fill('nobody@demo.example');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText("There's no user with such email.").waitFor();
    await page.getByLabel('Email').fill(address('viewer'));
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('Success! Check your inbox').waitFor();

    const link = await mailedLink(server, address('viewer'), 'reset');
    await page.goto(link);
    await page.getByRole('heading', { name: 'New password' }).waitFor();
    noSecret(page);
    await choose(page, server.demo.password);
    await page.getByText('Cannot be same as last 10 passwords.').waitFor();
    await choose(page, 'Journey#2027!');
    await page.getByText("Success! You're being redirected...").waitFor();
    await page.waitForURL('**/welcome/signin');
    expect(await page.getByLabel('Email').inputValue()).toBe(address('viewer'));
    await enter(page, address('viewer'), 'Journey#2027!');
    await inside(page);

    const again = await visitor();
    await again.goto(link);
    await again.getByRole('heading', { name: 'New password' }).waitFor();
    await choose(again, 'Journey#2028!');
    await again.getByText('Reset token is expired or does not exist.').waitFor();
  });

  it('leaves no referrer on any public page', async () => {
    for (const path of [
      'signin',
      'forgot',
      'reset/a@b.example/lb_rst_x',
      'unlock/a/lb_unl_x',
      'invite/a/lb_inv_x',
      'sso',
    ]) {
      const answer = await fetch(`${server.url}/welcome/${path}`);
      expect([path, answer.status, answer.headers.get('Referrer-Policy')]).toEqual([path, 200, 'no-referrer']);
    }
  });

  it('never hands the token to another request', async () => {
    const tab = await openTab(browser);
    tabs.push(tab);
    const asked: string[] = [];
    tab.page.on('request', request => {
      asked.push(request.url(), request.headers().referer ?? '');
    });
    await tab.page.goto(`${server.url}/welcome/reset/a@b.example/lb_rst_secret`);
    await tab.page.getByRole('heading', { name: 'New password' }).waitFor();
    expect(asked.filter(url => url.includes('lb_rst_secret'))).toHaveLength(1);
    await tab.page.reload();
    await tab.page.getByText('This link is not complete.').waitFor();
    noSecret(tab.page);
  });
});

describe('a locked account', () => {
  // spec: 2.pub.09 8.signin.03 8.signin.09 8.signin.14
  it('is opened by the mailed unlock link', async () => {
    const page = await visitor();
    const attempt = async () => {
      const answered = page.waitForResponse('**/api/user_token');
      await enter(page, address('operator'), 'wrong');
      const { error } = (await (await answered).json()) as { error: string };
      return error;
    };
    const said: string[] = [];
    while (said.at(-1) !== 'locked_out' && said.length < 10) {
      said.push(await attempt());
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    }
    expect(said).toEqual([...Array(5).fill('invalid_grant'), 'locked_out']);
    await page.getByRole('button', { name: 'Send me an unlock link' }).click();
    await page.getByText('Success! Check your inbox').waitFor();
    await page.goto(await mailedLink(server, address('operator'), 'unlock'));
    await page.getByText('Sign in to unlock it.').waitFor();
    noSecret(page);
    expect(await page.getByLabel('Email').inputValue()).toBe(address('operator'));
    await enter(page, address('operator'), server.demo.password);
    await inside(page);
  });
});

describe('an invitation', () => {
  it('leads to a password and to the first sign-in, once', async () => {
    const admin = await client(server);
    const roles = await admin.get<{ id: string; label: string }[]>('/roles');
    const user = { firstname: 'Ivy', lastname: 'New', email: 'ivy.new@demo.example', role_id: roles[0]?.id };
    await admin.post('/users', user);
    const link = await mailedLink(server, user.email, 'invite');
    const page = await visitor();
    await page.goto(link);
    await page.getByText('Choose a password for ivy.new@demo.example.').waitFor();
    noSecret(page);
    await choose(page, 'Journey#2026');
    await page.waitForURL('**/welcome/signin');
    await enter(page, user.email, 'Journey#2026');
    await inside(page);
    const again = await visitor();
    await again.goto(link);
    await again.getByRole('heading', { name: 'Welcome' }).waitFor();
    await choose(again, 'Journey#2027!');
    await again.getByText('This invitation has been used or has expired.').waitFor();
  });
});

describe('a second factor', () => {
  it('is asked for after the password: a code, a wrong one refused, a recovery code', async () => {
    const manager = await client(server, 'manager');
    const { secret } = await manager.post<{ secret: string }>('/session/totp', {});
    const set = await manager.put<{ data: { recovery_codes: string[] } }>('/session/totp', { code: totp(secret) });
    const page = await visitor();
    await enter(page, address('manager'), server.demo.password);
    await page.getByText('Enter the code of your authenticator app.').waitFor();
    expect(await page.getByLabel('Code', { exact: true }).getAttribute('autocomplete')).toBe('one-time-code');
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is not correct.').waitFor();
    // The code that set it up is used: the next one is taken too, because clocks differ.
    await page.getByLabel('Code', { exact: true }).fill(totp(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await inside(page);

    const other = await visitor();
    await enter(other, address('manager'), server.demo.password);
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill(set.data.recovery_codes[0] ?? '');
    await other.getByRole('button', { name: 'Continue' }).click();
    await inside(other);
  });

  it('may be a passkey', async () => {
    const page = await signedIn('super');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const { post } = await client(server, 'super');
    const asked = await post<{ challenge: string; passkey: { publicKey: object } }>('/session/passkeys/challenge', {});
    const credential = await page.evaluate(async options => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON,
      );
      return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
    }, asked.passkey.publicKey);
    await post('/session/passkeys', { challenge: asked.challenge, name: 'Virtual key', credential });

    await page.getByRole('button', { name: /^Profile/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.waitForURL('**/welcome/signin');
    await enter(page, address('super'), server.demo.password);
    await page.getByText('Confirm with your passkey.').waitFor();
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await inside(page);
  });

  it('is set up at the sign-in where the organization requires one, with recovery codes shown once', async () => {
    const admin = await client(server);
    restore = () => admin.put('/organization', { mfa_required: false });
    await admin.put('/organization', { mfa_required: true });
    const page = await visitor();
    await enter(page, address('engineer'), server.demo.password);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await page.getByLabel('Code', { exact: true }).fill(totp(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect((await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n')).toEqual(codes);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await saving).suggestedFilename()).toBe('recovery-codes.txt');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await inside(page);
  });
});

describe('a sign-in link', () => {
  // spec: 2.pub.06
  it('signs in with its tokens, once, and leaves none of them in the address', async () => {
    const { post } = await client(server, 'admin');
    const { url } = await post<{ url: string }>('/session/link', {});
    const tab = await openTab(browser);
    tabs.push(tab);
    await tab.page.goto(url);
    await inside(tab.page);
    noSecret(tab.page);
    const again = await openTab(browser);
    tabs.push(again);
    await again.page.goto(url);
    await again.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    noSecret(again.page);
  });
});

describe('a session', () => {
  // spec: 2.pub.11
  it('leads from a welcome page on to the address that was asked for', async () => {
    const page = await visitor();
    await page.goto(`${server.url}/dashboard/things?q=engine`);
    await page.waitForURL('**/welcome/signin?origin=**');
    await enter(page, address('admin'), server.demo.password);
    await page.waitForURL('**/dashboard/things?q=engine');
    await page.goto(`${server.url}/welcome/forgot`);
    await inside(page);
  });

  // spec: 4.auth.03 2.nav.07
  it('ends in all tabs at once', async () => {
    const page = await signedIn('admin');
    const second = await page.context().newPage();
    await second.goto(`${server.url}/dashboard/things`);
    await second.getByRole('button', { name: /^Profile/ }).waitFor();
    await page.getByRole('button', { name: /^Profile/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.waitForURL('**/welcome/signin');
    await second.waitForURL('**/welcome/signin**');
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }));
    expect(kept).not.toMatch(/lb_(at|rt)_/);
  });

  // spec: D.auth.06
  it('locks the screen where the organization wants that, in all tabs and over a reload', async () => {
    const admin = await client(server);
    restore = () => admin.put('/organization', { lock_screen_ms: 0 });
    await admin.put('/organization', { lock_screen_ms: 60_000 });
    const tab = await openTab(browser);
    tabs.push(tab);
    const { page } = tab;
    await page.clock.install();
    await signIn(page, server, 'admin');
    const second = await page.context().newPage();
    await second.goto(`${server.url}/dashboard/things`);
    await second.getByRole('button', { name: /^Profile/ }).waitFor();
    await page.clock.fastForward(61_000);
    for (const one of [page, second]) {
      await one.getByRole('alertdialog', { name: 'Screen locked' }).waitFor();
      expect(await one.getByRole('navigation').isVisible()).toBe(false);
    }
    await page.reload();
    await page.getByRole('alertdialog', { name: 'Screen locked' }).waitFor();
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('That is not correct.').waitFor();
    await page.getByLabel('Password').fill(server.demo.password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    for (const one of [page, second]) {
      await one.getByRole('alertdialog').waitFor({ state: 'detached' });
      await one.getByRole('navigation').first().waitFor();
    }
  });

  // spec: 4.auth.09 8.session.04 8.session.05
  it('asks whether somebody is there after 4 hours, and ends 10 seconds later', async () => {
    const tab = await openTab(browser);
    tabs.push(tab);
    await tab.page.clock.install();
    await signIn(tab.page, server, 'admin');
    // Whatever still loads would be 4 hours late.
    await mapReady(tab.page);
    await tab.page.waitForLoadState('networkidle');
    await tab.page.clock.fastForward(4 * 3_600_000 - 20_000);
    await tab.page.clock.runFor(21_000);
    await tab.page.getByRole('alertdialog', { name: 'Inactivity Warning' }).waitFor();
    await tab.page.getByRole('button', { name: 'Stay Signed In' }).waitFor();
    await tab.page.clock.runFor(10_000);
    await tab.page.getByRole('alertdialog', { name: 'Session Expired - Activity' }).waitFor();
    await tab.page.waitForURL('**/welcome/signin**');
  });

  it('asks who is there before an action that needs it, and goes on with it', async () => {
    const page = await signedIn('admin');
    let refused = 0;
    await page.route('**/api/things/*', async route => {
      if (route.request().method() !== 'PUT' || refused > 0) return route.continue();
      refused += 1;
      await route.fulfill({
        status: 403,
        json: { error: 'step_up_required', message: 'Please confirm that it is you.' },
      });
    });
    await (await find(page, 'Journey Parked')).click();
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    const form = page.getByRole('form', { name: 'Profile' });
    await form.getByLabel('Nickname').fill('Journey Renamed');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' });
    await dialog.getByLabel('Password').fill(server.demo.password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Journey Renamed', level: 1 }).waitFor();
    expect(refused).toBe(1);
  });

  it('stays in awareness mode over a reload', async () => {
    const page = await signedIn('admin');
    const menu = async () => {
      await page.getByRole('button', { name: /^Profile/ }).click();
      return page.getByRole('menuitemcheckbox', { name: 'Situational awareness' });
    };
    await (await menu()).click();
    await until('the mode', async () =>
      page.evaluate(
        () => (JSON.parse(localStorage.getItem('lightbar.session') ?? '{}').expiresAt ?? 0) > Date.now() + 864e5,
      ),
    );
    await page.reload();
    await page.getByRole('button', { name: /^Profile/ }).waitFor();
    expect(await (await menu()).getAttribute('aria-checked')).toBe('true');
  });
});

describe('chrome', () => {
  // spec: 2.chrome.02 2.chrome.03 2.chrome.04 2.chrome.05
  it('offers support at first use, and not again', async () => {
    const tab = await openTab(browser, { firstUse: true });
    tabs.push(tab);
    const { page } = tab;
    await signIn(page, server, 'admin');
    const dialog = page.getByRole('dialog', { name: 'Support' });
    await dialog.waitFor();
    expect(new URL(page.url()).searchParams.get('utm-content')).toBe('supportBtn');
    expect(await dialog.getByRole('listitem').count()).toBe(6);
    const help = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Rename assets' }).click();
    await (await help).getByRole('heading', { name: 'Rename assets' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('utm-content');
    await page.reload();
    await page.getByRole('button', { name: /^Profile/ }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  // spec: 2.chrome.06 4.version.01 4.version.02 8.update.01
  it('says that there is a new version, and loads it after OK', async () => {
    const tab = await openTab(browser);
    tabs.push(tab);
    const { page } = tab;
    await page.clock.install();
    let version = '1.0.0';
    await page.route('**/api/version', route => route.fulfill({ json: { version } }));
    const asked = () => page.waitForResponse('**/api/version');
    await page.goto(`${server.url}/welcome/signin`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    const first = asked();
    await page.clock.runFor(10_000);
    await first;
    version = '1.0.1';
    const second = asked();
    await page.clock.fastForward(600_000);
    await second;
    const dialog = page.getByRole('alertdialog', { name: 'Update Notification' });
    await dialog.getByText('A new version is available. Click OK to continue.').waitFor();
    const loaded = page.waitForEvent('load');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await loaded;
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('says when a part of the app is not there, and tries again', async () => {
    const page = await visitor();
    await page.route('**/assets/ForgotPage-*.js', route => route.abort());
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded.' }).waitFor();
    await page.unroute('**/assets/ForgotPage-*.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Send link' }).waitFor();
    expect(pathOf(page)).toBe('/welcome/forgot');
    tabs.at(-1)?.complaints.splice(0); // the browser's own word for the part that was kept away
  });
});
