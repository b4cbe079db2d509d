import { describe, expect, it } from 'vitest';
import {
  changeBetween,
  defaultFilter,
  defaultStatuses,
  hidingCount,
  isShowAll,
  passes,
  resetFilter,
  showAllFilter,
} from './filter';
import { groupThings } from './group';
import { compareThings, mergeOrder } from './sort';
import { Status } from './status';
import { makeThing } from './testing';
import type { Relationship, Thing } from './thing';

const org = (id: string, name = id) => ({ id, name, type: '' });
const manager = (organizationId: string, organizationName: string): Relationship => ({
  organizationId,
  organizationName,
  relationType: 'manager',
});

describe('filter', () => {
  // spec: 4.list.01
  it('starts with the default statuses', () => {
    expect([...defaultStatuses(false)]).toEqual([0, 1, 2, 3, 4]);
    expect([...defaultStatuses(true)]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  // spec: 4.list.08
  it('resets everything except the statuses', () => {
    const filter = {
      ...defaultFilter(true),
      statuses: new Set([Status.ACTIVE]),
      types: new Set(['t']),
      search: 'x',
      outOfService: false,
    };
    expect(resetFilter(filter)).toEqual({ ...defaultFilter(true), statuses: new Set([Status.ACTIVE]) });
  });

  it('shows by status, type, relation, service and search together', () => {
    const all = showAllFilter('');
    const thing = makeThing({ status: Status.STANDBY, organization: org('org-1') });
    expect(passes(thing, all, 'org-1')).toBe(true);
    expect(passes(thing, { ...all, statuses: new Set([Status.ACTIVE]) }, 'org-1')).toBe(false);
    expect(passes(thing, { ...all, types: new Set(['elsewhere']) }, 'org-1')).toBe(false);
    expect(passes(thing, { ...all, types: new Set([thing.thingTypeId]) }, 'org-1')).toBe(true);
    expect(passes(thing, { ...all, relations: new Set(['managed']) }, 'org-1')).toBe(false);
    expect(passes(thing, { ...all, relations: new Set(['managed']) }, 'org-9')).toBe(true);
    expect(passes(thing, { ...all, search: 'ladder' }, 'org-1')).toBe(true);
    expect(passes(thing, { ...all, search: 'engine' }, 'org-1')).toBe(false);
    expect(passes({ ...thing, inService: false }, { ...all, outOfService: false }, 'org-1')).toBe(false);
  });

  it('counts what hides and knows Show All', () => {
    expect(isShowAll(defaultFilter(true))).toBe(true);
    expect(isShowAll(defaultFilter(false))).toBe(false);
    expect(hidingCount(defaultFilter(true), 'abc')).toBe(0);
    expect(hidingCount(defaultFilter(false), 'abc')).toBe(1);
    expect(hidingCount({ ...defaultFilter(false), types: new Set(['a']), outOfService: false }, 'abc')).toBe(4);
    // One that was chosen has no asset left: the others are hidden all the same.
    expect(hidingCount({ ...defaultFilter(true), types: new Set(['gone', 'a']) }, 'ab')).toBe(1);
  });

  // spec: 4.filter.02
  it('tells widening from narrowing', () => {
    const base = defaultFilter(false);
    expect(changeBetween(base, { ...base })).toBe('same');
    expect(changeBetween(base, defaultFilter(true))).toBe('wider');
    expect(changeBetween(defaultFilter(true), base)).toBe('narrower');
    expect(changeBetween(base, { ...base, search: 'en' })).toBe('narrower');
    expect(changeBetween({ ...base, search: 'eng' }, { ...base, search: 'en' })).toBe('wider');
    expect(changeBetween({ ...base, search: 'a' }, { ...base, search: 'b' })).toBe('other');
    expect(changeBetween(base, { ...base, types: new Set(['t']) })).toBe('narrower');
    expect(changeBetween(base, { ...defaultFilter(true), search: 'x' })).toBe('other');
  });
});

describe('grouping', () => {
  const group = (things: Thing[]) =>
    groupThings(
      things.map(t => t.id),
      id => things.find(t => t.id === id),
      { id: 'me', name: 'Wilmington Fire Dept' },
    );

  // spec: 6.group.01, 6.group.02, 6.group.03, 6.group.04, 6.group.05
  it('puts the own assets first, related ones under their organizations, others under their owners', () => {
    const groups = group([
      makeThing({ id: '1', organization: org('z', 'Zulu Works') }),
      makeThing({ id: '2', organization: org('me'), relationships: [manager('b', 'Bravo')] }),
      makeThing({ id: '3', organization: org('me'), relationships: [] }),
      makeThing({ id: '4', organization: org('me'), relationships: [manager('a', 'alpha')] }),
      makeThing({ id: '5', organization: org('c', 'City Public Works') }),
      makeThing({ id: '6', organization: org('me'), relationships: [manager('b', 'Bravo'), manager('a', 'alpha')] }),
      makeThing({ id: '7', organization: org('me'), relationships: [] }),
    ]);
    expect(groups.map(g => [g.label, g.ids])).toEqual([
      ['Wilmington Fire Dept (ONLY)', ['3', '7']],
      ['alpha', ['4', '6']],
      ['Bravo', ['2']],
      ['Managed · City Public Works', ['5']],
      ['Managed · Zulu Works', ['1']],
    ]);
  });
});

describe('keeping an order', () => {
  /** mulberry32: the same rows every run */
  const random = (seed: number) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  it('gives what sorting anew gives, whatever moved', () => {
    const next = random(7);
    const some = (id: string) =>
      makeThing({
        id,
        nickname: `n${Math.floor(next() * 20)}`,
        status: Math.floor(next() * 6) as Status,
        heartbeatAt: Math.floor(next() * 50),
      });
    for (let round = 0; round < 200; round++) {
      const things = new Map<string, Thing>();
      for (let i = 0; i < 30; i++) things.set(`t${i}`, some(`t${i}`));
      const order = [...things.values()].sort(compareThings).map(t => t.id);
      const moved = new Map<string, Thing | undefined>();
      for (let i = 0; i < 12; i++) {
        const id = `t${Math.floor(next() * 40)}`;
        if (moved.has(id)) continue;
        moved.set(id, things.get(id));
        if (next() < 0.3) things.delete(id);
        else things.set(id, some(id));
      }
      const merged = mergeOrder(
        order,
        moved,
        id => things.get(id),
        id => things.has(id),
      );
      expect(merged).toEqual([...things.values()].sort(compareThings).map(t => t.id));
    }
  });
});
