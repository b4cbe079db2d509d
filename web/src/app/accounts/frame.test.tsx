// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { managerPath, placeOf } from '~/model/manager';
import { ADMIN, all, answer, type Stage, see, signIn, stage, text } from './testing';

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /organization/users'] = answer('listMembers.ok', []);
});
afterEach(() => server.close());

const tabs = () => all('nav[aria-label=Accounts] a', '').map(link => link.textContent);

describe('Manage Accounts & Users', () => {
  // spec: 2.manager.02
  it('has its tabs by permission', async () => {
    await server.open('/dashboard/accounts/user', 'No results found.');
    expect(tabs()).toEqual(expect.arrayContaining(['Account', 'Users', 'Organizations', 'Billing']));
    signIn(['user:read']);
    await see(() => expect(tabs()).toEqual(['Account', 'Users']));
  });

  it('begins with the first tab that manages something', async () => {
    const router = await server.open('/dashboard/accounts', 'No results found.');
    expect(router.state.location.pathname).toBe('/dashboard/accounts/user');
  });

  // spec: 2.sec.03, 6.req.14, 6.list.03
  it.each([
    '/dashboard/accounts',
    '/dashboard/accounts/user',
    '/dashboard/accounts-new',
    '/dashboard/accounts-new/profile',
  ])('is closed for who may manage nothing, and says so where they are: %s', async path => {
    signIn(['thing:read']);
    const router = await server.open(path, 'Sorry, you are not currently authorized to access this page.');
    expect(router.state.location.pathname).toBe(path);
  });

  // spec: 2.manager.02
  it('edits an asset in the one form that it has', async () => {
    const router = await server.open('/dashboard/accounts/thing/t1/edit', '');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things/t1/edit/profile'));
  });

  it('does not know other tabs', async () => {
    await server.open('/dashboard/accounts/nonsense', 'Sorry, the requested URL was not found here.');
  });
});

// spec: 2.manager.02
it('keeps list, form, formRead and target in the address', () => {
  expect(managerPath('user')).toBe('/dashboard/accounts/user');
  expect(managerPath('user', { view: 'form' })).toBe('/dashboard/accounts/user/new');
  expect(managerPath('user', { view: 'formRead', target: 'a/b' })).toBe('/dashboard/accounts/user/a%2Fb');
  expect(managerPath('user', { view: 'form', target: 'a' })).toBe('/dashboard/accounts/user/a/edit');
  expect(placeOf(undefined, false)).toEqual({ view: 'list', target: undefined });
  expect(placeOf('new', false)).toEqual({ view: 'form', target: undefined });
  expect(placeOf('a', false)).toEqual({ view: 'formRead', target: 'a' });
  expect(placeOf('a', true)).toEqual({ view: 'form', target: 'a' });
});

describe('the new accounts', () => {
  const labels = ['Profile', 'Users', 'Organizations', 'Integrations', 'Billing', 'Settings'];

  // spec: 6.req.15, 2.sec.03
  it('are closed without engineer:test', async () => {
    await server.open('/dashboard/accounts-new/profile', 'Sorry, you are not currently authorized');
  });

  // spec: 2.route.19 2.route.20 2.route.21 2.sec.03 6.req.15
  it('begin with the profile, under initials, full name and address', async () => {
    signIn(['engineer:test']);
    const router = await server.open('/dashboard/accounts-new', 'Preferences');
    expect(router.state.location.pathname).toBe('/dashboard/accounts-new/profile');
    for (const words of ['DM', 'Dana Moore', 'dana@fire.example']) expect(text()).toContain(words);
    expect(all('nav[aria-label="New accounts"] a', '').map(link => link.textContent)).toEqual(labels);
  });

  // spec: 2.route.22
  it.each(['users', 'organizations', 'billing', 'settings'])('announces %s', async tab => {
    signIn(['engineer:test']);
    await server.open(`/dashboard/accounts-new/${tab}`, 'coming soon.');
    expect(text().match(/coming soon/gi)).toHaveLength(1);
  });

  it('leads to the integrations, which are there', async () => {
    signIn(['engineer:test', ...ADMIN]);
    await server.open('/dashboard/accounts-new/integrations', 'Telematics integrations are in');
    const [link] = all('[role=status] a', 'Integrations');
    expect(link?.getAttribute('href')).toBe('/dashboard/accounts/integration');
  });
});
