// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, firstOf, malformed, recorded, vary } from '~/api/recorded';
import type { Member } from '~/features/users/member';
import {
  ADMIN,
  all,
  answer,
  choose,
  confirm,
  find,
  heldBy,
  press,
  refusal,
  role,
  type Stage,
  says,
  see,
  signIn,
  silence,
  stage,
  text,
  type,
  wary,
} from './testing';

const member = (id: string, more: Partial<Member> = {}): Member =>
  vary(firstOf(recorded('listMembers.ok').data), {
    id,
    email: `${id}@fire.example`,
    firstname: id.toUpperCase(),
    lastname: 'Lee',
    state: 'de',
    role_id: role(1),
    organization_id: 'o1',
    organization_name: 'Organization o1',
    relation: 'own',
    can_edit: true,
    sign_in_count: 3,
    last_sign_in_at: '2026-11-20T10:00:00.000Z',
    password_expires_at: null,
    second_factor: false,
    awareness_mode_access: false,
    has_api_keys: false,
    api_keys: 0,
    version: 4,
    ...more,
  });

const [viewer, operator, , administrator] = recorded('listRoles.ok').data;
/** Out of order, with one that nobody assigns and one that is broken. */
const roles = [
  operator,
  viewer,
  administrator,
  { id: role(5), order: null, label: 'Super' },
  { id: 7, label: 'Broken' },
];

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /roles'] = () => malformed({ ...recorded('listRoles.ok'), data: roles });
  server.answers['GET /organization/assignable'] = answer('listAssignableOrganizations.ok', []);
  server.answers['GET /organization/users'] = answer('listMembers.ok', [
    member('ann'),
    member('bob', { role_id: role(4) }),
    member('cy', { relation: 'manager', can_edit: false, organization_id: 'o9', organization_name: 'County' }),
    member('di', { relation: 'accessor', can_edit: false, organization_id: 'o8', organization_name: 'State' }),
  ]);
});
afterEach(() => server.close());

const rows = () => all('tbody tr', '').map(row => row.querySelector('a')?.textContent);

describe('the list of users', () => {
  // spec: 7.user.05, 3.role.02
  it('asks for the organization that is looked at, with badges for related users', async () => {
    await server.open('/dashboard/accounts/user', 'ANN Lee');
    expect(server.sent.find(call => call.path === '/organization/users')?.query).toContain('org_ids%5B%5D=o1');
    expect(all('tr', 'CY Lee')[0]?.textContent).toContain('MANAGER');
    expect(all('tr', 'DI Lee')[0]?.textContent).toContain('ACCESS');
    expect(all('tr', 'ANN Lee')[0]?.textContent).not.toMatch(/MANAGER|ACCESS/);
    // Users of another organization are only looked at.
    expect(all('button', 'Actions for CY Lee')).toEqual([]);
  });

  // spec: 3.role.01, 7.user.03, D.value.09
  it('offers the assignable roles in their order as a filter', async () => {
    await server.open('/dashboard/accounts/user', 'ANN Lee');
    await choose('Role', 'Administrator');
    await see(() => expect(rows()).toEqual(['BOB Lee']));
    (await find('button[aria-haspopup=listbox]', 'Administrator')).click();
    await see(() =>
      expect(all('[role=option]', '').map(option => option.textContent)).toEqual([
        'All roles',
        'Viewer',
        'Operator',
        'Administrator',
      ]),
    );
  });

  it('searches by name and address, and says when nothing is left', async () => {
    await server.open('/dashboard/accounts/user', 'ANN Lee');
    const search = document.querySelector<HTMLInputElement>('input[type=search]');
    const fill = (words: string) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, words);
      search?.dispatchEvent(new Event('input', { bubbles: true }));
    };
    fill('BOB@');
    await see(() => expect(rows()).toEqual(['BOB Lee']));
    fill('nobody');
    await says('No results found.');
  });

  it('says what went wrong in place, and asks again', async () => {
    server.answers['GET /organization/users'] = silence;
    await server.open('/dashboard/accounts/user', 'Connection failed.');
    server.answers['GET /organization/users'] = answer('listMembers.ok', [member('ann')]);
    await press('Retry');
    await says('ANN Lee');
  });

  it('offers nothing to who may only read', async () => {
    signIn(['user:read']);
    server.answers['GET /organization/users'] = answer('listMembers.ok', [member('ann', { can_edit: true })]);
    await server.open('/dashboard/accounts/user', 'ANN Lee');
    expect(text()).not.toContain('Add user');
    expect(all('button', 'Actions for')).toEqual([]);
  });
});

describe('a new user', () => {
  const fill = async () => {
    await type('First name', ' Eva ');
    await type('Last name', 'Hill');
    await type('Email', 'eva@fire.example');
    await choose('Role', 'Operator');
  };

  // spec: 5.user.01
  it('needs names, address and role', async () => {
    await server.open('/dashboard/accounts/user/new', 'First name');
    await type('Email', 'nonsense');
    await press('Add user', 'button');
    await see(() => expect(text().match(/Required/g)).toHaveLength(3));
    await says('Must be a valid email');
    expect(server.writes()).toEqual([]);
  });

  // spec: 7.user.08
  it('is sent, invited and shown', async () => {
    server.answers['POST /users'] = answer(
      'createUser.ok',
      member('eva', { invitation_open: true, invitation_mail: 'sent' }),
    );
    server.answers['GET /users/eva/sessions'] = answer('listUserSessions.ok', []);
    const router = await server.open('/dashboard/accounts/user/new', 'First name');
    await fill();
    await press('Add user', 'button');
    await says('Invitation sent to eva@fire.example');
    expect(server.writes()[0]?.body).toEqual({
      firstname: 'Eva',
      lastname: 'Hill',
      email: 'eva@fire.example',
      role_id: role(2),
      organization_id: 'o1',
    });
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/user/eva'));
  });

  // spec: 8.user.01
  it('stays on the page when the address is taken', async () => {
    server.answers['POST /users'] = refusal('createUser.email_in_use');
    const router = await server.open('/dashboard/accounts/user/new', 'First name');
    await fill();
    await press('Add user', 'button');
    await says('Email is already in use. Please try another one.');
    expect(router.state.location.pathname).toBe('/dashboard/accounts/user/new');
  });

  it('goes on with the same draft once its user has confirmed who they are, and keeps it when they turn away', async () => {
    wary(
      server,
      'POST /users',
      answer('createUser.ok', member('eva', { invitation_open: true, invitation_mail: 'sent' })),
    );
    server.answers['GET /users/eva/sessions'] = answer('listUserSessions.ok', []);
    const router = await server.open('/dashboard/accounts/user/new', 'First name');
    await fill();
    await press('Add user', 'button');
    await confirm(true);
    await says("Please confirm it's you.");
    expect(heldBy('First name')).toBe(' Eva ');
    await press('Add user', 'button');
    await confirm();
    await says('Invitation sent to eva@fire.example');
    const sent = server.writes().filter(call => call.path === '/users');
    expect(sent.map(call => call.body)).toEqual([sent[0]?.body, sent[0]?.body, sent[0]?.body]);
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/user/eva'));
  });

  it('asks before a draft is thrown away', async () => {
    const router = await server.open('/dashboard/accounts/user/new', 'First name');
    await type('First name', 'Eva');
    await press('Cancel', 'a');
    await says('Discard changes?');
    await press('Keep editing');
    expect(router.state.location.pathname).toBe('/dashboard/accounts/user/new');
  });
});

describe('the edit of a user', () => {
  const save = async () => press('Save', 'button');
  beforeEach(() => {
    server.answers['GET /users/ann'] = answer('getUser.ok', member('ann'));
    server.answers['GET /users/ann/sessions'] = answer('listUserSessions.ok', []);
  });

  // spec: 5.user.02, 7.user.07
  it('sends names and role with the version that it began with', async () => {
    server.answers['PUT /users/ann'] = answer('updateUser.ok', member('ann', { lastname: 'Hill', role_id: role(2) }));
    const router = await server.open('/dashboard/accounts/user/ann/edit', 'First name');
    await type('Last name', 'Hill');
    await choose('Role', 'Operator');
    await save();
    await says('User saved');
    const { body, ifMatch } = server.writes()[0] ?? {};
    expect(body).toEqual({ firstname: 'ANN', lastname: 'Hill', role_id: role(2) });
    expect(ifMatch).toBe('"4"');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/user/ann'));
  });

  // spec: 8.user.02, 8.user.03
  it.each([
    [refusal('updateUser.user_not_found'), 'The selected user could not be found'],
    [refusal('getSecondFactor.internal'), 'Unknown failure.'],
    [refusal('updateUser.validation_failed'), 'There was an error submitting the form.'],
    [refusal('deleteUser.last_administrator'), 'An organization needs at least one administrator.'],
  ])('says what went wrong under the buttons (%#)', async (answer, words) => {
    server.answers['PUT /users/ann'] = answer;
    await server.open('/dashboard/accounts/user/ann/edit', 'First name');
    await type('Last name', 'Hill');
    await save();
    await see(() => expect(document.querySelector('[role=alert]')?.textContent).toContain(words));
    expect(text()).toContain('Edit ANN Lee');
  });

  it('shows what somebody else has saved meanwhile, and lets one choose', async () => {
    const theirs = member('ann', { lastname: 'Theirs', version: 9 });
    const changed = { changed_by: 'Mary Jones', changed_at: new Date(Date.now() - 150_000).toISOString() };
    server.answers['PUT /users/ann'] = refusal('updateUser.conflict', { ...changed, current: theirs });
    await server.open('/dashboard/accounts/user/ann/edit', 'First name');
    await type('Last name', 'Mine');
    await save();
    await see(() => expect(document.querySelector('table')?.textContent).toContain('Last nameTheirsMine'));
    expect(text()).toContain('Mary Jones changed this 2 min ago.');
    server.answers['PUT /users/ann'] = answer('updateUser.ok', member('ann', { lastname: 'Mine' }));
    await press('Save my version');
    await see(() => expect(server.writes().map(call => call.ifMatch)).toEqual(['"4"', '"9"']));
  });

  // spec: 5.user.03
  it('leaves the own role as it is', async () => {
    server.answers['GET /users/u1'] = answer('getUser.ok', member('u1', { role_id: role(4) }));
    await server.open('/dashboard/accounts/user/u1/edit', 'First name');
    await says('Only another administrator can change your role.');
    expect(all('form button[aria-haspopup=listbox]', '').every(button => (button as HTMLButtonElement).disabled)).toBe(
      true,
    );
  });

  it('is refused to who may only read', async () => {
    signIn(['user:read']);
    await server.open('/dashboard/accounts/user/ann/edit', 'Sorry, you are not currently authorized');
    expect(text()).not.toContain('First name');
  });

  it('says of an invited user that there is no password yet', async () => {
    server.answers['GET /users/ann'] = answer('getUser.ok', member('ann', { invitation_open: true }));
    await server.open('/dashboard/accounts/user/ann', 'None yet');
    expect(text()).not.toContain('Does not expire');
  });

  it('says that a user is not there', async () => {
    await server.open('/dashboard/accounts/user/zed', 'The selected user could not be found');
  });
});

describe('what is done about a user', () => {
  const openMenu = async () => {
    server.answers['GET /users/ann'] = answer(
      'getUser.ok',
      member('ann', { second_factor: true, invitation_open: true }),
    );
    server.answers['GET /users/ann/sessions'] = answer('listUserSessions.ok', [
      vary(firstOf(recorded('listUserSessions.ok').data), { id: 's', user_agent: '', method: 'sso' }),
    ]);
    const router = await server.open('/dashboard/accounts/user/ann', 'Sessions');
    await press('Actions for ANN Lee');
    return router;
  };

  it('suspends at once, with a way back', async () => {
    server.answers['PUT /users/ann'] = ({ body }) =>
      answered('updateUser.ok', member('ann', { suspended: body?.suspended === true }));
    await openMenu();
    await press('Suspend', '[role=menuitem]');
    await says('ANN Lee is suspended and signed out');
    await press('Undo');
    await see(() =>
      expect(server.writes().map(call => call.body)).toEqual([{ suspended: true }, { suspended: false }]),
    );
  });

  it('gives somebody who signs in by a provider the choice of a password', async () => {
    server.answers['GET /users/ann'] = answer('getUser.ok', member('ann', { no_password: true }));
    server.answers['GET /users/ann/sessions'] = answer('listUserSessions.ok', []);
    server.answers['POST /users/ann/invitation'] = answer(
      'inviteUser.ok',
      member('ann', { no_password: true, invitation_mail: 'sent' }),
    );
    await server.open('/dashboard/accounts/user/ann', 'Sessions');
    await press('Actions for ANN Lee');
    await press('Send a password invitation', '[role=menuitem]');
    await says('Invitation sent to');
    expect(server.writes()).toHaveLength(1);
  });

  // A mail server that is missing or fails is said, with another way to hand the invitation over.
  it('copies the link of an invitation that waits on the server', async () => {
    const waiting = member('ann', {
      invitation_open: true,
      invited_at: '2026-11-20T10:00:00.000Z',
      invitation_mail: 'unsent',
    });
    server.answers['GET /users/ann'] = answer('getUser.ok', waiting);
    server.answers['GET /users/ann/sessions'] = answer('listUserSessions.ok', []);
    server.answers['POST /users/ann/invitation'] = answer(
      'inviteUser.ok',
      member('ann', { ...waiting, invitation_mail: 'queued' }),
    );
    wary(
      server,
      'POST /users/ann/invitation/link',
      answer(
        'copyInvitation.ok',
        vary(recorded('copyInvitation.ok').data, { link: 'https://fleet.example/x#lb_inv_1' }),
      ),
    );
    await server.open('/dashboard/accounts/user/ann', 'Not sent. It waits on the server');
    await press('Actions for ANN Lee');
    await press('Resend invitation', '[role=menuitem]');
    await says('waits on the server: no mail server is set up');
    await press('Copy invitation link', 'button');
    await says('Copy an invitation link for ANN Lee?');
    await press('Confirm');
    await confirm();
    await says('https://fleet.example/x#lb_inv_1');
    await press('Done');
    expect(document.body.textContent).not.toContain('lb_inv_1');
  });

  it('suspends once its user has confirmed who they are', async () => {
    wary(server, 'PUT /users/ann', ({ body }) =>
      answered('updateUser.ok', member('ann', { suspended: body?.suspended === true })),
    );
    await openMenu();
    await press('Suspend', '[role=menuitem]');
    await confirm();
    await says('ANN Lee is suspended and signed out');
  });

  // spec: 7.user.09, 8.generic.04
  it('deletes after a question that keeps its failure inside', async () => {
    server.answers['DELETE /users/ann'] = refusal('deleteUser.last_administrator');
    const router = await openMenu();
    await press('Delete', '[role=menuitem]');
    await says('Are you sure you want to delete this user?');
    await press('Confirm');
    await see(() =>
      expect(document.querySelector('[role=alertdialog] [role=alert]')?.textContent).toContain(
        'at least one administrator',
      ),
    );
    server.answers['DELETE /users/ann'] = answer('deleteUser.ok');
    await press('Confirm');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/user'));
    await says('ANN Lee is deleted');
  });

  // spec: 4.filter.04
  it('takes a user away that somebody else has deleted', async () => {
    server.answers['DELETE /users/ann'] = refusal('deleteUser.not_found');
    const router = await openMenu();
    await press('Delete', '[role=menuitem]');
    await press('Confirm');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/user'));
    await says("Couldn't find the selected user.");
  });

  it('sends the invitation again, ends sessions, resets the second factor', async () => {
    server.answers['POST /users/ann/invitation'] = answer('inviteUser.ok', member('ann'));
    server.answers['DELETE /users/ann/sessions'] = answer('endUserSessions.ok');
    server.answers['DELETE /users/ann/second_factor'] = answer('resetSecondFactor.ok');
    await openMenu();
    await press('Reset 2FA', '[role=menuitem]');
    await press('Confirm');
    await says('Two-factor authentication was reset for ANN Lee');
    await press('Sign out everywhere', 'button');
    await press('Confirm');
    await says('ANN Lee is signed out everywhere');
    expect(server.writes().map(call => `${call.method} ${call.path}`)).toEqual([
      'DELETE /users/ann/second_factor',
      'DELETE /users/ann/sessions',
    ]);
  });
});
