// @vitest-environment jsdom
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { firstOf, malformed, recorded, vary } from '~/api/recorded';
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

type WireOffer = Schemas['Offer'];
type WireRow = Schemas['OrganizationRow'];

const organization = (id: string, more: Partial<WireRow> = {}): WireRow => ({
  ...firstOf(recorded('listOrganizations.ok').data),
  id,
  name: `Organization ${id}`,
  email: '',
  address1: '10 Main St',
  city: 'Wilmington',
  state: 'DE',
  postal_code: '19801',
  timezone: 'America/New_York',
  organization_type: { id: '', name: 'Volunteer company', acs: true },
  show_infinite_timeout_option: false,
  organization_managers: [],
  organization_accessors: [],
  is_wzdx_org: false,
  contact_name: 'Dana Moore',
  responders_type: 'some',
  billing_id: 'LB-7',
  version: 3,
  relation: 'own',
  users_count: 2,
  things_count: 41,
  ...more,
});

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /organizations'] = answer('listOrganizations.ok', [
    organization('o3', { relation: 'accessed' }),
    organization('o2', { relation: 'managed' }),
    organization('o1'),
  ]);
  server.answers['GET /organization/o1'] = answer('getOrganization.ok', organization('o1'));
  server.answers['GET /organization/o2'] = answer('getOrganization.ok', organization('o2', { relation: 'managed' }));
  server.answers['GET /profile'] = refusal('getSecondFactor.internal');
});
afterEach(() => server.close());

const cells = (name: string) => [...(all('tr', name)[0]?.querySelectorAll('td') ?? [])].map(cell => cell.textContent);

describe('the list of organizations', () => {
  it('begins with the own one and says what the others are', async () => {
    await server.open('/dashboard/accounts/organization', '3 organizations');
    const relations = () => all('tbody tr', '').map(row => row.querySelectorAll('td')[1]?.textContent);
    await see(() => expect(relations()).toEqual(['Yours', 'Managed', 'Accessed']));
  });

  // spec: 9.ui.05
  it('is searched once, 350 ms after the last key', async () => {
    await server.open('/dashboard/accounts/organization', 'Organization o2');
    const names = () => all('tbody tr', '').length;
    await find('tbody a', 'Organization o2');
    const before = names();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const input = (await find('input', 'Search organizations')) as HTMLInputElement;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'o2');
    await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
    await act(async () => void vi.advanceTimersByTime(349));
    expect(names()).toBe(before);
    await act(async () => void vi.advanceTimersByTime(1));
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    vi.useRealTimers();
    expect(names()).toBeLessThan(before);
  });

  // spec: 6.link.02
  it('counts assets for who may see them', async () => {
    await server.open('/dashboard/accounts/organization', '3 organizations');
    await see(() => expect(cells('Organization o1').slice(-2)).toEqual(['2', '41']));
    signIn(['organization:read', 'user:read']);
    await see(() => expect(cells('Organization o1').at(-1)).toBe('2'));
    expect(text()).not.toContain('Assets');
  });

  // spec: 8.org.03
  it.each([
    [silence, 'Connection failed'],
    [refusal('getOrganization.not_found'), 'Organization not found'],
    [() => malformed({ error: 'odd' }, 422), 'Unknown failure'],
  ])('says what went wrong (%#)', async (answer, words) => {
    server.answers['GET /organizations'] = answer;
    await server.open('/dashboard/accounts/organization', words);
  });
});

describe('the edit of an organization', () => {
  const open = (id = 'o1') => server.open(`/dashboard/accounts/organization/${id}/edit`, 'Contact name');
  const save = () => press('Save', 'button');
  const labels = () => all('form label, form span', '').map(element => element.textContent);

  // spec: 5.address.08, 5.address.09
  it('follows the country: labels and kind of field', async () => {
    await open();
    await see(() => expect(labels()).toEqual(expect.arrayContaining(['State', 'Zip Code'])));
    await choose('Country', 'Canada');
    await see(() => expect(labels()).toEqual(expect.arrayContaining(['Province', 'Postal Code'])));
    await choose('Province', 'Ontario');
    await choose('Country', 'Germany');
    await see(() => expect(labels()).toEqual(expect.arrayContaining(['Region', 'Postal Code'])));
    await type('Region', 'Bayern');
  });

  // spec: 5.address.02, 5.address.05, 5.address.07
  it('shows the texts of the address and sends nothing', async () => {
    await open();
    await type('Zip Code', '1980');
    await save();
    await says('Invalid zip');
    await choose('Country', 'Canada');
    await save();
    await says('Invalid postal code');
    await says('Required');
    expect(server.writes()).toEqual([]);
  });

  it('judges the postal code again when the country changes', async () => {
    await open();
    await choose('Country', 'Canada');
    await type('Postal Code', '12345');
    await save();
    await says('Invalid postal code');
    await choose('Country', 'Germany');
    await see(() => expect(text()).not.toContain('Invalid postal code'));
  });

  // spec: 5.address.03, 5.user.03
  it('sends what was changed, codes of the address in capitals; the type is read-only', async () => {
    server.answers['PUT /organization'] = answer('updateOwnOrganization.ok', organization('o1'));
    await open();
    const type_ = await find('button[aria-haspopup=listbox]', 'Volunteer company');
    expect((type_ as HTMLButtonElement).disabled).toBe(true);
    await choose('Country', 'Canada');
    await choose('Province', 'Ontario');
    await type('Postal Code', 'k1a 0b1');
    (await find('label', 'Require two-factor authentication')).querySelector('input')?.click();
    await says('need an authenticator app or a passkey');
    await save();
    await see(() => expect(server.writes()).toHaveLength(1));
    const { path, ifMatch, body } = server.writes()[0] ?? {};
    expect({ path, ifMatch }).toEqual({ path: '/organization', ifMatch: '"3"' });
    expect(body).toEqual({ state: 'ON', postal_code: 'K1A 0B1', country_code: 'CA', mfa_required: true });
  });

  it('goes on with the same draft once its user has confirmed who they are', async () => {
    server.answers['GET /organization/o1'] = answer('getOrganization.ok', organization('o1', { mfa_required: true }));
    wary(server, 'PUT /organization', answer('updateOwnOrganization.ok', organization('o1')));
    await open();
    await type('Contact name', 'Ann Lee');
    (await find('label', 'Require two-factor authentication')).querySelector('input')?.click();
    await save();
    await confirm();
    await see(() => expect(server.writes()).toHaveLength(3));
    const [first, , again] = server.writes();
    expect(again).toEqual(first);
    expect(again?.body).toMatchObject({ contact_name: 'Ann Lee', mfa_required: false });
  });

  it('says what single sign-on alone means before it is saved', async () => {
    await open();
    (await find('label', 'Require single sign-on')).querySelector('input')?.click();
    await says('only users with an account at your provider can sign in');
  });

  // spec: 7.org.01, 8.org.01, 8.org.02
  it.each([
    ['o1', 'PUT /organization', silence, 'Connection failed.'],
    ['o1', 'PUT /organization', () => malformed({ error: 'odd' }, 422), 'Unknown failure.'],
    ['o2', 'PUT /organization/o2', silence, 'Connection failed'],
    ['o2', 'PUT /organization/o2', refusal('updateOrganization.organization_not_found'), 'Organization not found'],
    ['o2', 'PUT /organization/o2', () => malformed({ error: 'odd' }, 400), 'Unknown failure'],
  ])('says what went wrong under the buttons (%#)', async (id, call, answer, words) => {
    server.answers[call] = answer;
    await open(id);
    await type('Contact name', 'Somebody');
    await save();
    await see(() => expect(document.querySelector('[role=alert]')?.textContent).toBe(words));
  });

  it('is closed for accessed organizations, and for who may only read', async () => {
    server.answers['GET /organization/o3'] = answer('getOrganization.ok', organization('o3', { relation: 'accessed' }));
    await server.open('/dashboard/accounts/organization/o3/edit', 'Sorry, you are not currently authorized');
  });

  // spec: 6.profile.02
  it('needs the permission', async () => {
    signIn(['organization:read']);
    await server.open('/dashboard/accounts/organization/o1/edit', 'Sorry, you are not currently authorized');
  });
});

describe('the relations of an organization', () => {
  const other = '01900000-0000-7000-8000-000000000abc';
  const offer = (more: Partial<WireOffer> = {}): WireOffer =>
    vary(firstOf(recorded('listRelations.received').data.offers), {
      id: 'f1',
      organization_id: 'o8',
      organization_name: 'County Fire',
      relationship_type: 'manager',
      expires_at: '2026-12-21T10:00:00.000Z',
      ...more,
    });
  const relations = (partners: Schemas['Relations']['partners'], offers: WireOffer[] = []) =>
    (server.answers['GET /organizations/o1/relations'] = answer('listRelations.ok', { partners, offers }));
  const outcome = (state: Schemas['RelationOutcome']['state'], assets_count = 0) =>
    answer('relateOrganizations.ok', organization('o1'), { relation: { state, assets_count } });
  const open = (until: string) => server.open('/dashboard/accounts/organization/o1', until);
  const bodies = () => server.writes().map(call => call.body);

  it('say before they end what ends with them, and how much it was', async () => {
    relations([
      { organization_id: 'o9', organization_name: 'County', relationship_type: 'manager', assets_count: 19 },
      { organization_id: 'o7', organization_name: 'Works', relationship_type: 'none', assets_count: 1 },
    ]);
    server.answers['PUT /organizations/o1/relations'] = outcome('ended', 19);
    await open('19 assets also shared individually');
    await press('Remove County');
    await says('19 assets are shared with County as well; this ends that too.');
    await press('Confirm');
    await says('County can no longer see Organization o1 or 19 assets shared individually');
    await press('Remove Works');
    await says('1 asset of Organization o1 will no longer be shared with Works.');
    expect(bodies()).toEqual([{ organization_id: 'o9', relationship_type: 'delete' }]);
  });

  it('are asked for by id, wait, and are withdrawn with a way back', async () => {
    relations([], [offer({ direction: 'made', organization_id: other, organization_name: '', city: '', state: '' })]);
    server.answers['PUT /organizations/o1/relations'] = outcome('offered');
    server.answers['DELETE /organizations/offers/f1'] = answer('endOffer.ok');
    await open('Waiting for their administrator until Dec-21-2026');
    await type('Organization ID', 'nonsense');
    await press('Add', 'button');
    await says('Enter an organization ID');
    await type('Organization ID', other);
    await press('Add', 'button');
    await says('Offer sent to their administrators');
    await press(`Withdraw the offer to ${other}`);
    await says('Offer withdrawn');
    await press('Undo');
    await see(() =>
      expect(server.writes().map(call => [call.method, call.body])).toEqual([
        ['PUT', { organization_id: other, relationship_type: 'accessor' }],
        ['DELETE', undefined],
        ['PUT', { organization_id: other, relationship_type: 'manager' }],
      ]),
    );
  });

  it('are accepted or declined by who is asked, who reads first what it means', async () => {
    relations([], [offer(), offer({ id: 'f2', organization_name: 'Works', relationship_type: 'accessor' })]);
    server.answers['POST /organizations/offers/f1/accept'] = refusal('acceptOffer.not_found');
    server.answers['DELETE /organizations/offers/f2'] = answer('endOffer.ok');
    await open('Nothing is shared until you accept.');
    expect(all('h2', 'Offers')).toHaveLength(1);
    await press('Accept the offer from County Fire');
    await says('Administrators of County Fire will see the names, email addresses and roles of your users.');
    await press('Confirm');
    await says('This offer was withdrawn or has expired.');
    await press('Cancel');
    await press('Decline the offer from Works');
    await press('Confirm');
    await says('Offer declined');
    expect(server.writes().map(call => `${call.method} ${call.path}`)).toEqual([
      'POST /organizations/offers/f1/accept',
      'DELETE /organizations/offers/f2',
    ]);
  });

  it.each([
    [silence, 'Connection failed'],
    [refusal('relateOrganizations.too_many_offers'), 'Too many offers in the last 30 days. Try again later.'],
    [refusal('updateOrganization.organization_not_found'), 'Organization not found'],
  ])('say once what went wrong, at the field if it is the field (%#)', async (answer, words) => {
    relations([]);
    server.answers['PUT /organizations/o1/relations'] = answer;
    await open('No other organization has access to this one.');
    await type('Organization ID', other);
    await press('Add', 'button');
    await see(() => expect(document.querySelector('form')?.textContent?.split(words)).toHaveLength(2));
    const isField = answer !== silence;
    expect(document.querySelectorAll('form [role=alert]')).toHaveLength(isField ? 0 : 1);
    if (isField) expect(document.activeElement?.getAttribute('name')).toBe('organization_id');
  });

  it('can be read again when they could not be', async () => {
    server.answers['GET /organizations/o1/relations'] = silence;
    await open('Connection failed');
    relations([{ organization_id: 'o9', organization_name: 'County', relationship_type: 'accessor', assets_count: 0 }]);
    await press('Retry');
    await says('ACCESS');
  });

  it('are left by who only reads, and name nobody else', async () => {
    server.answers['GET /organization/o3'] = answer(
      'getOrganization.ok',
      organization('o3', {
        relation: 'accessed',
        organization_managers: [{ id: '', name: 'Another organization' }],
        organization_accessors: [{ id: 'o1', name: 'Organization o1' }],
      }),
    );
    server.answers['PUT /organizations/o3/relations'] = outcome('ended');
    await server.open('/dashboard/accounts/organization/o3', 'Another organization');
    expect(all('button', 'Remove')).toEqual([]);
    await press('Leave');
    await press('Confirm');
    await see(() => expect(bodies()).toEqual([{ organization_id: 'o1', relationship_type: 'delete' }]));
    expect(server.sent.some(call => call.path === '/organizations/o3/relations' && call.method === 'GET')).toBe(false);
  });

  it('are added once their user has confirmed who they are', async () => {
    relations([]);
    wary(server, 'PUT /organizations/o1/relations', outcome('in_force'));
    await open('No other organization has access to this one.');
    await type('Organization ID', other);
    await press('Add', 'button');
    await confirm();
    await see(() => expect(heldBy('Organization ID')).toBe(''));
    const sent = server.writes().filter(call => call.path === '/organizations/o1/relations');
    expect(sent.map(call => call.body)).toEqual([
      sent[0]?.body,
      { organization_id: other, relationship_type: 'accessor' },
    ]);
  });

  // spec: 4.filter.04 7.org.03
  it('counts an organization that is gone as deleted', async () => {
    server.answers['DELETE /organization/o2'] = refusal('deleteOrganization.not_found');
    const router = await server.open('/dashboard/accounts/organization/o2', 'Managers and accessors');
    await press('Delete', 'button');
    await press('Confirm');
    await says('Organization not found');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/organization'));
  });

  it('says inside the question why an organization cannot be deleted', async () => {
    server.answers['DELETE /organization/o2'] = refusal('deleteOrganization.organization_in_use');
    await server.open('/dashboard/accounts/organization/o2', 'Managers and accessors');
    await press('Delete', 'button');
    await press('Confirm');
    await see(() =>
      expect(document.querySelector('[role=alertdialog] [role=alert]')?.textContent).toBe(
        'This organization still has assets or users.',
      ),
    );
  });
});

// spec: 2.manager.02
describe('billing', () => {
  const open = (place: string, until: string) => {
    server.answers['GET /profile'] = answer('getProfile.ok', {
      organization: organization('o1'),
      managed_organizations: [organization('o2', { name: 'County', billing_id: 'LB-8' })],
      accessed_organizations: [organization('o3', { billing_id: 'LB-9' })],
    });
    return server.open(`/dashboard/accounts/billing${place}`, until);
  };

  it('lists the own and the managed organizations', async () => {
    await open('', 'LB-7');
    expect(text()).toContain('LB-8');
    expect(text()).not.toContain('LB-9');
    await press('County', 'a');
    await says('How County is billed.');
    signIn(['organization:read']);
    await says('Sorry, you are not currently authorized');
  });

  it('reads id and contact of one, and invents nothing', async () => {
    await open('/o1', 'How Organization o1 is billed.');
    expect(text()).toContain('LB-7');
    expect(text()).toContain('Dana Moore');
    expect(text()).not.toContain('Billing is read-only here');
    expect((await find('a', 'Change contact')).getAttribute('href')).toBe('/dashboard/accounts/organization/o1/edit');
  });

  it('has nothing to edit, and says so', async () => {
    await open('/o2/edit', 'Billing is read-only here. To change the contact, edit the organization.');
    expect(document.querySelectorAll('main input, form')).toHaveLength(0);
  });

  it.each(['/o3', '/new', '/nonsense/edit'])('does not know %s', async place => {
    await open(place, 'Billing is available for your own organization and those you manage.');
  });
});

describe('the feeds of an organization', () => {
  const publishes = (more: Partial<WireRow>) =>
    answer('getOrganization.ok', organization('o1', { is_wzdx_org: true, ...more }));
  const feeds = recorded('getFeeds.fetched').data;

  it('shows addresses to copy and who reads them', async () => {
    server.answers['GET /organization/o1'] = publishes({ feeds_public: false, feed_license: 'CC0-1.0' });
    server.answers['GET /organizations/o1/feeds'] = answer('getFeeds.fetched', feeds);
    await server.open('/dashboard/accounts/organization/o1', 'Waze (CIFS, JSON)');
    for (const words of [
      'License: CC0 1.0 (no rights reserved).',
      'WZDx 4.2',
      'Readers need an API key',
      'READING',
      '1 today',
    ])
      await says(words);
    expect(text()).not.toContain('Public page');
    expect(text()).not.toContain('News (RSS)');
    const ways = [...(await find('section', 'Feeds')).querySelectorAll('a')].map(link => link.getAttribute('href'));
    expect(ways).toEqual(['/dashboard/accounts/feed', '/dashboard/accounts/check-feed']);
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (value: string) => void written.push(value) },
    });
    (await find('section', 'Waze (CIFS, JSON)')).querySelector('button')?.click();
    expect(written).toEqual([feeds.documents.find(one => one.name === 'cifs.json')?.url]);
  });

  it('has a public page, news and a calendar where everybody may read', async () => {
    server.answers['GET /organization/o1'] = publishes({ feeds_public: true });
    server.answers['GET /organizations/o1/feeds'] = answer('getFeeds.fetched', {
      ...feeds,
      is_public: true,
      consumers: [],
    });
    await server.open('/dashboard/accounts/organization/o1', 'Public page');
    for (const words of ['News (RSS)', 'Calendar (iCal)', feeds.page_url, 'No API key can read these feeds yet.'])
      await says(words);
  });

  it('has none where no work zones are published', async () => {
    await server.open('/dashboard/accounts/organization/o1', 'Managers and accessors');
    expect(text()).not.toContain('Feeds');
  });

  it('is made public in the form', async () => {
    server.answers['GET /organization/o1'] = publishes({ feeds_public: false });
    server.answers['PUT /organization'] = publishes({ feeds_public: true });
    await server.open('/dashboard/accounts/organization/o1/edit', 'Make feeds public');
    (await find('label', 'Make feeds public')).querySelector('input')?.click();
    await press('Save');
    await see(() => expect(server.writes()[0]?.body).toEqual({ feeds_public: true }));
  });

  it('says under which license they are published, and changes it', async () => {
    server.answers['GET /organization/o1'] = publishes({ feed_license: 'CC0-1.0' });
    server.answers['PUT /organization'] = publishes({ feed_license: 'https://works.example/terms' });
    await server.open('/dashboard/accounts/organization/o1/edit', 'Lines that follow the map');
    expect(text()).not.toContain('Address of your terms');
    await choose('License', 'Your own terms');
    await type('Address of your terms', 'our terms');
    await press('Save');
    await says('Enter the full address of your license');
    await type('Address of your terms', 'https://works.example/terms');
    await press('Save');
    await see(() => expect(server.writes()[0]?.body).toEqual({ feed_license: 'https://works.example/terms' }));
  });

  it('leads to the page for drivers where alerts are public', async () => {
    server.answers['GET /organization/o1'] = publishes({ alerts_public: false });
    await server.open('/dashboard/accounts/organization/o1/edit', 'Make alerts public');
    expect(text()).not.toContain('Page for drivers');
    (await find('label', 'Make alerts public')).querySelector('input')?.click();
    const page = await find('section', 'Page for drivers');
    expect(page.querySelector('a')?.href).toBe(`${window.location.origin}/drive/o1`);
    expect(page.querySelector('svg')?.getAttribute('aria-label')).toBe('QR code of the page for drivers');
    await says('It opens to everyone after you save.');
  });

  it('makes its alerts public apart from its feeds', async () => {
    server.answers['GET /organization/o1'] = publishes({ feeds_public: false, alerts_public: false });
    server.answers['PUT /organization'] = publishes({ alerts_public: true });
    await server.open('/dashboard/accounts/organization/o1/edit', 'Make alerts public');
    (await find('label', 'Make alerts public')).querySelector('input')?.click();
    await press('Save');
    await see(() => expect(server.writes()[0]?.body).toEqual({ alerts_public: true }));
  });
});
