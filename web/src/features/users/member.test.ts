import { describe, expect, it } from 'vitest';
import { firstOf, recorded, vary } from '~/api/recorded';
import { badgeOf, fullName, type Member, mayGrant, memberStatus, permissionsOf, roleLabel, rolesOf } from './member';

const NOW = Date.parse('2026-11-21T10:42:07.000Z');
const DAY = 86_400_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();
const role = (n: number) => `01900000-0000-7000-8000-30000000000${n}`;

const member = (more: Partial<Member> = {}): Member =>
  vary(firstOf(recorded('listMembers.ok').data), {
    id: 'u',
    email: 'dana@fire.example',
    firstname: 'Dana',
    lastname: 'Moore',
    state: 'de',
    role_id: role(1),
    organization_name: 'Fire',
    sign_in_count: 1,
    last_sign_in_at: null,
    password_expires_at: null,
    ...more,
  });

it('is called by name, else by address', () => {
  expect(fullName(member())).toBe('Dana Moore');
  expect(fullName(member({ firstname: '', lastname: '' }))).toBe('dana@fire.example');
});

// spec: 3.role.02
it('badges users of related organizations', () => {
  expect(badgeOf(member({ relation: 'manager' }))).toBe('MANAGER');
  expect(badgeOf(member({ relation: 'accessor' }))).toBe('ACCESS');
  expect(badgeOf(member())).toBeUndefined();
});

describe('the standing of a user', () => {
  it.each([
    ['Suspended', { suspended: true, invitation_open: true, invited_at: at(-DAY) }],
    ['Invited just now', { invitation_open: true, invited_at: at(0) }],
    ['Invited 6 d ago', { invitation_open: true, invited_at: at(-6 * DAY) }],
    ['Invitation expired', { invitation_open: true, invited_at: at(-7 * DAY) }],
    ['Password expired', { password_expires_at: at(0) }],
    ['Password expires in 1 day', { password_expires_at: at(1000) }],
    ['Password expires in 14 days', { password_expires_at: at(14 * DAY) }],
    ['Active', { password_expires_at: at(14 * DAY + 1) }],
    ['Active', { invited_at: at(-9 * DAY) }],
  ])('%s', (text, more) => expect(memberStatus(member(more), NOW).text).toBe(text));
});

describe('roles', () => {
  // spec: 3.role.01
  it('are those with an order, in that order; others are dropped', () => {
    const rows = [
      { id: 'b', order: 2, label: 'B' },
      { id: 'x', order: null, label: 'X' },
      { id: 'a', order: 1, label: 'A' },
    ];
    expect(rolesOf([...rows, null, { id: 1 }]).map(one => one.id)).toEqual(['a', 'b']);
    expect(rolesOf('nonsense')).toEqual([]);
  });

  it('have a name even when they cannot be given', () => {
    expect(roleLabel(role(5), [])).toBe('Super');
    expect(roleLabel('unknown', [])).toBe('–');
  });

  // spec: 6.model.03
  it('can be given by who has all of it; manage stands for the four', () => {
    expect(mayGrant(role(1), permissionsOf(role(4)))).toBe(true);
    expect(mayGrant(role(4), permissionsOf(role(3)))).toBe(false);
    expect(mayGrant(role(5), permissionsOf(role(4)))).toBe(false);
    expect(mayGrant('unknown', new Set())).toBe(true);
  });
});
