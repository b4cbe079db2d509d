import catalog from '@catalog/permissions.json';
import { describe, expect, it } from 'vitest';
import { sectionRules } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { defaultSection, landing, originOf, shownSections, verdict } from './guards';
import { sections } from './sections';

// The product's own table: a section that it lacks is not there for anybody, whatever the catalog says.
const ids = sections.map(section => section.id);
const user = (permissions: string[], sections: string[]) =>
  profileOf(wireProfile({ permissions, dashboard_access: sections }));
const rule = (id: string) => {
  const found = sectionRules.find(section => section.id === id);
  if (!found) throw new Error(id);
  return found;
};

describe('verdict', () => {
  // spec: 2.guard.01
  it('forbids what is not permitted', () => {
    expect(verdict(user(['thing:read'], ['things']), rule('closures'), false)).toBe('forbidden');
    expect(verdict(user(['thing:read'], ['things']), rule('things'), false)).toBe('allowed');
  });

  // spec: 2.guard.02 2.guard.03
  it('keeps large sections from phones', () => {
    const everything = user(['haas:manage', 'user:manage', 'engineer:test'], ids);
    const onPhone = sections.filter(section => verdict(everything, rule(section.id), true) === 'allowed');
    expect(onPhone.map(section => section.id)).toEqual(['things', 'events', 'areas', 'closures']);
    expect(verdict(everything, rule('trips'), true)).toBe('notOnMobile');
  });
});

// spec: 2.sec.01 2.sec.02 2.sec.03
it('each section asks for its own requirement', () => {
  expect(Object.fromEntries(ids.map(id => [id, rule(id).requirement]))).toEqual({
    things: 'VIEW_THINGS',
    events: 'VIEW_EVENTS',
    areas: 'VIEW_AREAS',
    closures: 'VIEW_CLOSURES',
    zones: 'VIEW_ZONES',
    trips: 'VIEW_TRIPS',
    hazards: 'VIEW_HAZARDS',
    data: 'VIEW_DATA',
    accounts: 'VIEW_ACCOUNTS',
    'accounts-new': 'VIEW_ACCOUNTS_NEW',
  });
});

// spec: 2.sec.01 2.sec.02 2.sec.03
it.each(ids)('%s is absent and guarded for whoever lacks all that opens it, and there with any one of it', id => {
  const { requirement } = rule(id);
  const opens: readonly string[] = catalog.requirements[requirement];
  const rest = catalog.permissions.filter(one => !opens.includes(one));
  const lacking = user(rest, ids);
  expect(verdict(lacking, rule(id), false)).toBe('forbidden');
  expect(shownSections(lacking, false, sections).map(section => section.id)).not.toContain(id);
  for (const one of opens) {
    expect(verdict(user([one], ids), rule(id), false)).toBe('allowed');
    expect(shownSections(user([one], ids), false, sections).map(section => section.id)).toContain(id);
  }
});

describe('navigation', () => {
  // spec: 2.nav.02
  it('shows permitted sections in the order of the requirements, whatever the access list says', () => {
    const some = user(['thing:read', 'closure:read', 'incident:read'], ['closures', 'things', 'events', 'zones']);
    expect(shownSections(some, false, sections).map(section => section.id)).toEqual(['things', 'events', 'closures']);
  });

  // spec: 6.list.01
  it('shows those of the access list and no other that is permitted', () => {
    const everybody = user(['haas:manage', 'user:read', 'engineer:test'], ['hazards', 'things']);
    expect(shownSections(everybody, false, sections).map(section => section.id)).toEqual(['things', 'hazards']);
  });

  it('shows only what has a line in the table', () => {
    const everybody = user(['haas:manage', 'user:read', 'engineer:test'], ids);
    expect(shownSections(everybody, false, sections).map(section => section.id)).toEqual([
      'things',
      'events',
      'areas',
      'closures',
      'zones',
      'trips',
      'hazards',
      'data',
      'accounts',
      'accounts-new',
    ]);
  });
});

describe('landing', () => {
  const some = user(['thing:read', 'closure:read'], ['closures', 'things']);

  // spec: 2.dash.02 6.list.02
  it('is the first entry of the access list', () => {
    expect(defaultSection(some, false, sections)).toBe('closures');
    expect(landing(some, undefined, false, sections)).toBe('/dashboard/closures');
  });

  // spec: 2.dash.03 2.pub.11
  it('is the requested address when its section is permitted', () => {
    expect(landing(some, '/dashboard/things/7?x=1', false, sections)).toBe('/dashboard/things/7?x=1');
    expect(landing(some, '/dashboard/areas', false, sections)).toBe('/dashboard/closures');
  });

  // spec: 2.dash.04
  it.each([
    [['report:read'], '/dashboard/data/reports', '/dashboard/data/reports'],
    [['report:read'], '/dashboard/data/exports', '/dashboard/data'],
    [['report:read'], '/dashboard/data/exports/new?x=1', '/dashboard/data'],
    [['export:read'], '/dashboard/data/exports?x=1', '/dashboard/data/exports?x=1'],
    [['export:read'], '/dashboard/data/exports/new', '/dashboard/data'],
    [['export:manage'], '/dashboard/data/exports/new', '/dashboard/data/exports/new'],
    [['export:read'], '/dashboard/data', '/dashboard/data'],
  ])('with %j of %s is %s', (permissions, requested, to) => {
    expect(landing(user(permissions, ['data']), requested, false, sections)).toBe(to);
  });

  it('is nowhere for a user without a section', () => {
    expect(landing(user([], []), '/dashboard/things', false, sections)).toBeUndefined();
  });
});

describe('originOf', () => {
  it.each(['/dashboard', '/dashboard/things/7', '/dashboard?tab=1'])('remembers %s', address => {
    expect(originOf(address)).toBe(address);
  });

  it.each([
    'https://evil.example/dashboard',
    '//evil.example',
    '/dashboards',
    '/welcome/signin',
    '/dashboard//evil',
    '/dashboard\\x',
    7,
    undefined,
  ])('refuses %s', address => {
    expect(originOf(address)).toBeUndefined();
  });
});
