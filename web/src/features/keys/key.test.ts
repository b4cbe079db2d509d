import { expect, it } from 'vitest';
import { Failure } from '~/api/failure';
import { firstOf, recorded, vary } from '~/api/recorded';
import { blank, type Key, keyStatus, newKeyOf, sayKey, uses, usesOf } from './key';

const now = Date.UTC(2026, 10, 21);
const day = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();
const key: Key = vary(firstOf(recorded('listKeys.ok').data), {
  scopes: ['ingest', 'register', 'feeds'],
  expires_at: null,
  revoked_at: null,
  works: true,
});

// spec: 3.key.01
it('says how a key stands, and why it does not work', () => {
  const stands = (changes: Partial<Key>) => keyStatus({ ...key, ...changes }, now).text;
  expect(stands({})).toBe('Active');
  expect(stands({ expires_at: at(now + 15 * day) })).toBe('Active');
  expect(stands({ expires_at: at(now + day) })).toBe('Expires in 1 day');
  expect(stands({ expires_at: at(now + 13.5 * day) })).toBe('Expires in 14 days');
  expect(stands({ expires_at: at(now) })).toBe('Expired');
  expect(stands({ works: false })).toBe('Inactive: its user no longer has API key access');
  expect(stands({ revoked_at: at(now), expires_at: at(now - day) })).toBe('Revoked');
});

it('says what a key may do, also what has no word here yet', () => {
  expect(usesOf(key)).toBe('reports, registers assets, reads feeds');
});

it('asks for what was chosen: an end, none, or the year that the server takes', () => {
  const made = (changes: Partial<Parameters<typeof newKeyOf>[0]>) =>
    newKeyOf({ ...blank, description: 'Gateway', ...changes }, 'o', now);
  expect(made({})).toEqual({ description: 'Gateway', organization_id: 'o', scopes: ['ingest'] });
  expect(made({ life: '30' }).expires_at).toBe('2026-12-21T00:00:00.000Z');
  expect(made({ life: 'never' })).toEqual({ ...made({}), never_ends: true });
  expect(made({ kind: 'one', thing_id: 't' })).toEqual({ description: 'Gateway', organization_id: 'o', thing_id: 't' });
  expect(uses.map(({ id }) => made({ scopes: id }).scopes)).toEqual([
    ['ingest'],
    ['ingest', 'register'],
    ['register'],
    ['feeds'],
    ['alerts'],
  ]);
});

// spec: 8.key.01
it('says that there may be no more of them', () => {
  expect(sayKey(new Failure({ status: 422, code: 'key_limit', message: 'No more.' }))).toBe(
    'Your User has reached the API Key limit',
  );
  expect(sayKey(new Failure({ status: 422, code: 'validation_failed', message: 'No more.' }))).toBe('No more.');
});
