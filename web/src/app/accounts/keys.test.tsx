// @vitest-environment jsdom

import { afterEach, beforeEach, expect, it } from 'vitest';
import { recorded, refused, vary } from '~/api/recorded';
import { ADMIN, all, answer, press, type Stage, says, see, signIn, stage, text } from './testing';

const gateway = () => {
  const found = recorded('listKeys.ok').data.find(one => one.works && one.thing_id === null);
  if (!found) throw new Error('no key of a gateway was recorded');
  return found;
};
const key = (id: string) => vary(gateway(), { id, description: `Gateway ${id}`, organization_id: 'o1' });

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /keys'] = answer('listKeys.ok', [key('a'), key('b')]);
});
afterEach(() => server.close());

// spec: 4.filter.04
it('counts a key that is gone as revoked: the row goes and the text is said in passing', async () => {
  await server.open('/dashboard/accounts/key', 'Gateway a');
  server.answers['DELETE /keys/a'] = () => {
    server.answers['GET /keys'] = answer('listKeys.ok', [key('b')]);
    return refused('deleteKey.not_found');
  };
  await press('Revoke', 'tbody button');
  await press('Confirm', 'button');
  await says('API key not found');
  await see(() => expect(all('tbody tr', '')).toHaveLength(1));
});

// spec: 8.key.02
it.each([
  ['with keys in the list', [key('a')]],
  ['without any', []],
])('asks who may make no keys to contact support, %s', async (_, rows) => {
  server.answers['GET /keys'] = answer('listKeys.ok', rows);
  signIn(ADMIN.filter(one => !one.startsWith('integration_configuration')).concat('integration_configuration:read'));
  await server.open('/dashboard/accounts/key', 'Your user is missing the API permission.');
  await says('Please contact support.');
  expect(all('a', 'Create key')).toEqual([]);
});

it('asks who may make keys nothing of the kind', async () => {
  await server.open('/dashboard/accounts/key', 'Gateway a');
  expect(all('a', 'Create key')).toHaveLength(1);
  expect(text()).not.toContain('API permission');
});
