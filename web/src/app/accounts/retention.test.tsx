// @vitest-environment jsdom

import { afterEach, beforeEach, expect, it } from 'vitest';
import { recorded } from '~/api/recorded';
import {
  ADMIN,
  all,
  answer,
  confirm,
  press,
  type Stage,
  says,
  see,
  signIn,
  silence,
  stage,
  text,
  wary,
} from './testing';

const PATH = '/dashboard/accounts/retention';
const rows = () => recorded('listLegalHolds.ok').data;

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /organizations/o1/retention'] = answer('getRetention.ok');
  server.answers['GET /organization/legal_holds'] = answer('listLegalHolds.ok');
});
afterEach(() => server.close());

it('tells what goes when, and the legal holds', async () => {
  await server.open(PATH, 'What goes when');
  await says('Positions');
  await says('13 months');
  await says('Not deleted');
  await says('In force');
  expect(all('section', 'Free on the disk')).toEqual([]);
  expect(server.sent.some(one => one.path === '/storage')).toBe(false);
});

it('lifts a hold after asking, and after a proof of who is there', async () => {
  const held = rows().find(one => one.stands);
  if (!held) throw new Error('no hold that stands was recorded');
  await server.open(PATH, 'In force');
  wary(server, `DELETE /organization/legal_holds/${held.id}`, answer('deleteLegalHold.ok'));
  await press('Lift', 'tbody button');
  await press('Confirm', 'button');
  await confirm();
  await says(`“${held.reason}” is lifted`);
  await see(() => expect(server.sent.filter(one => one.method === 'DELETE')).toHaveLength(2));
});

it('shows the disk to who runs the platform, and warns when it is nearly full', async () => {
  signIn([...ADMIN, 'haas:manage']);
  const storage = recorded('getStorage.ok').data;
  server.answers['GET /storage'] = answer('getStorage.ok', { ...storage, days_until_full: 20 });
  await server.open(PATH, 'What goes when');
  await says('In about 20 days');
  await says('The disk will be full soon');
});

it('says that there is none, and what could not be read', async () => {
  server.answers['GET /organization/legal_holds'] = answer('listLegalHolds.ok', []);
  server.answers['GET /organizations/o1/retention'] = silence;
  await server.open(PATH, 'No legal holds.');
  await see(() => expect(all('button', 'Retry').length).toBeGreaterThan(0));
});

it('says what a hold must have', async () => {
  await server.open(`${PATH}/new`, 'Place legal hold');
  await press('Place legal hold', 'button');
  await says('Required');
  expect(text()).toContain('A day more is kept on both sides');
  expect(server.sent.some(one => one.method === 'POST')).toBe(false);
});
