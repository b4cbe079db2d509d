import { expect, it } from 'vitest';
import { endOf, type Key, keyOf, scopesOf, standingOf, uses, usesOf } from './key';

const now = Date.UTC(2026, 10, 21);
const day = 86_400_000;
const key: Key = keyOf({
  id: 'k',
  description: 'Gateway',
  prefix: 'lb_key_ab12',
  scope: 'ingest',
  scopes: ['ingest', 'register', 'feeds'],
  thing_id: null,
  thing_name: '',
  user_id: 'u',
  user_name: 'Dana Moore',
  organization_id: 'o',
  created_date: '2026-11-01T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  works: true,
} as never);

// spec: 3.key.01
it('says how a key stands, and why it does not work', () => {
  expect(key).toMatchObject({ expiresAt: 0, lastUsedAt: 0, isForOneAsset: false, createdAt: Date.UTC(2026, 10, 1) });
  const stands = (changes: Partial<Key>) => standingOf({ ...key, ...changes }, now).text;
  expect(stands({})).toBe('Active');
  expect(stands({ expiresAt: now + 15 * day })).toBe('Active');
  expect(stands({ expiresAt: now + day })).toBe('Expires in 1 day');
  expect(stands({ expiresAt: now + 13.5 * day })).toBe('Expires in 14 days');
  expect(stands({ expiresAt: now })).toBe('Expired');
  expect(stands({ works: false })).toBe('Inactive: its user no longer has API key access');
  expect(stands({ revokedAt: now, expiresAt: now - day })).toBe('Revoked');
});

it('says what a key may do, also what has no word here yet', () => {
  expect(usesOf(key)).toBe('reports, registers assets, feeds');
  expect(uses.map(({ id }) => scopesOf(id))).toEqual([['ingest'], ['ingest', 'register'], ['register']]);
});

it('leaves the longest life to the server', () => {
  expect(endOf('365', now)).toBeUndefined();
  expect(endOf('30', now)).toBe('2026-12-21T00:00:00.000Z');
});
