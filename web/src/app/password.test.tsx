// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { carriedEmail } from '~/features/signin/carried';
import { keepsRules, passwordRules } from '~/model/password';
import { type PublicPage, publicPage } from './welcome.fakes';

let page: PublicPage;

beforeEach(() => {
  delete window.lightbarMailedLink;
  carriedEmail.set('');
  page = publicPage();
});
afterEach(() => page.close());

const RESET = '/welcome/reset/dana%40fire.example/lb_rst_1';

async function fill(password: string, confirmation = password) {
  await page.visit(RESET);
  page.type('New password', password);
  page.type('Confirm password', confirmation);
  page.submit();
}

describe('rules', () => {
  // spec: 5.password.01 5.password.02 5.password.03
  it.each([
    ['Aa1!aaa', 'length'],
    ['Aa!aaaaa', 'digit'],
    ['a1!aaaaa', 'upper'],
    ['A1!AAAAA', 'lower'],
    ['Aa1aaaaa', 'special'],
    ['Aa1$aaaa', 'special'],
  ])('%s breaks one', (password, broken) => {
    expect(
      passwordRules('specified')
        .filter(rule => !rule.test(password))
        .map(rule => rule.id),
    ).toEqual([broken]);
  });

  // spec: 5.password.03
  it.each([...'*@!#%&()^~{}'])('%s is special enough', sign => {
    expect(keepsRules(`Aa1aaaa${sign}`, 'specified')).toBe(true);
  });

  // spec: 5.password.06
  it('turn from neutral to error or valid', async () => {
    await page.visit(RESET);
    await page.sees('At least 8 characters');
    const states = () => [...page.host.querySelectorAll('[data-state]')].map(one => one.getAttribute('data-state'));
    expect(states()).toEqual(['neutral', 'neutral', 'neutral', 'neutral', 'neutral']);
    page.type('New password', 'a1');
    await vi.waitFor(() => expect(states()).toEqual(['error', 'valid', 'error', 'valid', 'error']));
    page.type('New password', 'Journey#2026');
    await vi.waitFor(() => expect(new Set(states())).toEqual(new Set(['valid'])));
    page.type('New password', '');
    await vi.waitFor(() => expect(new Set(states())).toEqual(new Set(['neutral'])));
  });
});

describe('the rules of the installation', () => {
  const under = (policy: 'nist' | 'specified') =>
    page.answer('/sign_in_methods', () => answered('getSignInMethods.none', { password_policy: policy }));
  const shown = () =>
    [...page.host.querySelectorAll('[data-state]')].map(one => one.firstChild?.nextSibling?.textContent);

  // spec: D.password.01
  it('are shown as the server names them: length without composition', async () => {
    under('nist');
    page.answer('/reset_password', () => replayed('resetPassword.ok'));
    await page.visit(RESET);
    await page.sees('At least 15 characters');
    expect(shown()).toEqual(['At least 15 characters', 'At least 5 different characters']);
    expect(page.host.textContent).not.toContain('last 10 passwords');
    page.type('New password', 'Journey#2026');
    page.type('Confirm password', 'Journey#2026');
    page.submit();
    await vi.waitFor(() => expect(page.field('New password').getAttribute('aria-invalid')).toBe('true'));
    expect(page.asked).toEqual([]);
    page.type('New password', 'quiet marsh with otters');
    page.type('Confirm password', 'quiet marsh with otters');
    page.submit();
    await page.sees("Success! You're being redirected...");
  });

  it('are those of the requirements where it is so', async () => {
    under('specified');
    await page.visit(RESET);
    await page.sees('At least 8 characters');
    expect(shown()).toHaveLength(5);
    await page.sees("Can't reuse your last 10 passwords.");
  });

  it('are the server’s alone to judge while they are not known', async () => {
    page.answer('/sign_in_methods', () => Promise.reject(new TypeError('fetch failed')));
    page.refuse('/reset_password', 'resetPassword.password_rules');
    await page.visit(RESET);
    expect(shown()).toEqual([]);
    page.type('New password', 'journey');
    page.type('Confirm password', 'journey');
    page.submit();
    await vi.waitFor(() => expect(page.alert()).toBe('Password does not fulfill password requirements.'));
  });
});

describe('reset', () => {
  // spec: 2.pub.08 7.auth.06 8.signin.15 9.session.07
  it('sets the password and returns to sign-in after 2 seconds', async () => {
    page.answer('/reset_password', () => replayed('resetPassword.ok'));
    // The clock of the way back is the test's own: the page may leave after exactly 2 s and not before.
    const real = globalThis.setTimeout;
    const redirects: [() => void, number][] = [];
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...rest: unknown[]) =>
      ms === 2000 ? redirects.push([run, ms]) : real(run, ms, ...rest)) as typeof setTimeout);
    await fill('Journey#2026');
    await page.sees("Success! You're being redirected...");
    expect(page.asked).toEqual([
      { method: 'PUT', path: '/reset_password', body: { token: 'lb_rst_1', password: 'Journey#2026' } },
    ]);
    expect(page.host.textContent).not.toContain('See your fleet');
    expect(redirects.map(([, ms]) => ms)).toEqual([2000]);
    redirects[0]?.[0]();
    await page.sees('See your fleet');
    expect(page.field('Email').value).toBe('dana@fire.example');
  });

  it('holds no token in the address', async () => {
    await page.visit(RESET);
    expect(page.router.state.location.href).toBe('/welcome/reset/dana%40fire.example');
  });

  // spec: 5.password.04
  it('wants the same twice, and sends nothing else', async () => {
    await fill('Journey#2026', 'Journey#2027');
    await page.sees('Should match password');
    expect(page.asked).toEqual([]);
  });

  it('sends nothing that breaks a rule', async () => {
    await page.visit(RESET);
    await page.sees('At least 8 characters');
    page.type('New password', 'journey');
    page.type('Confirm password', 'journey');
    page.submit();
    await vi.waitFor(() => expect(page.field('New password').getAttribute('aria-invalid')).toBe('true'));
    expect(page.asked).toEqual([]);
  });

  // spec: 8.token.04 8.token.05 8.token.06 8.token.07 8.token.08
  it.each([
    ['resetPassword.user_suspended', 'User is suspended. Please contact support'],
    ['resetPassword.reset_token_unknown', 'Reset token is expired or does not exist.'],
    ['resetPassword.password_reused', 'Cannot be same as last 10 passwords.'],
    ['resetPassword.reset_token_expired', 'Reset token is expired or does not exist.'],
    ['resetPassword.password_common', 'Password does not fulfill password requirements.'],
  ] as const)('%s', async (refusal, text) => {
    page.refuse('/reset_password', refusal);
    await fill('Journey#2026');
    await vi.waitFor(() => expect(page.alert()).toBe(text));
  });

  // spec: 8.token.03
  it('says that the connection failed', async () => {
    page.answer('/reset_password', () => Promise.reject(new TypeError('fetch failed')));
    await fill('Journey#2026');
    await vi.waitFor(() => expect(page.alert()).toBe('Connection failed.'));
  });

  it('says what to do when the address has lost its token', async () => {
    await page.visit('/welcome/reset/dana%40fire.example');
    expect(page.alert()).toBe('This link is incomplete. Open it from the email again.');
    page.press('Request another link');
    await page.sees('Send link');
  });
});

describe('invitation', () => {
  it('has its own words and route', async () => {
    page.answer('/accept_invitation', () => replayed('acceptInvitation.ok'));
    await page.visit('/welcome/invite/new%40fire.example/lb_inv_1');
    await page.sees('Choose a password for new@fire.example.');
    page.type('New password', 'Journey#2026');
    page.type('Confirm password', 'Journey#2026');
    page.submit();
    await page.sees('Success!');
    expect(page.asked[0]).toMatchObject({ method: 'PUT', path: '/accept_invitation', body: { token: 'lb_inv_1' } });
  });

  it('says when it has expired', async () => {
    page.refuse('/accept_invitation', 'acceptInvitation.invitation_expired');
    await page.visit('/welcome/invite/new%40fire.example/lb_inv_1');
    page.type('New password', 'Journey#2026');
    page.type('Confirm password', 'Journey#2026');
    page.submit();
    await vi.waitFor(() =>
      expect(page.alert()).toBe(
        'This invitation was already used or has expired. Ask your administrator for a new one.',
      ),
    );
  });
});

describe('forgot', () => {
  // spec: 5.signin.04 7.auth.05 8.signin.13 8.signin.14
  it('asks with the address alone', async () => {
    page.answer('/forgot_password', () => replayed('forgotPassword.ok'));
    await page.visit('/welcome/forgot');
    page.submit();
    await page.sees('Required');
    page.type('Email', 'abc');
    await page.sees('Must be a valid email');
    page.type('Email', 'dana@fire.example');
    page.submit();
    await vi.waitFor(() => expect(page.status()).toBe('Success! Check your inbox'));
    expect(page.asked).toEqual([{ method: 'POST', path: '/forgot_password', body: { email: 'dana@fire.example' } }]);
  });

  // spec: 8.token.02
  it('says what the catalog says', async () => {
    page.refuse('/forgot_password', 'forgotPassword.user_not_known');
    await page.visit('/welcome/forgot');
    page.type('Email', 'dana@fire.example');
    page.submit();
    await vi.waitFor(() => expect(page.alert()).toBe("There's no user with such email."));
    page.answer('/forgot_password', () => Promise.reject(new TypeError('fetch failed')));
    page.submit();
    await vi.waitFor(() => expect(page.alert()).toBe('Connection failed.'));
  });
});
