// People and organizations, run by their own administrator: every screen in both themes, and each flow on the real server.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, heard, row, signIn, until } from './harness';
import { sendFleet } from './journey';
import { axe, everywhere } from './look';
import { choose, enter, linkForScreen, mailedLink } from './people';
import { setScene } from './scene';
import type { Role } from './world';

const scene = setScene();
const STAFF: readonly Role[] = ['admin', 'viewer', 'operator', 'manager'];
beforeAll(async () => {
  await sendFleet(scene.server, 3);
  await Promise.all(STAFF.map(role => scene.server.join(role)));
});

/** Signed in, at a page of the dashboard. */
async function signedIn(to: string, role: Role = 'admin'): Promise<Page> {
  const tab = await scene.open();
  await tab.page.addInitScript({ path: axe });
  await signIn(tab.page, scene.server, role, to);
  return tab.page;
}

const go = (page: Page, path: string) => page.goto(`${scene.server.url}/dashboard/${path}`);
const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

/** Chooses from the select with a label. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Whether a press on the middle of an element meets it: it is in view, and takes part. */
function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

async function isOnTopRightAfterAScroll(option: Element): Promise<boolean> {
  const list = option.closest('[role=listbox]') as HTMLElement;
  const scrolled = new Promise(resolve => list.addEventListener('scroll', resolve, { once: true }));
  list.scrollTop += 40;
  await scrolled;
  const { x, y, width, height } = option.getBoundingClientRect();
  return option.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

// spec: 2.manager.02
it('every screen looks right and breaks no law of accessibility', { timeout: 240_000 }, async () => {
  const page = await signedIn('accounts/user');
  const found: string[] = [];
  const see = async (name: string) =>
    void found.push(...(await everywhere(page, ['desktop', 'tablet'], `accounts-${name}`)));

  await row(page, scene.server.email('viewer')).waitFor();
  await see('users');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menu').waitFor();
  await see('user-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('nobody of that name');
  await said(page, 'No results found.');
  await see('users-empty');
  await page.getByRole('searchbox').fill('viewer@');
  await row(page, scene.server.email('viewer')).getByRole('link').click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.getByText('Not signed in anywhere.').or(page.getByText(/^Used/)).first().waitFor();
  await see('user');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('form', { name: 'Edit user' }).waitFor();
  await see('user-edit');
  await go(page, 'accounts/user/new');
  await page.getByRole('button', { name: 'Add user' }).click();
  await said(page, 'Required');
  await see('user-add');

  await go(page, 'accounts/organization');
  await page.getByRole('row').nth(1).waitFor();
  await see('organizations');
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('heading', { name: 'Managers and accessors' }).waitFor();
  await see('organization');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('form', { name: 'Edit organization' }).waitFor();
  await see('organization-edit');
  await page.getByText('Require single sign-on').click();
  await page.getByText('only users with an account at your provider').scrollIntoViewIfNeeded();
  await see('organization-security');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await said(page, 'Discard changes?');
  await see('discard');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();

  await go(page, 'accounts/billing');
  await page.getByRole('table').getByRole('link').first().waitFor();
  await see('billing');
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Billing ID' }).waitFor();
  await see('billing-read');

  await go(page, 'accounts/account');
  await said(page, 'This session');
  await page.getByText('Authenticator app').waitFor();
  await see('account');
  await page.getByRole('heading', { name: 'Sessions' }).scrollIntoViewIfNeeded();
  await see('account-end');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('New password', { exact: true }).fill('abc1');
  await see('password');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  await see('authenticator');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign in on another screen' }).click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  await see('link');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Edit profile' }).click();
  await page.getByRole('form', { name: 'Edit profile' }).waitFor();
  await see('profile-edit');
  expect(found).toEqual([]);
});

describe('a user', () => {
  const email = 'eva@accounts.example';

  // spec: 1.scope.02, 7.user.03, 7.user.05, 7.user.07, 7.user.08, 7.user.09, 8.user.01
  it('is added, invited, let in, edited, suspended and deleted', async () => {
    const page = await signedIn('accounts/user');
    await page.getByRole('link', { name: 'Add user' }).click();
    const add = async (address: string) => {
      await page.getByLabel('First name').fill('Eva');
      await page.getByLabel('Last name').fill('Hill');
      await page.getByLabel('Email').fill(address);
      await pick(page, 'Role', 'Operator');
      await page.getByRole('button', { name: 'Add user' }).click();
    };
    await add(scene.server.email('viewer'));
    await page.getByText('Email is already in use. Please try another one.').waitFor();
    await until('the field with the error to have the focus', () =>
      page.getByLabel('Email').evaluate(field => field === document.activeElement),
    );
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Add user' }).click();
    await heard(
      page,
      `The invitation to ${email} waits on the server: no mail server is set up. Copy the invitation link instead.`,
    );
    await title(page, /^Eva Hill/);
    await page.getByText(/^Invited (just now|\d+ s ago)$/).waitFor();

    const invitation = await mailedLink(scene.server, email, 'invite');
    const guest = await scene.atSignIn();
    await guest.page.goto(invitation);
    await choose(guest.page, 'Invited#2026');
    await guest.page.waitForURL('**/welcome/signin');
    await enter(guest.page, email, 'Invited#2026');
    await guest.page.waitForURL('**/dashboard/things**');

    await page.reload();
    await title(page, /^Eva Hill/);
    await page.getByText('Chrome on Linux').waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Last name').fill('Hill-Moore');
    await pick(page, 'Role', 'Viewer');
    await page.getByRole('button', { name: 'Save' }).click();
    await title(page, /^Eva Hill-Moore/);
    await page.getByRole('definition').getByText('Viewer').waitFor();

    const act = async (name: string) => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    // Undo stands for ten seconds: what else comes of it is looked at afterwards.
    const suspended = title(page, /Suspended/);
    await Promise.all([suspended, act('Suspend')]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await heard(page, 'Eva Hill-Moore is suspended and signed out');
    await guest.page.waitForURL('**/welcome/signin**');
    await title(page, /Active/);
    await act('Delete');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/dashboard/accounts/user');
    await row(page, scene.server.email('viewer')).waitFor();
    await row(page, email).waitFor({ state: 'detached' });
    await enter(guest.page, email, 'Invited#2026');
    await guest.page.getByText('Email and/or password incorrect.').waitFor();
  });
});

describe('an organization', () => {
  // spec: 1.scope.02, 5.address.05, 5.address.08, 5.address.09
  it('is edited by the address rules of its country, with lists that can be pressed', async () => {
    const page = await signedIn(`accounts/organization/${scene.server.organization}/edit`);
    await page.getByLabel('Contact name').fill('Rosa Okafor');
    await pick(page, 'Country', 'United States');
    await pick(page, 'State', 'Delaware');
    await page.getByLabel('Zip Code').fill('1980');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Invalid zip');
    await page.getByLabel('Zip Code').fill('19801-1234');
    await page.getByRole('button', { name: 'Save' }).click();
    await heard(page, 'Organization saved');
    await page.getByText('Rosa Okafor').waitFor();
    await page.getByText('DE 19801-1234').waitFor();

    // The list of states shows the chosen one as it opens, and takes a press right after it was scrolled.
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: /State$/ }).click();
    const chosen = page.getByRole('option', { name: 'Delaware', exact: true });
    await expect.poll(() => chosen.evaluate(isOnTop)).toBe(true);
    expect(await chosen.evaluate(isOnTopRightAfterAScroll)).toBe(true);
    await page.getByRole('option', { name: 'Florida', exact: true }).click();
    await page.getByRole('button', { name: 'Florida State' }).waitFor();
  });

  it('is asked before it becomes a partner, whether it is there or not, and accepts', {
    timeout: 240_000,
  }, async () => {
    const found: string[] = [];
    const see = async (page: Page, name: string) =>
      void found.push(...(await everywhere(page, ['desktop', 'tablet'], `accounts-${name}`)));
    const own = scene.server.organization;
    const outsider = await client(scene.server, 'outsider');
    const { organization: asked } = await outsider.get<{ organization: { id: string; name: string } }>('/profile');
    const ours = await signedIn(`accounts/organization/${own}`);
    const ask = async (id: string) => {
      await ours.getByLabel('Organization ID').fill(id);
      await ours.getByRole('button', { name: 'Add', exact: true }).click();
      await ours.getByRole('button', { name: `Withdraw the offer to ${id}` }).waitFor();
    };
    await ask('01900000-0000-7000-8000-00000000dead');
    await ask(asked.id);
    expect(await ours.getByText(asked.name).count()).toBe(0);
    await see(ours, 'offer-made');
    await ours.getByRole('button', { name: 'Withdraw the offer to 01900000-0000-7000-8000-00000000dead' }).click();
    await heard(ours, 'Offer withdrawn');

    const theirs = await signedIn(`accounts/organization/${asked.id}`, 'outsider');
    await theirs.getByRole('heading', { name: 'Offers', exact: true }).waitFor();
    await see(theirs, 'offer-received');
    await theirs.getByRole('button', { name: /^Accept the offer/ }).click();
    await theirs.getByText('Either side can end this at any time.').waitFor();
    await see(theirs, 'offer-accept');
    await theirs.getByRole('button', { name: 'Confirm' }).click();
    await theirs.getByRole('heading', { name: 'Offers', exact: true }).waitFor({ state: 'detached' });

    await ours.reload();
    await ours.getByRole('button', { name: `Remove ${asked.name}` }).click();
    await ours.getByText(`Users of ${asked.name} no longer see`).waitFor();
    await see(ours, 'partner-remove');
    await ours.getByRole('button', { name: 'Confirm' }).click();
    await ours.getByRole('button', { name: `Remove ${asked.name}` }).waitFor({ state: 'detached' });
    expect(found).toEqual([]);
  });
});

describe('the own account', () => {
  it('signs another screen in by a link, once, and signs it out again', async () => {
    const admin = await signedIn('accounts/account');
    const link = await linkForScreen(admin);
    const wall = await scene.open();
    await wall.page.goto(link);
    await wall.page.waitForURL('**/dashboard/things**');
    await admin.reload();
    await admin.getByText('Sign-in link').waitFor();
    await admin.getByRole('button', { name: 'Sign out other sessions' }).click();
    await admin.getByRole('button', { name: 'Confirm' }).click();
    await heard(admin, 'Your other sessions were signed out');
    await wall.page.waitForURL('**/welcome/signin**');
  });
});
