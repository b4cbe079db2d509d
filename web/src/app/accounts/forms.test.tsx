// @vitest-environment jsdom
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, firstOf, recorded, vary } from '~/api/recorded';
import { rowAt } from '~/live/testing';
import { wireProfile } from '~/session/session.fakes';
import { ADMIN, all, answer, find, press, role, type Stage, says, see, signIn, stage, text } from './testing';

const member = (id: string, firstname: string) =>
  vary(firstOf(recorded('listMembers.ok').data), { id, firstname, lastname: 'Lee', relation: 'own', can_edit: true });

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /profile'] = answer('getProfile.ok', wireProfile({ firstname: '', role_id: role(4) }));
  server.answers['GET /roles'] = answer('listRoles.ok');
  server.answers['GET /sign_in_methods'] = answer('getSignInMethods.none');
  server.answers['GET /session/second_factor'] = answer('getSecondFactor.none');
  server.answers['GET /sessions'] = answer('listSessions.ok');
  server.answers['GET /organization/assignable'] = answer('listAssignableOrganizations.ok');
  server.answers['GET /organization/users'] = answer('listMembers.ok', [member('ann', 'Ann'), member('bob', 'Bob')]);
  server.answers['GET /users/ann'] = answer('getUser.ok', { ...recorded('getUser.ok').data, id: 'ann', firstname: '' });
  server.answers['GET /organization/o1'] = () =>
    answered('getOrganization.ok', vary(recorded('getOrganization.ok').data, { id: 'o1', name: '', relation: 'own' }));
  server.answers['GET /organization/things'] = answer('listThings.ok', [
    rowAt('a', 0, { nickname: 'Engine 4' }),
    rowAt('b', 0, { nickname: 'Medic 2' }),
  ]);
  server.answers['GET /things/a'] = answer('getThing.ok', rowAt('a', 0));
  server.answers['GET /things/a/device_config'] = answer('getDeviceConfig.none');
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
});

/** Everything that follows from this has happened when it is over. */
async function wholly(work: () => void): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await act(async () => work());
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
}

async function fieldOf(label: string): Promise<HTMLInputElement> {
  await find('label[for]', label);
  const found = all('label[for]', label).find(one => one.textContent?.startsWith(label));
  return document.getElementById(found?.getAttribute('for') ?? '') as HTMLInputElement;
}

describe('a form', () => {
  const ACCOUNTS = '/dashboard/accounts';

  // spec: 5.general.02
  it.each([
    ['of a new user', `${ACCOUNTS}/user/new`, 'First name', 'Add user'],
    ['of a user', `${ACCOUNTS}/user/ann/edit`, 'First name', 'Save'],
    ['of one’s own profile', `${ACCOUNTS}/account/profile/edit`, 'First name', 'Save'],
    ['of an organization', `${ACCOUNTS}/organization/o1/edit`, 'Name', 'Save'],
    ['of a new asset', `${ACCOUNTS}/thing/new`, 'System name', 'Register asset'],
    ['of a new key', `${ACCOUNTS}/key/new`, 'Description', 'Create key'],
    ['of a device', `${ACCOUNTS}/thing/a`, 'Model', 'Save configuration'],
    ['of the password', `${ACCOUNTS}/account/password/edit`, 'Current password', 'Change password'],
  ])(
    '%s says nothing of a field that was only passed through, and says it after a submit that failed',
    async (_, place, label, submit) => {
      await server.open(place, place.includes('password') ? 'Change password' : label);
      if (all('label[for]', label).length === 0) await press('Change password', 'button');
      const field = await fieldOf(label);
      expect(field.value).toBe('');
      await wholly(() => field.focus());
      await wholly(() => field.blur());
      expect(document.querySelectorAll('[aria-invalid=true]')).toHaveLength(0);
      expect(text()).not.toContain('Required');
      await press(submit, 'form button[type=submit]');
      await says('Required');
      await see(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
      expect(server.writes()).toEqual([]);
    },
  );
});

describe('a list', () => {
  // spec: 9.ui.05
  it.each([
    ['users', 'user', 'Search users', 'Bob'],
    ['assets', 'thing', 'Search assets', 'Medic 2'],
  ])('of %s is searched once, 350 ms after the last key', async (_, tab, label, name) => {
    await server.open(`/dashboard/accounts/${tab}`, name);
    const rows = () => all('tbody tr', '').length;
    await see(() => expect(rows()).toBe(2));
    const input = (await find('input', label)) as HTMLInputElement;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const words of [name.slice(0, 2), name]) {
      await wholly(() => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, words);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await wholly(() => vi.advanceTimersByTime(349));
      expect(rows()).toBe(2);
    }
    await wholly(() => vi.advanceTimersByTime(1));
    expect(rows()).toBe(1);
  });
});
