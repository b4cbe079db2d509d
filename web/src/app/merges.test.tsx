// @vitest-environment jsdom
// Every form in which two people may edit one row: what each of them changed stays.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnswerName, answered, firstOf, recorded, refused, replayed, vary } from '~/api/recorded';
import { areas } from '~/features/areas/section';
import { closures } from '~/features/closures/section';
import { load as loadClosures, wireClosure } from '~/features/closures/testing';
import { events } from '~/features/events/section';
import { activeAt, load as loadEvents } from '~/features/events/testing';
import { hazards } from '~/features/hazards/section';
import { load as loadHazards, wireHazard } from '~/features/hazards/testing';
import { things } from '~/features/things/section';
import { zones } from '~/features/zones/section';
import { load as loadZones, wireZone } from '~/features/zones/testing';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import type { DrawOptions } from '~/map/draw/drawing';
import type { MapControl } from '~/map/types';
import type { SectionRow } from '~/section/section';
import { byText, openSection, says, see, stageSection, text, type } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { EVERY_MAP_VIEW, session, setPreference } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { accounts } from './accounts/section';
import { ADMIN, role } from './accounts/testing';

stageSection('o1');

interface Row {
  readonly version: number;
}

interface Form {
  /** its file */
  file: string;
  section: SectionRow;
  path: string;
  /** where it is saved to */
  put: string;
  /** what it begins with */
  row: Row & Record<string, unknown>;
  begin: () => void;
  /** the field that I type into, by the wire's name, and as the row calls it */
  mine: string;
  as?: string;
  typed?: string;
  /** what the other makes of that field, where it is no text */
  clash?: unknown;
  /** a field of the row that the other changes, to what, and as the wire's writes call it */
  theirs: Record<string, unknown>;
  others?: string;
  conflict: AnswerName;
  ok: AnswerName;
}

let gets: Record<string, () => Response>;
let sent: { call: string; body: Record<string, unknown>; match: string | null }[];
let puts: (() => Response)[];

const closure = wireClosure('c1', { version: 3, alert_message: 'Slow', description: 'Main' });
const zone = wireZone('z1', { version: 3, alert_message: 'Slow', description: 'School' });
const area = vary(firstOf(recorded('listAreas.ok').data), { organization_id: 'o1', version: 3, desc: 'North' });
const hazard = wireHazard('h1', 5, 60, { version: 3, description: 'Tree', reported_by: 'Dana Moore' });
const event = activeAt('e1', 5, {
  version: 3,
  organization_id: 'o1',
  roadway_heading: 90,
  lat: 39.7447,
  lng: -75.5484,
});
const thing = rowAt('a', 0, { version: 3, nickname: 'Engine 1', license_plate_number: 'OLD', device_type: 'ha7' });
const user = vary(firstOf(recorded('listMembers.ok').data), {
  ...{
    id: 'ann',
    firstname: 'Ann',
    lastname: 'Lee',
    phone: '1',
    organization_id: 'o1',
    relation: 'own',
    can_edit: true,
  },
  ...{ role_id: role(1), version: 3 },
});
const blank = { address1: '', address2: '', city: '', state: '', postal_code: '', country_code: '' };
const profile = wireProfile({ ...blank, phone: '1', role_id: role(4), version: 3 });
const person = profile.user;
const organization = vary(firstOf(recorded('listOrganizations.ok').data), {
  ...{ id: 'o1', relation: 'own', contact_name: 'Dana', version: 3, email: '' },
  ...{ address1: '10 Main St', city: 'Wilmington', state: 'DE', postal_code: '19801', country_code: 'US' },
});
const config = vary(recorded('getDeviceConfig.ok').data, { version: 3, model: 'HA7', file_name: 'a.bin' });
const feed = vary(recorded('getFeedSubscription.ok').data, { version: 3, name: 'DOT', time_format: '' });

const account = vary(recorded('getIntegration.ok').data, { version: 3, name: 'North garage', organization_id: 'o1' });

const hours = { quiet_from: '22:00', quiet_to: '06:00' };
const watchdog = vary(recorded('getWatchdog.ok').data, { version: 3, ...hours });
const otherRules = watchdog.rules.map((one, i) => ({ ...one, mode: i === 0 ? ('off' as const) : one.mode }));

const get = (path: string, answer: () => Response) => () => {
  gets[path] = answer;
};
const ACCOUNT = `/organization/integrations/${account.id}`;
const FEED = `/organization/feed_subscriptions/${feed.id}`;

const FORMS: readonly Form[] = [
  {
    ...{
      file: 'closures/ClosureEdit.tsx',
      section: closures,
      path: 'closures/c1/edit',
      put: '/organization/closure/c1',
    },
    ...{ row: closure, mine: 'alert_message', theirs: { description: 'Market' } },
    ...{ conflict: 'updateClosure.conflict', ok: 'updateClosure.ok', begin: () => loadClosures(closure) },
  },
  {
    ...{ file: 'zones/ZoneEdit.tsx', section: zones, path: 'zones/z1/edit', put: '/organization/alerting_zones/z1' },
    ...{ row: zone, mine: 'alert_message', theirs: { description: 'Market' } },
    ...{ conflict: 'updateZone.conflict', ok: 'updateZone.ok', begin: () => loadZones(zone) },
  },
  {
    ...{
      file: 'areas/AreaEdit.tsx',
      section: areas,
      path: `areas/${area.id}/edit`,
      put: `/organization/exclusion_zone/${area.id}`,
    },
    ...{ row: area, mine: 'name', theirs: { desc: 'South' } },
    ...{ conflict: 'updateArea.conflict', ok: 'updateArea.ok' },
    begin: () => {
      liveStore.of('area').merge([area], 0, T0);
      liveStore.of('area').tell();
    },
  },
  {
    ...{
      file: 'hazards/HazardEdit.tsx',
      section: hazards,
      path: 'hazards/h1/edit',
      put: '/organization/hazards/h1',
    },
    ...{ row: hazard, mine: 'description', theirs: { type: 'ice' } },
    ...{ conflict: 'updateHazard.conflict', ok: 'updateHazard.ok', begin: () => loadHazards(hazard) },
  },
  {
    ...{ file: 'events/EventEdit.tsx', section: events, path: 'events/e1/edit', put: '/locations/e1' },
    ...{ row: event, mine: 'roadway_heading', typed: '45', clash: 30, theirs: { lat: 39.7448 } },
    ...{ conflict: 'updateLocation.conflict', ok: 'updateLocation.ok', begin: () => loadEvents([event]) },
  },
  {
    ...{ file: 'things/ProfileForm.tsx', section: things, path: 'things/a/edit/profile', put: '/things/a' },
    ...{ row: thing, mine: 'nickname', theirs: { license_plate_number: 'NEW' } },
    ...{ conflict: 'updateThing.conflict', ok: 'updateThing.ok' },
    begin: () => liveStore.applyRows([thing], T0, T0, true),
  },
  {
    ...{ file: 'users/UserEdit.tsx', section: accounts, path: 'accounts/user/ann/edit', put: '/users/ann' },
    ...{ row: user, mine: 'lastname', theirs: { phone: '2' }, others: 'phonenumber' },
    ...{ conflict: 'updateUser.conflict', ok: 'updateUser.ok' },
    begin: get('/users/ann', () => answered('getUser.ok', user)),
  },
  {
    ...{ file: 'profile/ProfileEdit.tsx', section: accounts, path: 'accounts/account/profile/edit' },
    ...{ put: '/users/u1', row: person, mine: 'lastname', theirs: { phone: '2' }, others: 'phonenumber' },
    ...{ conflict: 'updateUser.conflict', ok: 'updateUser.ok' },
    begin: get('/profile', () => answered('getProfile.ok', profile)),
  },
  {
    ...{ file: 'organizations/OrganizationEdit.tsx', section: accounts, path: 'accounts/organization/o1/edit' },
    ...{ put: '/organization', row: organization, mine: 'name', theirs: { contact_name: 'Max' } },
    ...{ conflict: 'updateOrganization.conflict', ok: 'updateOrganization.ok' },
    begin: get('/organization/o1', () => answered('getOrganization.ok', organization)),
  },
  {
    ...{
      file: 'assets/DeviceCard.tsx',
      section: accounts,
      path: 'accounts/thing/a',
      put: '/things/a/device_config',
    },
    ...{ row: config, mine: 'model', theirs: { file_name: 'b.bin' } },
    ...{ conflict: 'setDeviceConfig.conflict', ok: 'setDeviceConfig.ok' },
    begin: () => {
      gets['/things/a'] = () => answered('getThing.ok', thing);
      gets['/organization/things'] = () => answered('listThings.ok', [thing]);
      gets['/things/a/device_config'] = () => answered('getDeviceConfig.ok', config);
    },
  },
  {
    ...{ file: 'subscriptions/SubscriptionForm.tsx', section: accounts, path: `accounts/feed/${feed.id}/edit` },
    ...{ put: FEED, row: feed, mine: 'name', theirs: { time_format: 'dd/MM/yyyy' } },
    ...{ conflict: 'updateFeedSubscription.conflict', ok: 'updateFeedSubscription.ok' },
    begin: get(FEED, () => answered('getFeedSubscription.ok', feed)),
  },
  {
    ...{ file: 'integrations/IntegrationEdit.tsx', section: accounts, path: `accounts/integration/${account.id}/edit` },
    ...{ put: ACCOUNT, row: account, mine: 'name', theirs: { database: 'countydb' } },
    ...{ conflict: 'updateIntegration.conflict', ok: 'updateIntegration.ok' },
    begin: get(ACCOUNT, () => answered('getIntegration.ok', account)),
  },
  {
    ...{ file: 'watchdog/SettingsForm.tsx', section: accounts, path: 'accounts/watchdog/settings' },
    ...{ put: '/organization/watchdog', row: watchdog, mine: 'quiet_from', typed: '23:00', clash: '21:00' },
    ...{ theirs: { rules: otherRules }, conflict: 'updateWatchdog.conflict', ok: 'updateWatchdog.ok' },
    begin: get('/organization/watchdog', () => answered('getWatchdog.ok', watchdog)),
  },
];

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  const wire = wireProfile({ permissions: [...ADMIN, 'zone:manage'], dashboard_access: ['things', 'accounts'] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
  const canvas = new MapController({ theme: 'dark', now: () => T0 });
  mapHolder.set({
    ...{
      subscribe: () => () => undefined,
      on: () => () => undefined,
      view: () => null,
      aim: () => undefined,
      select: () => undefined,
    },
    ...{ getState: () => ({ zoom: 16, phase: 'ready' }), fitBounds: () => undefined, setHandle: () => undefined },
    openDrawing: (options: DrawOptions) => canvas.openDrawing(options),
  } as unknown as MapControl);
  gets = {
    '/sign_in_methods': () => replayed('getSignInMethods.none'),
    '/roles': () => replayed('listRoles.ok'),
    '/organization/assignable': () => answered('listAssignableOrganizations.ok', []),
  };
  sent = [];
  puts = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    if (init.method === 'PUT') {
      const body = JSON.parse(String(init.body)) as Record<string, unknown>;
      sent.push({ call: path, body, match: new Headers(init.headers).get('If-Match') });
      return (puts.shift() ?? (() => replayed('nothing.not_found')))();
    }
    return (gets[path] ?? (() => replayed('nothing.not_found')))();
  });
});

const input = (name: string) =>
  vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>(`form input[name="${name}"]`);
    if (!found) throw new Error(`no ${name} in: ${text()}`);
    return found;
  });

/** I type, and the other has saved `theirs` before I save. */
async function meets(form: Form, theirs: Record<string, unknown>) {
  form.begin();
  puts = [
    () =>
      refused(form.conflict, {
        current: { ...form.row, ...theirs, version: 8 } as never,
        changed_by: 'Mary Jones',
        changed_at: new Date(T0).toISOString(),
      }),
    () => answered(form.ok as 'updateUser.ok'),
  ];
  await openSection(form.section, `/dashboard/${form.path}`, '');
  const typed = form.typed ?? 'Mine';
  const field = await input(form.mine);
  await see(() => expect(field.value).toBe(String(form.row[form.as ?? form.mine])));
  type(field, typed);
  await see(() => expect(field.value).toBe(typed));
  vi.waitFor(() => byText('button[type=submit]', 'Save').click());
  await see(() => expect(sent.length).toBeGreaterThan(0));
}

/** The second save names what stands now, says what I typed, and leaves what only the other changed as it is. */
function expectMerged(form: Form) {
  const [first, second] = sent;
  const [name = '', value] = Object.entries(form.theirs)[0] ?? [];
  expect(first).toMatchObject({ call: form.put, match: '"3"' });
  expect(second).toMatchObject({ call: form.put, match: '"8"' });
  expect(String(second?.body[form.mine])).toBe(form.typed ?? 'Mine');
  expect([undefined, value]).toContain(second?.body[form.others ?? name]);
}

describe.each(FORMS)('$file', form => {
  it('saves beside what someone else has changed meanwhile, without a question', async () => {
    await meets(form, form.theirs);
    await see(() => expect(sent).toHaveLength(2));
    expectMerged(form);
    expect(text()).not.toContain('Saved now');
  });

  it('asks of what both changed alone', async () => {
    await meets(form, { ...form.theirs, [form.as ?? form.mine]: form.clash ?? 'Theirs' });
    await says('Mary Jones changed this');
    const rows = [...document.querySelectorAll('tbody tr')].filter(row => row.closest('[role=alert]'));
    expect(rows.map(row => row.querySelectorAll('td')[1]?.textContent)).toEqual([form.typed ?? 'Mine']);
    byText('button', 'Save my version').click();
    await see(() => expect(sent).toHaveLength(2));
    expectMerged(form);
  });

  it('takes the saved version of what both changed', async () => {
    await meets(form, { ...form.theirs, [form.as ?? form.mine]: form.clash ?? 'Theirs' });
    await says('Use saved version');
    byText('button', 'Use saved version').click();
    const field = await input(form.mine);
    await see(() => expect(field.value).toBe(String(form.clash ?? 'Theirs')));
    expect(sent).toHaveLength(1);
  });
});

it('knows every form that edits what others edit', () => {
  const folder = join(import.meta.dirname, '../features');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.tsx'));
  const edits = files.filter(file => {
    const code = readFileSync(join(folder, file), 'utf8');
    return (
      (code.includes('useDraft({') && code.includes('    noun: ')) ||
      code.includes('<RowForm') ||
      code.includes('<EditRow')
    );
  });
  // Who may see an asset is set one organization at a time, and has no version.
  const expected = [...FORMS.map(({ file }) => file), 'things/AccessEditScreen.tsx'];
  expect(edits.sort()).toEqual(expected.sort());
});
