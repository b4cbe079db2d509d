// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ADMIN, all, list, press, refusal, type Stage, says, see, signIn, stage, text } from './testing';

const key = (id: string) => ({
  id,
  description: `Gateway ${id}`,
  prefix: 'lb_k_1',
  scope: 'ingest',
  scopes: ['ingest'],
  organization_id: 'o1',
  organization_name: 'Organization o1',
  thing_id: null,
  thing_name: '',
  user_id: 'u1',
  user_name: 'Dana Miller',
  works: true,
  created_date: '2026-11-01T08:00:00.000Z',
  expires_at: '2027-11-01T08:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
});

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /keys'] = list([key('a'), key('b')]);
});
afterEach(() => server.close());

// spec: 4.filter.04
it('counts a key that is gone as revoked: the row goes and the text is said in passing', async () => {
  await server.open('/dashboard/accounts/key', 'Gateway a');
  server.answers['DELETE /keys/a'] = () => {
    server.answers['GET /keys'] = list([key('b')]);
    return refusal(404, 'not_found', 'The key was not found.')();
  };
  await press('Revoke', 'tbody button');
  await press('Confirm', 'button');
  await says('The key was not found.');
  await see(() => expect(all('tbody tr', '')).toHaveLength(1));
});

// spec: 8.key.02
it.each([
  ['with keys in the list', [key('a')]],
  ['without any', []],
])('asks who may make no keys to contact support, %s', async (_, rows) => {
  server.answers['GET /keys'] = list(rows);
  signIn(ADMIN.filter(one => !one.startsWith('integration_configuration')).concat('integration_configuration:read'));
  await server.open('/dashboard/accounts/key', 'Your user is missing the API permission.');
  await says('Please contact support at ');
  expect(all('a', 'Create key')).toEqual([]);
});

it('asks who may make keys nothing of the kind', async () => {
  await server.open('/dashboard/accounts/key', 'Gateway a');
  expect(all('a', 'Create key')).toHaveLength(1);
  expect(text()).not.toContain('API permission');
});
