import { expect, it } from 'vitest';
import type { Schemas } from '~/api';
import { recorded } from '~/api/recorded';
import { wordsOf } from '~/model/organization';
import { groupsOf } from './changes';

type Change = Schemas['Change'];

const words = wordsOf({
  id: 'o1',
  name: 'Fire',
  timezone: 'UTC',
  countryCode: 'US',
  respondersType: 'all',
  eventWording: 'default',
});

it('groups what has changed, counts first, each with its screen', () => {
  const groups = groupsOf(recorded('listChanges.later'), words);
  expect(groups.map(({ label, counts }) => `${label}: ${counts}`)).toEqual([
    'Incidents: 1 ended',
    'Assets: 1 not reporting',
    'Areas: 1 changed',
  ]);
  expect(groups.map(({ rows }) => rows.map(({ name, what }) => `${name} ${what}`))).toEqual([
    ['CAD-7 ended'],
    ['Engine 4 not reporting'],
    ['Fuel depot changed by you'],
  ]);
  expect(groups[0]?.rows[0]?.path).toMatch(/^\/dashboard\/events\/[0-9a-f-]{36}$/);
});

it('says nothing when nothing has changed, and counts what it does not list', () => {
  expect(groupsOf(recorded('listChanges.empty'), words)).toEqual([]);
  const answer = recorded('listChanges.ok');
  const [group] = groupsOf({ ...answer, counts: { location: { opened: 30 } } }, words);
  expect(group).toMatchObject({ counts: '30 opened', more: 29 });
});

it('has words for every noun and what became of it', () => {
  const base = recorded('listChanges.ok').data[0];
  if (!base) throw new Error('nothing is recorded');
  const row = (noun: Change['noun'], what: Change['what']): Change => ({
    ...base,
    noun,
    what,
    id: `${noun}-1`,
    name: 'It',
  });
  const rows = [row('closure', 'ended'), row('closure', 'published'), row('hazard', 'opened'), row('zone', 'ended')];
  const counts = {
    closure: { ended: 2, activated: 1, published: 1 },
    hazard: { opened: 1, expired: 3 },
    zone: { ended: 1 },
  };
  const groups = groupsOf({ ...recorded('listChanges.ok'), data: rows, counts }, words);
  expect(groups.map(({ label, counts }) => `${label}: ${counts}`)).toEqual([
    'Closures: 1 activated, 2 ended, 1 published',
    'Hazards: 1 reported, 3 expired',
    'Zones: 1 on standby',
  ]);
  expect(groups[0]?.rows.map(({ path }) => path)).toEqual([
    '/dashboard/closures/closure-1',
    '/dashboard/closures/closure-1',
  ]);
});
