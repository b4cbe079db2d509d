// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, malformed, refused, replayed } from '~/api/recorded';
import { carriedEmail } from '~/features/signin/carried';
import { brand, session } from '~/session';
import { brandOf } from '~/session/brand';
import { providerToLeave } from '~/session/methods';
import { wireProfile } from '~/session/session.fakes';
import { type PublicPage, publicPage } from './welcome.fakes';

let page: PublicPage;

beforeEach(() => {
  carriedEmail.set('');
  page = publicPage();
  page.answer('/profile', () => answered('getProfile.ok', wireProfile()));
});
afterEach(async () => {
  await session.signOut();
  page.close();
});

const pair = () => answered('createUserToken.cookie', { created_at: Math.floor(Date.now() / 1000) });

async function signInWith(answer: Response) {
  page.answer('/user_token', () => answer);
  await page.visit('/welcome/signin');
  page.type('Email', 'dana@fire.example');
  page.type('Password', 'secret');
  page.submit();
}

describe('the form', () => {
  // spec: 2.pub.02
  it('has email, password and a toggle that shows the password', async () => {
    await page.visit('/welcome/signin');
    expect(page.field('Email').type).toBe('email');
    expect(page.field('Password').type).toBe('password');
    page.find<HTMLButtonElement>('[aria-label="Show password"]').click();
    await vi.waitFor(() => expect(page.field('Password').type).toBe('text'));
    page.find<HTMLButtonElement>('[aria-label="Hide password"]').click();
    await vi.waitFor(() => expect(page.field('Password').type).toBe('password'));
  });

  it.each([
    ['', 'Email'],
    ['dana@fire.example', 'Password'],
  ])('with "%s" as the known email begins in %s', async (email, field) => {
    carriedEmail.set(email);
    await page.visit('/welcome/signin');
    await vi.waitFor(() => expect(document.activeElement).toBe(page.field(field)));
  });

  it('says that another tab has signed out', async () => {
    session.endedElsewhere.set(true);
    await page.visit('/welcome/signin');
    expect(page.host.textContent).toContain('You signed out in another tab.');
    session.endedElsewhere.set(false);
    await vi.waitFor(() => expect(page.host.textContent).not.toContain('You signed out in another tab.'));
  });

  // spec: 2.pub.04 2.pub.05
  it('has the notice, its two links and the year', async () => {
    await page.visit('/welcome/signin');
    const footer = page.find('footer');
    expect(footer.textContent).toContain('Confidential.');
    expect([...footer.querySelectorAll('a')].map(link => link.getAttribute('href'))).toEqual([
      '/legal/license',
      '/legal/terms',
    ]);
    expect(footer.textContent).toContain(`© ${new Date().getFullYear()}`);
  });

  // spec: 5.signin.01 5.signin.03
  it('sends nothing that is not filled in', async () => {
    await page.visit('/welcome/signin');
    page.submit();
    await vi.waitFor(() => expect(page.host.textContent?.match(/Required/g)).toHaveLength(2));
    expect(page.asked).toEqual([]);
  });

  // spec: 8.signin.13 8.signin.15
  it('says Pending, then Success', async () => {
    let resolve: (answer: Response) => void = () => {};
    page.answer('/user_token', () => new Promise<Response>(done => (resolve = done)));
    await page.visit('/welcome/signin');
    page.type('Email', 'dana@fire.example');
    page.type('Password', 'secret');
    page.submit();
    await vi.waitFor(() => expect(page.status()).toBe('Pending...'));
    resolve(pair());
    await vi.waitFor(() => expect(page.status()).toBe("Success! You're being redirected..."));
    expect(page.asked[0]?.body).toMatchObject({ grant_type: 'password', username: 'dana@fire.example' });
  });

  // spec: 2.pub.03 2.pub.07
  it('carries the address to forgot password', async () => {
    await page.visit('/welcome/signin?origin=%2Fdashboard%2Fthings');
    page.type('Email', 'dana@fire.example');
    page.press('Forgot password?');
    await page.sees('Send link');
    expect(page.field('Email').value).toBe('dana@fire.example');
    expect(page.router.state.location.href).toBe('/welcome/forgot?origin=%2Fdashboard%2Fthings');
  });
});

describe('refusals', () => {
  // spec: 8.signin.02 8.signin.03 8.signin.04 8.signin.05 8.signin.06 8.signin.07 8.signin.08 8.signin.10 8.signin.11 8.signin.12
  it.each([
    [replayed('createUserToken.user_suspended'), 'User is suspended. Please contact your administrator.'],
    [replayed('resetPassword.user_suspended'), 'User is suspended. Please contact your administrator.'],
    [replayed('createUserToken.invalid_grant'), 'Email and/or password incorrect.'],
    [malformed({}, 404), 'Email and/or password incorrect.'],
    [
      malformed({}, 403),
      'Your user is not authorized to access Safety Cloud Dashboard. Please contact your administrator.',
    ],
    [
      replayed('createUserToken.not_safetycloud_enabled'),
      'Your user is not authorized to access Safety Cloud Dashboard. Please contact your administrator.',
    ],
    [replayed('createUserToken.expired'), 'Your account has expired due to inactivity. Forgot password'],
    [
      replayed('createUserToken.not_authorized_method'),
      'Your organization is managing user access to the Safety Cloud dashboard. Please contact your administrator for access.',
    ],
    [malformed({ error: 'nonsense' }, 401), 'Unknown failure.'],
  ])('are said in the words of the catalog (%#)', async (answer, text) => {
    await signInWith(answer);
    await vi.waitFor(() => expect(page.alert()).toBe(text));
  });

  it('names support once the operator has set its address', async () => {
    brand.set({ ...brand.get(), supportEmail: 'help@fire.example' });
    await signInWith(replayed('createUserToken.user_suspended'));
    await vi.waitFor(() => expect(page.alert()).toBe('User is suspended. Please contact help@fire.example'));
    brand.set(brandOf({}));
  });

  // spec: 8.signin.01
  it('says that the connection failed', async () => {
    page.answer('/user_token', () => Promise.reject(new TypeError('fetch failed')));
    await page.visit('/welcome/signin');
    page.type('Email', 'dana@fire.example');
    page.type('Password', 'secret');
    page.submit();
    await vi.waitFor(() => expect(page.alert()).toBe('Connection failed.'));
  });

  // spec: 7.auth.07 8.signin.09 8.signin.14
  it("shows the server's words when locked out, and sends an unlock mail", async () => {
    await signInWith(replayed('createUserToken.locked_out'));
    await vi.waitFor(() => expect(page.alert()).toBe('Too many attempts. Your account is locked for 10 minutes.'));
    page.answer('/unlock_account', () => replayed('unlockAccount.ok'));
    page.press('Email me an unlock link');
    await page.sees('Success! Check your inbox');
    expect(page.asked.at(-1)).toEqual({
      method: 'POST',
      path: '/unlock_account',
      body: { email: 'dana@fire.example' },
    });
  });

  it('leads to a new password when the old one has expired', async () => {
    await signInWith(replayed('createUserToken.password_expired'));
    await vi.waitFor(() =>
      expect(page.alert()).toBe('Your password is older than 90 days. Please choose a new one. Forgot password'),
    );
  });
});

describe('unlock', () => {
  // spec: 2.pub.09
  it('shows the sign-in screen with the address of the link, and sends its token', async () => {
    page.answer('/user_token', () => pair());
    await page.visit('/welcome/unlock/dana%40fire.example/lb_unl_1');
    await page.sees('Sign in to unlock it.');
    expect(page.router.state.location.href).toBe('/welcome/unlock/dana%40fire.example');
    expect(page.field('Email').value).toBe('dana@fire.example');
    page.type('Password', 'secret');
    page.submit();
    await vi.waitFor(() => expect(page.asked[0]?.body).toMatchObject({ unlock_token: 'lb_unl_1', password: 'secret' }));
  });
});

describe('second factor', () => {
  it('asks for a code, a recovery code on demand, and goes back', async () => {
    await signInWith(refused('createUserToken.mfa_required', { challenge: 'lb_mfa_1' }));
    await page.sees('Enter the code from your authenticator app.');
    expect(page.field('Code').autocomplete).toBe('one-time-code');
    page.refuse('/user_token', 'createUserToken.mfa_failed');
    page.type('Code', '123 456');
    page.submit();
    await vi.waitFor(() => expect(page.alert()).toBe('The code is incorrect.'));
    expect(page.asked.at(-1)?.body).toEqual({
      grant_type: 'mfa',
      challenge: 'lb_mfa_1',
      method: 'totp',
      code: '123456',
      token_delivery: 'cookie',
    });
    page.press('Use a recovery code');
    await page.sees('Each works once.');
    page.answer('/user_token', () => pair());
    page.type('Recovery code', 'abcd-efgh');
    page.submit();
    await vi.waitFor(() => expect(session.state.get().phase).toBe('signedIn'));
    expect(page.asked.at(-1)?.body).toMatchObject({ method: 'recovery', code: 'abcd-efgh' });
  });

  it('begins anew when the sign-in took too long', async () => {
    await signInWith(refused('createUserToken.mfa_required', { methods: ['totp'] }));
    await page.sees('Enter the code');
    page.refuse('/user_token', 'createUserToken.mfa_challenge_expired');
    page.type('Code', '123456');
    page.submit();
    await vi.waitFor(() => expect(page.alert()).toBe('The sign-in took too long. Please sign in again.'));
    page.press('Sign in again');
    await page.sees('See your fleet');
    expect(page.field('Email').value).toBe('dana@fire.example');
  });

  it('sets up an app first where the organization requires it, and shows the recovery codes before entering', async () => {
    const url = 'otpauth://totp/Safety%20Cloud:dana?secret=JBSWY3DPEHPK3PXP';
    await signInWith(
      refused('createUserToken.mfa_setup_required', {
        challenge: 'lb_mfa_2',
        totp: { secret: 'JBSWY3DPEHPK3PXP', url },
      }),
    );
    await page.sees('JBSW Y3DP EHPK 3PXP');
    expect(page.find('svg[role=img]').getAttribute('aria-label')).toBe('QR code for your authenticator app');
    page.answer('/user_token', () => answered('createUserToken.mfa_setup', { recovery_codes: ['one-1', 'two-2'] }));
    page.type('Code', '654321');
    page.submit();
    await page.sees('two-2');
    expect(page.asked.at(-1)?.body).toMatchObject({ challenge: 'lb_mfa_2', method: 'totp_setup', code: '654321' });
    expect(session.state.get().phase).toBe('signedOut');
    page.press("I've saved them");
    await vi.waitFor(() => expect(session.state.get().phase).toBe('signedIn'));
  });
});

describe('providers', () => {
  const methods = (password: boolean) =>
    page.answer('/sign_in_methods', () => answered('getSignInMethods.ok', { password }));

  it('stand beside the form, and bring the wanted address along', async () => {
    methods(true);
    await page.visit('/welcome/signin?origin=%2Fdashboard%2Fthings%2F7');
    await page.sees('Sign in with City');
    expect(page.find('a[href^="/api/sso"]').getAttribute('href')).toBe(
      '/api/sso/city/start?origin=%2Fdashboard%2Fthings%2F7',
    );
    expect(page.field('Password')).toBeTruthy();
  });

  it('stand alone where passwords are not taken', async () => {
    methods(false);
    await page.visit('/welcome/signin');
    await page.sees('Sign in with City');
    expect(page.host.querySelector('form')).toBeNull();
  });

  // Its own session goes on after a sign-out here: on a shared computer the next person would come in as the last one.
  it('can be signed out of by who came from them, once, and only where they can be', async () => {
    methods(false);
    await page.visit('/welcome/signin');
    await page.sees('Sign in with City');
    expect(page.host.textContent).not.toContain('Sign out of City too');
    providerToLeave.set('elsewhere');
    await page.visit('/welcome/signin?a=1');
    await page.sees('Sign in with City');
    expect(page.host.textContent).not.toContain('too');
    providerToLeave.set('city');
    await page.visit('/welcome/signin?a=2');
    await page.sees('Sign out of City too');
    const link = page.find('a[href="/api/sso/city/end"]');
    link.addEventListener('click', event => event.preventDefault());
    (link as HTMLElement).click();
    expect(providerToLeave.get()).toBeUndefined();
  });

  it('say what their return has ended with', async () => {
    await page.visit('/welcome/signin?sso=sso_failed');
    await vi.waitFor(() => expect(page.alert()).toBe('Sign-in with your provider failed. Please try again.'));
  });
});
