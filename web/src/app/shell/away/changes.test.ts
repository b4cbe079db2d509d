import { expect, it } from 'vitest';
import { recorded } from '~/api/recorded';
import { wordsOf } from '~/model/organization';
import { groupsOf } from './changes';

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
