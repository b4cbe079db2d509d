// @vitest-environment jsdom
import userFile from '@catalog/vectors/user-file.json';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answered, recorded, vary } from '~/api/recorded';
import { COLUMNS } from '~/features/users/UserImport';
import {
  ADMIN,
  all,
  answer,
  confirm,
  find,
  press,
  refusal,
  type Stage,
  says,
  signIn,
  stage,
  text,
  wary,
} from './testing';

const IMPORT = 'POST /users/import';
const CSV = 'email,role\nann@county.example,Operator\n';
const invite = recorded('importUsers.ok').data;
const wrong = recorded('importUsers.wrong').data;
/** With a way back of a minute. */
const applied = vary(recorded('importUsers.applied').data, {
  import_id: 'i/1',
  undo_until: new Date(Date.now() + 60_000).toISOString(),
});

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /roles'] = answer('listRoles.ok');
});
afterEach(() => server.close());

async function openAndChoose() {
  await server.open('/dashboard/accounts/user/import', 'Choose a CSV file');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  const file = new File([CSV], 'people.csv', { type: 'text/csv' });
  // jsdom's files cannot be read as text.
  Object.defineProperty(file, 'text', { value: async () => CSV });
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input?.dispatchEvent(new Event('change', { bubbles: true }));
}

const isOff = (name: string) => all('button', name)[0]?.hasAttribute('disabled');

it('shows whom a file would invite, invites them once it is known who asks, and takes it back', async () => {
  wary(server, IMPORT, ({ body }) =>
    body?.digest ? answered('importUsers.applied', applied) : answered('importUsers.ok', invite),
  );
  await openAndChoose();
  await confirm();
  await says('people.csv: 2 to invite, 0 already here.');
  expect((await find('tr', 'ann@county.example')).textContent).toBe('Ann EkLine 2, ann@county.exampleInviteOperator');
  await press('Invite 2 users', 'button');
  await says('2 invited, 0 already here.');
  expect(server.writes().at(-1)?.body).toEqual({ organization_id: 'o1', csv: CSV, digest: invite.digest });
  server.answers['POST /users/import/i%2F1/undo'] = answer('undoUserImport.ok');
  await press('Undo', 'button');
  await says('Import undone: 1 deleted, 1 not undone.bo@county.example They accepted the invitation.');
  expect(all('button', 'Undo')).toEqual([]);
});

it('leaves out rows with errors, says why, and invites the others', async () => {
  server.answers[IMPORT] = ({ body }) => answered('importUsers.wrong', { ...wrong, applied: !!body?.digest });
  await openAndChoose();
  await says('1 to invite, 1 already here, 2 with errors.');
  const first = all('tbody tr', '')[0]?.textContent;
  expect(first).toContain('Cy');
  expect(first).toContain('Left out');
  expect(first).toContain('last_name: Required');
  expect(first).toContain('role: Must be one of Viewer, Operator, Manager, Administrator');
  expect(text()).toContain('Line 2 already has this address.');
  expect((await find('tr', 'ann@county.example')).textContent).toContain('Already hereStays Operator');
  expect(document.querySelector('[role=alert]')?.textContent).toContain('2 rows with errors will be left out.');
  await press('Invite 1 user', 'button');
  await says('1 invited, 1 already here, 2 left out.');
  await find('tr', 'Cy');
});

it('says that invitations wait on the server, or that none are sent', async () => {
  server.answers[IMPORT] = ({ body }) =>
    answered('importUsers.ok', { ...invite, invitations: body?.digest ? 'none' : 'waiting' });
  await openAndChoose();
  await says('No mail server is set up, so the invitations will wait on the server.');
  await press('Invite 2 users', 'button');
  await says("2 added, 0 already here.They sign in with your organization's provider.");
});

it('invites nobody where no row can be, and names what makes a file unusable', async () => {
  server.answers[IMPORT] = answer('importUsers.wrong', { ...wrong, invite: 0, unchanged: 0 });
  await openAndChoose();
  await says('No row can be invited. Fix the file and upload it again.');
  expect(isOff('Invite')).toBe(true);
  server.close();
  server = stage();
  server.answers[IMPORT] = refusal('importUsers.validation_failed');
  await openAndChoose();
  await says('The column "name" is unknown. The columns are email, first_name, last_name, role.');
});

it('hands out an empty file with the columns that the server reads', async () => {
  expect(COLUMNS).toEqual(userFile.columns);
  const createObjectURL = vi.fn((_: Blob) => 'blob:x');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await server.open('/dashboard/accounts/user/import', 'Download template');
  await press('Download template', 'button');
  expect(createObjectURL.mock.lastCall?.[0].size).toBe(3 + 'email,first_name,last_name,role\r\n'.length); // with the mark
});

it('is not for those who may not invite', async () => {
  signIn(ADMIN.filter(one => one !== 'user:admin:manage' && one !== 'user:manage'));
  await server.open('/dashboard/accounts/user/import', 'Import users');
  expect(all('button', 'Choose a CSV file')).toEqual([]);
});
