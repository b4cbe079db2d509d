import { describe, expect, it } from 'vitest';
import { meets, type Requirement } from './permissions';
import { maySwitch, OrganizationMismatch, profileOf } from './profile';
import { wireOrganization, wireProfile } from './session.fakes';

const has = (...permissions: string[]) => new Set(permissions);

describe('meets', () => {
  // spec: 6.req.01 6.req.02
  it.each<[Requirement, string[], boolean]>([
    ['VIEW_THINGS', ['thing:read'], true],
    ['VIEW_THINGS', ['thing:manage'], true],
    ['VIEW_THINGS', ['haas:manage'], true],
    ['VIEW_THINGS', ['closure:read'], false],
    ['EDIT_THING', ['thing:read'], false],
    ['EDIT_THING', ['thing:update'], true],
    ['EDIT_THING', ['haas:manage'], false],
    ['VIEW_ACCOUNTS_NEW', ['engineer:test'], true],
  ])('%s with %o is %s', (requirement, permissions, expected) => {
    expect(meets(has(...permissions), requirement)).toBe(expected);
  });

  // spec: 6.req.16
  it('passes anybody where the list is empty', () => {
    expect(meets(has(), 'MOBILE')).toBe(true);
  });
});

describe('profileOf', () => {
  it('puts the own organization first and names each once', () => {
    const wire = wireProfile();
    wire.accessed_organizations = [wireOrganization('o2'), wireOrganization('o3')];
    const profile = profileOf(wire);
    expect(profile.organizations.map(one => [one.id, one.relation])).toEqual([
      ['o1', 'own'],
      ['o2', 'managed'],
      ['o3', 'accessed'],
    ]);
    expect(profile).toMatchObject({ fullName: 'Dana Moore', initials: 'DM', sections: ['things'] });
  });

  it('makes do with an address alone', () => {
    const profile = profileOf(wireProfile({ firstname: '', lastname: '' }));
    expect(profile).toMatchObject({ fullName: 'dana@fire.example', initials: 'D' });
  });

  // spec: 7.user.01 4.auth.05
  it('refuses a user of another organization', () => {
    expect(() => profileOf(wireProfile({ organization_id: 'o9' }))).toThrow(OrganizationMismatch);
  });

  // spec: 2.nav.08 6.link.03
  it('lets organizations with the acs flag and several in reach switch', () => {
    const wire = wireProfile();
    expect(maySwitch(profileOf(wire))).toBe(true);
    expect(maySwitch(profileOf({ ...wire, managed_organizations: [] }))).toBe(false);
    const organization = wireOrganization('o1', { organization_type: { id: 't1', name: 'fire', acs: false } });
    expect(maySwitch(profileOf({ ...wire, organization }))).toBe(false);
  });
});
