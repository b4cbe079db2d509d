// The ways in, on the real server: mailed links, links with tokens; and what ends or hides a session.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, heard, signIn, until } from './harness';
import { choose, enter, mailedLink } from './people';
import { setScene } from './scene';
import type { Role } from './world';

const scene = setScene();
const STAFF: readonly Role[] = ['viewer', 'operator', 'admin'];
beforeAll(() => Promise.all(STAFF.map(role => scene.server.join(role))));

const address = (role: Role) => scene.server.email(role);
const pathOf = (page: Page) => new URL(page.url()).pathname;
const inside = (page: Page) => page.waitForURL('**/dashboard/things**');

async function visitor(): Promise<Page> {
  const tab = await scene.atSignIn();
  return tab.page;
}

/** A page of the dashboard that needs no map. */
const ACCOUNT = 'accounts/account';

async function signedIn(role: Role): Promise<Page> {
  const tab = await scene.open();
  await signIn(tab.page, scene.server, role, ACCOUNT);
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

    const link = await mailedLink(scene.server, address('viewer'), 'reset');
    await page.goto(link);
    await page.getByRole('heading', { name: 'New password' }).waitFor();
    noSecret(page);
    await choose(page, scene.server.password);
    await page.getByText('Cannot be same as last 10 passwords.').waitFor();
    await choose(page, 'Journey#Otter2027!');
    await heard(page, "Success! You're being redirected...");
    await page.waitForURL('**/welcome/signin');
    expect(await page.getByLabel('Email').inputValue()).toBe(address('viewer'));
    await enter(page, address('viewer'), 'Journey#Otter2027!');
    await inside(page);

    const again = await visitor();
    await again.goto(link);
    await again.getByRole('heading', { name: 'New password' }).waitFor();
    await choose(again, 'Journey#Otter2028!');
    await again.getByText('Reset token is expired or does not exist.').waitFor();
  });

  it('never hands the token to another request', async () => {
    const tab = await scene.open();
    const asked: string[] = [];
    tab.page.on('request', request => {
      asked.push(request.url(), request.headers().referer ?? '');
    });
    const password = tab.page.getByLabel('Confirm password', { exact: true });
    const incomplete = tab.page.getByText('This link is incomplete.');
    await tab.page.goto(`${scene.server.url}/welcome/reset/a@b.example#lb_rst_secret`);
    await password.waitFor();
    noSecret(tab.page);
    await tab.page.reload();
    await incomplete.waitFor();
    await tab.page.goto(`${scene.server.url}/welcome/reset/a@b.example#lb_rst_secret_2`); // a newer one, to the page that is open
    await password.waitFor();
    noSecret(tab.page);
    expect(asked.filter(url => url.includes('lb_rst_secret'))).toEqual([]);
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
    await page.getByRole('button', { name: 'Email me an unlock link' }).click();
    await page.getByText('Success! Check your inbox').waitFor();
    await page.goto(await mailedLink(scene.server, address('operator'), 'unlock'));
    await page.getByText('Sign in to unlock it.').waitFor();
    noSecret(page);
    expect(await page.getByLabel('Email').inputValue()).toBe(address('operator'));
    await enter(page, address('operator'), scene.server.password);
    await inside(page);
  });
});

describe('a sign-in link', () => {
  // spec: 2.pub.06
  it('signs in with its tokens, once, and leaves none of them in the address', async () => {
    const { post } = await client(scene.server, 'admin');
    const { url } = await post<{ url: string }>('/session/link', {});
    const tab = await scene.open();
    await tab.page.goto(url);
    await inside(tab.page);
    noSecret(tab.page);
    const again = await scene.open();
    await again.page.goto(url);
    await again.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    noSecret(again.page);
  });
});

describe('a session', () => {
  it('stays in awareness mode over a reload', async () => {
    const page = await signedIn('admin');
    const menu = async () => {
      await page.getByRole('button', { name: / profile of / }).click();
      return page.getByRole('menuitemcheckbox', { name: 'Situational awareness' });
    };
    await (await menu()).click();
    await until('the mode', async () =>
      page.evaluate(
        () => (JSON.parse(localStorage.getItem('lightbar.session') ?? '{}').expiresAt ?? 0) > Date.now() + 864e5,
      ),
    );
    await page.reload();
    await page.getByRole('button', { name: / profile of / }).waitFor();
    expect(await (await menu()).getAttribute('aria-checked')).toBe('true');
  });
});

describe('the first load', () => {
  it('is at most 250 kB until the sign-in form stands, all bytes over the wire', async () => {
    const { page } = await scene.open();
    const wire = await page.context().newCDPSession(page);
    await wire.send('Network.enable');
    const sizes: number[] = [];
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength));
    await page.goto(scene.server.url);
    await page.getByLabel('Password', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(sizes.length).toBeGreaterThan(20);
    expect(sizes.reduce((sum, size) => sum + size) / 1000).toBeLessThanOrEqual(250);
  });
});

describe('chrome', () => {
  // spec: 2.chrome.06 4.version.01 4.version.02 8.update.01
  it('says that there is a new version, and loads it after OK', async () => {
    const tab = await scene.open();
    const { page } = tab;
    await page.clock.install();
    let version = '1.0.0';
    let asked = 0;
    await page.route('**/api/version', route => {
      asked += 1;
      return route.fulfill({ json: { version } });
    });
    await page.goto(`${scene.server.url}/welcome/signin`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    /** Lets time go by until the page has asked once more: on a slow machine it may have asked several times by then. */
    const ask = (ms: number) => {
      const before = asked;
      return until('a question for the version', async () => {
        if (asked === before) await page.clock.fastForward(ms);
        return asked > before;
      });
    };
    const first = page.waitForResponse('**/api/version');
    await ask(10_000);
    await (await first).finished(); // else the clock of this journey takes it for one that never comes
    await page.evaluate(() => fetch('/api/version').then(answer => answer.text()));
    version = '1.0.1';
    await ask(600_000);
    const dialog = page.getByRole('alertdialog', { name: 'Update Notification' });
    await dialog.getByText('A new version is available. Click OK to continue.').waitFor();
    const loaded = page.waitForEvent('load');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await loaded;
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('says when a part of the app is not there, and tries again', async () => {
    const { page, complaints } = await scene.atSignIn();
    await page.route('**/assets/ForgotPage-*.js', route => route.abort());
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded.' }).waitFor();
    await page.unroute('**/assets/ForgotPage-*.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Send link' }).waitFor();
    expect(pathOf(page)).toBe('/welcome/forgot');
    complaints.splice(0); // the browser's own word for the part that was kept away
  });
});
