// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstOf, malformed, type Over, recorded, vary } from '~/api/recorded';
import { preferences } from '~/session';
import { parsePreferences } from '~/session/preferences';
import { wireProfile } from '~/session/session.fakes';
import {
  ADMIN,
  all,
  answer,
  find,
  heldBy,
  press,
  refusal,
  role,
  type Stage,
  says,
  see,
  signIn,
  silence,
  stage,
  text,
  type,
} from './testing';

type WireSession = ReturnType<typeof recorded<'listSessions.ok'>>['data'][number];

const person = () => {
  const blank = { phone: '', address1: '', address2: '', city: '', state: '', postal_code: '', country_code: '' };
  return wireProfile({ ...blank, role_id: role(4), version: 5 });
};
/** Nothing is set up. */
const factor = (more: Over<'getSecondFactor.ok'> = {}) =>
  answer('getSecondFactor.ok', { totp: false, passkeys: [], recovery_codes_left: 0, ...more });
const session = (id: string, more: Partial<WireSession> = {}) =>
  vary(firstOf(recorded('listSessions.ok').data), {
    id,
    network: '10.0.0.0/24',
    user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36',
    ...more,
  });

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  preferences.set(parsePreferences(undefined));
  server.answers['GET /profile'] = answer('getProfile.ok', person());
  server.answers['GET /sign_in_methods'] = answer('getSignInMethods.none');
  server.answers['GET /session/second_factor'] = factor();
  server.answers['GET /user/mails'] = answer('getMails.ok');
  server.answers['GET /sessions'] = answer('listSessions.ok', [
    session('s1', { current: true }),
    session('s2', { method: 'link' }),
  ]);
});
afterEach(() => server.close());

const openAccount = () => server.open('/dashboard/accounts/account', 'This session');

describe('the own profile', () => {
  const open = () => server.open('/dashboard/accounts/account/profile/edit', 'First name');
  const save = () => press('Save', 'button');

  // spec: 5.user.02, 7.user.06, 3.user.02
  it('sends names, role and phone, and no address where there is none', async () => {
    server.answers['PUT /users/u1'] = answer('updateUser.ok');
    const router = await open();
    await type('First name', 'Dan');
    await type('Phone', '302 555 0100');
    await save();
    await says('Profile saved');
    const { body, ifMatch } = server.writes()[0] ?? {};
    expect(body).toEqual({ firstname: 'Dan', lastname: 'Moore', role_id: role(4), phonenumber: '302 555 0100' });
    expect(ifMatch).toBe('"5"');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/account'));
  });

  it('asks for the whole address once a part is given', async () => {
    await open();
    await type('City', 'Dover');
    await save();
    await says('Required');
    await says('Invalid zip');
    expect(server.writes()).toEqual([]);
  });

  // spec: 5.user.01
  it('needs both names', async () => {
    await open();
    await type('First name', ' ');
    await type('Last name', '');
    await save();
    await see(() => expect(text().match(/Required/g)).toHaveLength(2));
  });

  // spec: 5.user.03
  it('shows role, organization and its type, read-only', async () => {
    await open();
    expect(heldBy('Role')).toBe('Administrator');
    const held = [...document.querySelectorAll<HTMLInputElement>('form input[readonly]')].map(input => input.value);
    expect(held).toEqual(['Administrator', 'Organization o1', 'fire']);
  });

  // spec: 8.user.04
  it.each([
    [silence, 'Connection failed'],
    [refusal('updateUser.user_not_found'), 'User not found'],
    [() => malformed({ error: 'odd' }, 400), 'Unknown failure'],
  ])('says what went wrong under the buttons (%#)', async (answer, words) => {
    server.answers['PUT /users/u1'] = answer;
    await open();
    await type('First name', 'Dan');
    await save();
    await see(() => expect(document.querySelector('[role=alert]')?.textContent).toBe(words));
  });

  // spec: 6.profile.01
  it('is only read without user update', async () => {
    signIn(['organization:read']);
    await openAccount();
    expect(all('a', 'Edit profile')).toEqual([]);
  });
});

// spec: 2.manager.02
describe('the parts of the account', () => {
  it.each(['preferences', 'second-factor', 'password/edit', 'sessions/edit'])(
    '%s is read and changed where it stands',
    async place => {
      const seen: string[] = [];
      Element.prototype.scrollIntoView = function () {
        seen.push(this.id);
      };
      await server.open(`/dashboard/accounts/account/${place}`, 'This session');
      await see(() => expect(seen).toContain(place.replace('/edit', '')));
    },
  );

  it.each(['new', 'nonsense', 'nonsense/edit'])('%s is none', async part => {
    await server.open(`/dashboard/accounts/account/${part}`, 'No results found.');
  });
});

describe('the preferences', () => {
  const flip = async (label: string) => (await find('label', label)).querySelector('input')?.click();

  // spec: 3.pref.01, 3.pref.02
  it('show what is kept and keep what is chosen', async () => {
    await openAccount();
    const isOn = (label: string) => all('label', label)[0]?.querySelector('input')?.checked;
    expect([isOn('Show offline assets'), isOn('Group view'), isOn('Density view')]).toEqual([true, true, false]);
    for (const label of ['Show offline assets', 'Group view', 'Density view']) await flip(label);
    await press('Hide', '[aria-label="Offline-assets notice"] [role=radio]');
    await press('Always', '[aria-label="Support at sign-in"] [role=radio]');
    await see(() => expect(preferences.get()).toMatchObject({ alwaysShowSupport: true, hideSupportDialog: false }));
    await press('Never', '[aria-label="Support at sign-in"] [role=radio]');
    expect(text()).not.toContain('Map instructions');
    await see(() =>
      expect(preferences.get()).toMatchObject({
        showOffline: false,
        groupView: false,
        densityView: true,
        hideOfflineNotice: true,
        alwaysShowSupport: false,
        hideSupportDialog: true,
      }),
    );
    // What a reload of the page finds.
    const stored = parsePreferences(JSON.parse(localStorage.getItem('lightbar.preferences') ?? 'null'));
    expect(stored).toEqual(preferences.get());
  });

  // spec: 3.pref.01
  it('bring the instructions of map views back, or want none', async () => {
    preferences.set({ ...parsePreferences(undefined), hiddenMapInstructions: ['area'] });
    await openAccount();
    const isOn = () => all('label', 'Show map instructions')[0]?.querySelector('input')?.checked;
    expect(isOn()).toBe(false);
    await flip('Show map instructions');
    await see(() => expect(preferences.get().hiddenMapInstructions).toEqual([]));
    await flip('Show map instructions');
    await see(() => expect(preferences.get().hiddenMapInstructions).toEqual(['*']));
    expect(isOn()).toBe(false);
  });

  it('offer the density view by permission', async () => {
    signIn(['user:read']);
    await openAccount();
    expect(text()).not.toContain('Density view');
  });
});

describe('the emails about closures', () => {
  it('are chosen on the server, and stay where a choice is refused', async () => {
    server.answers['PUT /user/mails'] = answer('chooseMails.ok');
    await openAccount();
    const box = (label: string) => all('label', label)[0]?.querySelector('input');
    await see(() => expect(box('My closures')?.checked).toBe(true));
    expect(box('Other unanswered closures')?.checked).toBe(false);
    box('Other unanswered closures')?.click();
    await see(() => expect(box('Other unanswered closures')?.checked).toBe(true));
    expect(server.writes()[0]?.body).toEqual({ own_closures: true, other_closures: true });
    await see(() => expect(box('My closures')?.disabled).toBe(false));
    server.answers['PUT /user/mails'] = silence;
    box('My closures')?.click();
    await says('Connection failed.');
    expect(box('My closures')?.checked).toBe(true);
  });

  it('are nothing to who may not edit closures', async () => {
    signIn(ADMIN.filter(one => !one.includes('closure')));
    await openAccount();
    expect(text()).not.toContain('Emails about closures');
  });
});

describe('the password', () => {
  const fill = async (password: string, confirmation = password) => {
    await press('Change password', 'button');
    await type('Current password', 'Old#Pass1');
    await type('New password', password);
    await type('Confirm password', confirmation);
    (await find('form[aria-label="Change password"] button[type=submit]', '')).click();
  };
  const states = () => all('[aria-label="Password rules"] li', '').map(item => item.dataset.state);

  // spec: 5.password.01, 5.password.02, 5.password.03, 5.password.06
  it('turns each rule from neutral to error or valid', async () => {
    await openAccount();
    await press('Change password', 'button');
    await see(() => expect(states()).toEqual(Array(5).fill('neutral')));
    await type('New password', 'abc1');
    await see(() => expect(states()).toEqual(['error', 'valid', 'error', 'valid', 'error']));
    await type('New password', 'Abcdef1$');
    await see(() => expect(states()).toEqual(['valid', 'valid', 'valid', 'valid', 'error']));
    await type('New password', 'Abcdef1#');
    await see(() => expect(states()).toEqual(Array(5).fill('valid')));
  });

  // spec: D.password.01
  it('follows the rules that the server names', async () => {
    server.answers['GET /sign_in_methods'] = answer('getSignInMethods.none', { password_policy: 'nist' });
    server.answers['PUT /session/password'] = answer('changePassword.ok');
    await openAccount();
    await press('Change password', 'button');
    await says('At least 15 characters');
    expect(states()).toHaveLength(2);
    expect(text()).toContain('Not your current password');
    expect(text()).not.toContain('Expires in');
    await type('Current password', 'Old#Pass1');
    await type('New password', 'quiet marsh with otters');
    await type('Confirm password', 'quiet marsh with otters');
    (await find('form[aria-label="Change password"] button[type=submit]', '')).click();
    await says('Password changed');
  });

  // spec: 5.password.04
  it('must match its confirmation', async () => {
    await openAccount();
    await fill('Abcdef1#', 'Abcdef1!');
    await says('Should match password');
    expect(server.writes()).toEqual([]);
  });

  it.each([
    [refusal('changePassword.password_wrong'), 'The current password is incorrect.'],
    [refusal('changePassword.password_reused'), 'Cannot be same as last 10 passwords.'],
    [refusal('changePassword.password_common'), 'Password does not fulfill password requirements.'],
  ])('says why it was refused (%#)', async (answer, words) => {
    server.answers['PUT /session/password'] = answer;
    await openAccount();
    await fill('Abcdef1#');
    await says(words);
  });

  it('is changed', async () => {
    server.answers['PUT /session/password'] = answer('changePassword.ok');
    await openAccount();
    await fill('Abcdef1#');
    const sent = { current_password: 'Old#Pass1', password: 'Abcdef1#' };
    await see(() => expect(server.writes()[0]?.body).toEqual(sent));
    await says('Password changed');
  });
});

describe('the second factor', () => {
  it('is set up with an authenticator app, and its recovery codes are shown once', async () => {
    server.answers['POST /session/totp'] = answer('beginTOTP.ok', {
      secret: 'JBSWY3DPEHPK3PXP',
      url: 'otpauth://totp/a?secret=J',
    });
    server.answers['PUT /session/totp'] = refusal('confirmTOTP.validation_failed');
    await openAccount();
    await press('Set up', 'button');
    await says('JBSW Y3DP EHPK 3PXP');
    await find('svg[role=img]', 'QR code');
    await type('Code', '123456');
    await press('Turn on', 'button');
    await says('The code is incorrect.');
    server.answers['PUT /session/totp'] = answer('confirmTOTP.ok', { recovery_codes: ['aaaa-bbbb', 'cccc-dddd'] });
    server.answers['GET /session/second_factor'] = factor({ totp: true, recovery_codes_left: 2 });
    await press('Turn on', 'button');
    await says('aaaa-bbbb');
    await press("I've saved them", 'button');
    await says('2 left');
  });

  it('makes new codes and removes what is there', async () => {
    const passkeys = [vary(firstOf(recorded('getSecondFactor.passkey').data.passkeys), { id: 'p1', name: 'Laptop' })];
    server.answers['GET /session/second_factor'] = factor({ totp: true, passkeys, required: true });
    server.answers['POST /session/recovery_codes'] = answer('newRecoveryCodes.ok', { recovery_codes: ['eeee-ffff'] });
    server.answers['DELETE /session/totp'] = refusal('removeTOTP.last_factor');
    server.answers['DELETE /session/passkeys/p1'] = answer('removePasskey.ok');
    await openAccount();
    await says('Your organization requires two-factor authentication.');
    await press('Generate new codes', 'button');
    await press('Confirm', 'button');
    await says('eeee-ffff');
    await press("I've saved them", 'button');
    await press('Remove passkey Laptop', 'button');
    await press('Confirm', 'button');
    await says('Passkey removed');
    await press('Remove', 'button');
    await press('Confirm', 'button');
    await says('Your organization requires two-factor authentication. Set up another method first.');
  });
});

describe('the sessions', () => {
  it('are shown with device, way and network, and end by a press', async () => {
    server.answers['DELETE /sessions/s2'] = answer('endSession.ok');
    server.answers['DELETE /sessions'] = answer('endOtherSessions.ok');
    await openAccount();
    await says('Sign-in link · 10.0.0.0/24');
    await press('Sign out Chrome on Windows', 'button');
    await says('Chrome on Windows is signed out');
    await press('Sign out other sessions', 'button');
    await press('Confirm', 'button');
    await says('Your other sessions were signed out');
    expect(server.writes().map(call => `${call.method} ${call.path}`)).toEqual([
      'DELETE /sessions/s2',
      'DELETE /sessions',
    ]);
  });

  // spec: 4.filter.04
  it('that somebody has ended already is ended: the text is said in passing', async () => {
    server.answers['DELETE /sessions/s2'] = refusal('endSession.session_not_found');
    await openAccount();
    await press('Sign out Chrome on Windows', 'button');
    await says('Session not found');
    expect(server.sent.filter(call => call.method === 'GET' && call.path === '/sessions')).toHaveLength(2);
  });

  it('begin on another screen by a link that ends', async () => {
    const link = (left: number) =>
      answer('createSignInLink.ok', {
        expires_at: new Date(Date.now() + left).toISOString(),
      });
    server.answers['POST /session/link'] = link(60_000);
    await openAccount();
    await press('Sign in on another screen', 'button');
    await find('svg[role=img]', 'QR code of the sign-in link');
    await press('Close', 'button');
    server.answers['POST /session/link'] = link(-1);
    await press('Sign in on another screen', 'button');
    await says('This link has expired.');
  });
});
