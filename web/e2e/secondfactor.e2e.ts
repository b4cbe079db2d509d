// What proves who is there, beside the password: codes, passkeys, and the question before an action that needs an answer.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, heard, row, signIn } from './harness';
import { authenticator, enter, linkForScreen, totp } from './people';
import { setScene } from './scene';
import type { Role } from './world';

const scene = setScene();
const STAFF: readonly Role[] = ['operator', 'manager', 'engineer', 'super', 'admin'];
beforeAll(() => Promise.all(STAFF.map(role => scene.server.join(role))));

const address = (role: Role) => scene.server.email(role);
const inside = (page: Page) => page.waitForURL('**/dashboard/things**');

async function tab(): Promise<Page> {
  const opened = await scene.open();
  return opened.page;
}

async function visitor(): Promise<Page> {
  const opened = await scene.atSignIn();
  return opened.page;
}

async function signedIn(role: Role, to: string): Promise<Page> {
  const page = await tab();
  await signIn(page, scene.server, role, to);
  return page;
}

const ACCOUNT = 'accounts/account';
const go = (page: Page, path: string) => page.goto(`${scene.server.url}/dashboard/${path}`);

/** The paths of a page's calls that the server answers with 403, as they come. */
function refusals(page: Page): string[] {
  const paths: string[] = [];
  page.on('response', response => {
    if (response.status() === 403) paths.push(`${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return paths;
}

/** Another screen, signed in by a link: its session has proved nothing yet. */
async function screen(from: Page): Promise<Page> {
  const link = await linkForScreen(from);
  const page = await tab();
  await page.goto(link);
  await inside(page);
  return page;
}

describe('codes', () => {
  it('are asked for after the password: a wrong one refused, the next one taken, a recovery code', async () => {
    const operator = await client(scene.server, 'operator');
    const { secret } = await operator.post<{ secret: string }>('/session/totp', {});
    const set = await operator.put<{ data: { recovery_codes: string[] } }>('/session/totp', { code: totp(secret) });
    const page = await visitor();
    await enter(page, address('operator'), scene.server.password);
    await page.getByText('Enter the code from your authenticator app.').waitFor();
    expect(await page.getByLabel('Code', { exact: true }).getAttribute('autocomplete')).toBe('one-time-code');
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is incorrect.').waitFor();
    // The code that set it up is used: the next one is taken too, because clocks differ.
    await page.getByLabel('Code', { exact: true }).fill(totp(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await inside(page);

    const other = await visitor();
    await enter(other, address('operator'), scene.server.password);
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill(set.data.recovery_codes[0] ?? '');
    await other.getByRole('button', { name: 'Continue' }).click();
    await inside(other);
  });

  it('are set up in the profile, asked for at the next sign-in, and reset by an administrator', async () => {
    const page = await signedIn('manager', ACCOUNT);
    await page.getByRole('button', { name: 'Set up' }).click();
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('alert').getByText('The code is incorrect.').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(totp(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const recovery = (await codes.first().textContent()) ?? '';
    await page.getByRole('button', { name: "I've saved them" }).click();
    await page.getByText('10 left').waitFor();
    const other = await visitor();
    await enter(other, address('manager'), scene.server.password);
    await other
      .getByText(/recovery code/i)
      .first()
      .waitFor();
    expect(recovery.length).toBeGreaterThan(5);

    const admin = await signedIn('admin', 'accounts/user');
    await admin.getByRole('searchbox').fill('manager@');
    await row(admin, address('manager')).getByRole('link').click();
    await admin.getByRole('heading', { name: 'Sessions' }).waitFor();
    await admin.getByRole('button', { name: /^Actions for/ }).click();
    await admin.getByRole('menuitem', { name: 'Reset 2FA' }).click();
    await admin.getByRole('button', { name: 'Confirm' }).click();
    await heard(admin, 'Two-factor authentication was reset for Mia Grant');
    // The session that looked on has lost its factor as well.
    await page.reload();
    await page.getByRole('button', { name: 'Set up' }).or(page.getByLabel('Email')).first().waitFor();
  });

  it('are set up at the sign-in where the organization requires one, with recovery codes shown once', async () => {
    const admin = await client(scene.server);
    scene.restoreBy(() => admin.put('/organization', { mfa_required: false }));
    await admin.put('/organization', { mfa_required: true });
    const page = await visitor();
    await enter(page, address('engineer'), scene.server.password);
    await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await page.getByLabel('Code', { exact: true }).fill(totp(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await page.getByRole('button', { name: 'Copy' }).click();
    await heard(page, 'Copied');
    expect((await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n')).toEqual(codes);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await saving).suggestedFilename()).toBe('recovery-codes.txt');
    await page.getByRole('button', { name: "I've saved them" }).click();
    await inside(page);
  });
});

describe('a passkey', () => {
  it('is added by name, signs in beside the password, and is removed after a proof of who is there', async () => {
    const page = await signedIn('super', ACCOUNT);
    const device = await authenticator(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Station key');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heard(page, 'Passkey added');
    await page.getByText('Station key', { exact: true }).waitFor();
    await page.getByText(/^Added .+, not used yet$/).waitFor();
    expect(await device.passkeys()).toHaveLength(1);

    await page.getByRole('button', { name: / profile of / }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.waitForURL('**/welcome/signin');
    await enter(page, address('super'), scene.server.password);
    await page.getByText('Confirm with your passkey.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/welcome/signin');
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await inside(page);
    await go(page, ACCOUNT);
    await page.getByText(/^Added .+, used .+$/).waitFor();

    const other = await screen(page);
    await authenticator(other, device);
    await go(other, ACCOUNT);
    const refused = refusals(other);
    await other.getByRole('button', { name: 'Remove passkey Station key' }).click();
    await other.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    const question = other.getByRole('dialog', { name: "Confirm it's you" });
    expect(await question.getByLabel('Password').count()).toBe(0);
    await question.getByRole('button', { name: 'Use passkey' }).click();
    await heard(other, 'Passkey removed');
    await question.waitFor({ state: 'detached' });
    await other.getByText('Station key', { exact: true }).waitFor({ state: 'detached' });
    expect(refused).toEqual([expect.stringMatching(/^DELETE \/api\/session\/passkeys\/[\w-]+$/)]);

    const again = await visitor();
    await enter(again, address('super'), scene.server.password);
    await inside(again);
  });
});

describe('the question who is there', () => {
  it('comes before an action that needs it, waits for the right answer, and lets the action go on', async () => {
    const admin = await signedIn('admin', ACCOUNT);
    const page = await screen(admin);
    await go(page, 'accounts/key/new');
    const refused = refusals(page);
    await page.getByLabel('Description').fill('Wall screen');
    const create = page.getByRole('form', { name: 'Create key' }).getByRole('button', { name: 'Create key' });
    const question = page.getByRole('dialog', { name: "Confirm it's you" });
    await create.click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('alert').getByText("Please confirm it's you.").waitFor();
    const keys = async () =>
      (await (await client(scene.server)).get<{ description: string }[]>('/keys')).map(k => k.description);
    expect(await keys()).not.toContain('Wall screen');

    await create.click();
    await question.getByLabel('Password').fill('wrong');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await question.getByText("That's not correct.").waitFor();
    await question.getByLabel('Password').fill(scene.server.password);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await question.waitFor({ state: 'detached' });
    await page
      .getByRole('dialog', { name: 'Save this key now' })
      .getByText(/^lb_key_/)
      .waitFor();
    await page.getByRole('button', { name: "I've saved it" }).click();
    expect(refused).toEqual(['POST /api/keys', 'POST /api/keys']);
    expect(await keys()).toContain('Wall screen');

    // Who has just answered is not asked again.
    await row(page, 'Wall screen').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await row(page, 'Wall screen').getByText('Revoked').waitFor();
    expect(refused).toHaveLength(2);
  });
});
