// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstOf, recorded, refused, replayed, vary } from '~/api/recorded';
import {
  ADMIN,
  all,
  answer,
  choose,
  find,
  heldBy,
  press,
  type Stage,
  says,
  see,
  signIn,
  stage,
  text,
  type,
} from './testing';

const PATH = '/organization/integrations';
const TAB = '/dashboard/accounts/integration';
const made = recorded('createIntegration.ok').data;
const unstarted = vary(made, { is_active: false, status: 'off', next_fetch_at: null });
const one = `${PATH}/${made.id}`;
const page = `${TAB}/${made.id}`;

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  const things = recorded('listThings.ok').data;
  server.answers['GET /organization/things'] = answer(
    'listThings.ok',
    things.map(row => vary(row, { organization: { ...row.organization, id: 'o1' } })),
  );
});
afterEach(() => server.close());

const rowOf = (name: string) => all('tbody tr', name)[0];
const READER = ['user:read', 'integration_configuration:read'];

describe('the list', () => {
  it('says of each account how it is, in words', async () => {
    server.answers[`GET ${PATH}`] = answer('listIntegrations.polled');
    await server.open(TAB, 'County fleet');
    for (const words of ['Geotab', 'exampledb', 'Good', 'Last fetched', '1 accepted', '1 rejected'])
      expect(rowOf('County fleet')?.textContent).toContain(words);
    expect(rowOf('Plows')?.textContent).toMatch(/Not authorizedFailing since .*: Samsara refuses the token/);
    expect(rowOf('Sweepers')?.textContent).toMatch(/FailingFailing since .*: Samsara is not available/);
  });

  it('says what an integration does and how to begin, and offers nothing to who may only look', async () => {
    server.answers[`GET ${PATH}`] = answer('listIntegrations.empty');
    await server.open(TAB, 'No integrations yet.');
    expect(text()).toContain('To begin, connect an account.');
    expect(all('a', 'Connect a provider')).toHaveLength(1);
    signIn(READER);
    await see(() => expect(all('a', 'Connect a provider')).toEqual([]));
    expect(text()).not.toContain('To begin');
  });

  it('is no tab of who has no permission for it', async () => {
    signIn(['user:read']);
    await server.open(TAB, 'Sorry, you are not currently authorized');
    expect(all('nav[aria-label=Accounts] a', 'Integrations')).toEqual([]);
  });

  it('says that it cannot be read, and is asked again', async () => {
    server.answers[`GET ${PATH}`] = () => refused('listIntegrations.forbidden');
    await server.open(TAB, 'Retry');
    server.answers[`GET ${PATH}`] = answer('listIntegrations.empty');
    await press('Retry', 'button');
    await says('No integrations yet.');
  });

  it('pauses from the row, and takes that back', async () => {
    server.answers[`GET ${PATH}`] = answer('listIntegrations.waiting');
    const row = firstOf(recorded('listIntegrations.waiting').data);
    server.answers[`PUT ${PATH}/${row.id}`] = answer('updateIntegration.paused', { id: row.id });
    server.answers[`POST ${PATH}/${row.id}/undo`] = answer('undoIntegration.ok', { id: row.id });
    await server.open(TAB, row.name);
    await press(`Actions for ${row.name}`, 'button');
    await press('Pause', '[role=menuitem]');
    await says(`“${row.name}” is paused`);
    await press('Undo', 'button');
    await says('Change undone');
    expect(server.writes()).toMatchObject([
      { method: 'PUT', body: { is_active: false }, ifMatch: `"${row.version}"` },
      { method: 'POST', body: { version: recorded('updateIntegration.paused').data.version } },
    ]);
  });

  it('offers no actions to who may only look', async () => {
    signIn(READER);
    server.answers[`GET ${PATH}`] = answer('listIntegrations.polled');
    await server.open(TAB, 'County fleet');
    expect(all('button', 'Actions for')).toEqual([]);
  });
});

describe('connecting', () => {
  const fill = async () => {
    await type('Name', made.name);
    await type('Server', made.server);
    await type('Database', made.database);
    await type('User name', made.user);
    await type('Password', 'not this one');
  };

  it('says beside the password that it is refused, and goes on once it is right, with nothing imported', async () => {
    server.answers[`POST ${PATH}`] = answer('createIntegration.ok', unstarted);
    server.answers[`PUT ${one}`] = answer('createIntegration.ok', { ...unstarted, version: 2 });
    server.answers[`GET ${one}`] = answer('getIntegration.ok', unstarted);
    server.answers[`POST ${one}/check`] = () => refused('checkIntegration.provider_unauthorized');
    await server.open(`${TAB}/new`, 'Where do your vehicles report?');
    await press('Geotab', 'button');
    await says('Connect Geotab');
    await press('Check the account', 'button');
    await says('Required');
    expect(server.writes()).toEqual([]);
    await fill();
    await press('Check the account', 'button');
    await says('refuses the token.');
    const field = await find('label[for]', 'Password');
    expect(document.getElementById(field.getAttribute('for') ?? '')?.getAttribute('aria-invalid')).toBe('true');
    server.answers[`POST ${one}/check`] = answer('checkIntegration.ok');
    await type('Password', 'this one');
    await press('Check the account', 'button');
    await says('5 vehicles: 3 matched, 1 without a match, 1 found twice.');
    const [create, check, save, ...rest] = server.writes();
    expect(create).toMatchObject({
      body: { provider: 'geotab', is_active: false, secret: 'not this one', organization_id: 'o1' },
    });
    expect(check?.path).toBe(`${one}/check`);
    expect(save).toMatchObject({ method: 'PUT', body: { secret: 'this one' } });
    expect(rest.map(call => call.path)).toEqual([`${one}/check`]); // asked once more, and by nobody else
  });

  it('puts the sentences of the server at their fields', async () => {
    server.answers[`POST ${PATH}`] = () => refused('createIntegration.validation_failed');
    await server.open(`${TAB}/new`, 'Where do your vehicles report?');
    await press('Geotab', 'button');
    await says('Connect Geotab');
    await fill();
    await press('Check the account', 'button');
    await says('Use a host such as my.geotab.com');
    expect(text()).toContain('Name each input once');
  });

  it('does not lose an input that was typed and not chosen', async () => {
    await server.open(`${TAB}/new`, 'Where do your vehicles report?');
    await press('Samsara', 'button');
    await says('Connect Samsara');
    await type('Name', 'Plows');
    await type('Token', 'samsara_api_x');
    const label = 'Inputs that mean emergency lights are on';
    await type(label, 'Beacon');
    await press('Check the account', 'button');
    await says('Choose this name from the list, or clear it');
    server.answers[`POST ${PATH}`] = () => refused('createIntegration.conflict');
    await type(label, '');
    await press('Check the account', 'button');
    await see(() => expect(server.writes()).not.toEqual([]));
    expect(server.writes()).toHaveLength(1);
  });

  it('chooses the region of Samsara', async () => {
    server.answers[`POST ${PATH}`] = () => refused('createIntegration.conflict');
    await server.open(`${TAB}/new`, 'Where do your vehicles report?');
    await press('Samsara', 'button');
    await says('Connect Samsara');
    await type('Name', 'Plows');
    await type('Token', 'samsara_api_x');
    await choose('Region', 'Europe');
    await press('Check the account', 'button');
    await see(() => expect(server.writes()).toHaveLength(1));
    expect(server.writes()[0]?.body).toMatchObject({ provider: 'samsara', server: 'api.eu.samsara.com', lights: [] });
  });
});

describe('the vehicles', () => {
  const open = async (row = unstarted) => {
    server.answers[`GET ${one}`] = answer('getIntegration.ok', row);
    server.answers[`POST ${one}/check`] = answer('checkIntegration.ok');
    return server.open(`${page}#vehicles`, '5 vehicles: 3 matched, 1 without a match, 1 found twice.');
  };
  const boxOf = (name: string) => rowOf(name)?.querySelector<HTMLInputElement>('input[type=checkbox]');

  it('chooses every match at first, and starts with what is chosen', async () => {
    await open();
    for (const name of ['Engine 7', 'Medic 7', 'Ladder 7']) expect(boxOf(name)?.checked).toBe(true);
    for (const name of ['Tender 7', 'Pickup']) expect(boxOf(name)?.disabled).toBe(true);
    expect(rowOf('Engine 7')?.textContent).toContain('Same VIN');
    expect(rowOf('Tender 7')?.textContent).toContain('Several assets or vehicles could be meant.');
    expect(rowOf('Pickup')?.textContent).toContain('No asset has its serial number.');
    boxOf('Medic 7')?.click();
    await says('2 vehicles chosen');
    server.answers[`PUT ${one}/vehicles`] = answer('linkIntegration.ok');
    server.answers[`PUT ${one}`] = answer('updateIntegration.ok', { is_active: true });
    await press('Start', 'button');
    await says('is started with 2 vehicles');
    const matched = recorded('checkIntegration.ok').data.vehicles;
    const [, link, start] = server.writes();
    expect(link?.body).toEqual({
      vehicles: [matched[0], matched[2]].map(row => ({ external_id: row?.external_id, thing_id: row?.thing_id })),
    });
    expect(start).toMatchObject({ path: one, body: { is_active: true }, ifMatch: `"${unstarted.version}"` });
  });

  it('lets another asset be chosen, and refuses one asset for two vehicles', async () => {
    await open();
    const asset = firstOf(recorded('listThings.ok').data);
    const pick = async (vehicle: string) => {
      await press(`Choose asset: ${vehicle}`, 'button');
      await says(`Which asset is ${vehicle}?`);
      (await find('[role=dialog] button[aria-haspopup=listbox]', '')).click();
      await press(asset.nickname || asset.haas_id, '[role=option]');
      await press('Choose', '[role=dialog] button:not([aria-haspopup]):not([aria-label])');
      await see(() => expect(boxOf(vehicle)?.checked).toBe(true));
    };
    await pick('Pickup');
    expect(rowOf('Pickup')?.textContent).toContain(asset.nickname || asset.haas_id);
    await says('4 vehicles chosen');
    await pick('Tender 7');
    await says('Another vehicle is linked to the same asset.');
    const start = await find('button[aria-disabled=true]', 'Start');
    expect(document.getElementById(start.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Choose one vehicle for each asset.',
    );
    expect(server.writes().map(call => call.path)).toEqual([`${one}/check`]);
  });

  it('can become new assets, one by one and all at once', async () => {
    await open();
    await press('Choose asset: Tender 7', 'button');
    await says('Which asset is Tender 7?');
    await press('Create a new asset', '[role=dialog] button');
    await see(() => expect(rowOf('Tender 7')?.textContent).toContain('New asset'));
    await press('Create all unmatched', 'button');
    await see(() => expect(rowOf('Pickup')?.textContent).toContain('New asset'));
    expect(all('button', 'Create all unmatched')).toEqual([]);
    await says('5 vehicles chosen');
    server.answers[`PUT ${one}/vehicles`] = () => refused('linkIntegration.validation_failed.created');
    await press('Start', 'button');
    await says("The account doesn't have this vehicle");
    expect(server.writes().at(-1)?.body).toMatchObject({
      vehicles: [{}, {}, {}, { thing_id: 'new' }, { thing_id: 'new' }],
    });
  });

  it('become no new assets for who may not create any', async () => {
    signIn(['user:read', 'integration_configuration:manage', 'thing:update', 'thing:read']);
    await open();
    expect(all('button', 'Create all unmatched')).toEqual([]);
    await press('Choose asset: Pickup', 'button');
    await says('Which asset is Pickup?');
    expect(all('[role=dialog] button', 'Create a new asset')).toEqual([]);
  });

  it('says at a vehicle why it cannot be linked', async () => {
    await open();
    server.answers[`PUT ${one}/vehicles`] = () => refused('linkIntegration.validation_failed');
    await press('Start', 'button');
    await says('Provider already used');
    expect(rowOf('Medic 7')?.textContent).toContain('Provider already used');
    expect(server.writes().map(call => call.path)).not.toContain(one);
  });

  it('are saved, not started, where the integration runs or is paused', async () => {
    await open(vary(made, { status: 'good' }));
    expect(all('button', 'Start')).toEqual([]);
    expect(all('ol[aria-label=Steps]', '')).toEqual([]);
    server.answers[`PUT ${one}/vehicles`] = answer('linkIntegration.ok');
    await press('Save', 'button');
    await says('3 vehicles linked');
    expect(server.writes().map(call => call.path)).toEqual([`${one}/check`, `${one}/vehicles`]);
  });

  it('are not started by who may not edit assets, and says so', async () => {
    signIn(['user:read', 'integration_configuration:manage']);
    await open();
    const button = await find('button[aria-disabled=true]', 'Start');
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      "You don't have permission to edit assets.",
    );
  });

  it('are narrowed by what they are called and how they were found', async () => {
    await open();
    await press('Twice', 'button');
    await see(() => expect(all('tbody tr', '').map(row => row.textContent?.includes('Tender 7'))).toEqual([true]));
    expect(text()).toContain('1 of 5');
  });

  it('say what the provider said when it cannot be asked, and are asked again', async () => {
    server.answers[`GET ${one}`] = answer('getIntegration.ok', unstarted);
    server.answers[`POST ${one}/check`] = () => refused('checkIntegration.provider_unavailable');
    const { message } = JSON.parse(await replayed('checkIntegration.provider_unavailable').text()) as {
      message: string;
    };
    await server.open(`${page}#vehicles`, message);
    server.answers[`POST ${one}/check`] = () => refused('checkIntegration.provider_unauthorized');
    await press('Retry', 'button');
    await says('Samsara refuses the token.');
    expect(all('a', 'Replace password')[0]?.getAttribute('href')).toBe(`${page}/edit`);
    server.answers[`POST ${one}/check`] = answer('checkIntegration.ok');
    await press('Retry', 'button');
    await says('5 vehicles:');
  });
});

describe('an integration', () => {
  it('says that it was not started, and leads to its vehicles', async () => {
    server.answers[`GET ${one}`] = answer('getIntegration.ok', unstarted);
    await server.open(page, 'Nothing is imported yet.');
    expect(text()).toContain('Not started');
    expect(all('a', 'Check vehicles').map(link => link.getAttribute('href'))).toContain(`${page}#vehicles`);
    expect(all('button', 'Resume')).toEqual([]);
    expect(server.writes()).toEqual([]); // nobody asks a provider by looking
  });

  it('says why it is refused and what to do about it, and what was rejected', async () => {
    const row = recorded('getIntegration.refused').data;
    server.answers[`GET ${PATH}/${row.id}`] = answer('getIntegration.refused');
    await server.open(`${TAB}/${row.id}`, 'Samsara refuses the token');
    expect(text()).toContain('Nothing is fetched until the token is right.');
    expect(all('a', 'Replace token')[0]?.getAttribute('href')).toBe(`${TAB}/${row.id}/edit`);
  });

  it('says what was rejected, and why', async () => {
    server.answers[`GET ${one}`] = answer('getIntegration.failing');
    await server.open(page, '1 accepted, 1 rejected');
    expect(text()).toContain(
      "These vehicles open no incident by themselves: Geotab doesn't say how accurate a position is.",
    );
    expect(all('ul[aria-label="Why reports were rejected"] li', 'More than 30 days old')).toHaveLength(1);
    expect(text()).toContain('1 report of vehicles without an asset');
  });

  it('is fetched when asked to, and says what came of it', async () => {
    const row = recorded('getIntegration.refused').data;
    server.answers[`GET ${PATH}/${row.id}`] = answer('getIntegration.refused');
    server.answers[`POST ${PATH}/${row.id}/fetch`] = () => {
      const last_fetched_at = '2026-11-21T10:09:00.000Z';
      server.answers[`GET ${PATH}/${row.id}`] = answer('getIntegration.refused', { last_fetched_at, problem: null });
      return answer('fetchIntegration.ok', row)();
    };
    await server.open(`${TAB}/${row.id}`, 'Samsara refuses the token');
    await press('Fetch now', 'button');
    await says('Fetched');
  });

  it('never shows its secret, and sends only what was changed', async () => {
    server.answers[`GET ${one}`] = answer('getIntegration.ok', made);
    server.answers[`PUT ${one}`] = answer('updateIntegration.ok');
    await server.open(`${page}/edit`, 'Saved, encrypted, and never shown again.');
    expect(heldBy('Password')).toBeUndefined();
    await press('Replace password', 'button');
    await type('New password', 'another');
    await press('Save', 'button');
    await says('Integration saved');
    expect(server.writes()).toMatchObject([{ body: { secret: 'another' }, ifMatch: `"${made.version}"` }]);
    expect(Object.keys(server.writes()[0]?.body ?? {})).toEqual(['secret']);
  });

  it('says where its webhook is, and takes and removes what signs it', async () => {
    const plows = recorded('createIntegration.webhook').data;
    const path = `${PATH}/${plows.id}`;
    server.answers[`GET ${path}`] = answer('createIntegration.webhook', { has_webhook: false });
    server.answers[`PUT ${path}`] = answer('updateIntegration.ok', { id: plows.id, version: plows.version });
    await server.open(`${TAB}/${plows.id}/edit`, 'Webhook');
    expect(text()).toContain(`${window.location.origin}/api/ingest/samsara/${plows.id}`);
    await type('Webhook secret', 'MDEyMzQ1Njc4OWFiY2RlZg==');
    await press('Save', 'button');
    await see(() =>
      expect(server.writes().map(call => call.body)).toEqual([{ webhook_secret: 'MDEyMzQ1Njc4OWFiY2RlZg==' }]),
    );
    await see(() => expect(text()).not.toContain('Edit Plows'));
  });

  it('keeps the secret of its webhook until it is removed', async () => {
    const plows = recorded('createIntegration.webhook').data;
    const path = `${PATH}/${plows.id}`;
    server.answers[`GET ${path}`] = answer('createIntegration.webhook');
    server.answers[`PUT ${path}`] = answer('updateIntegration.ok', { id: plows.id, version: plows.version });
    await server.open(`${TAB}/${plows.id}/edit`, 'Webhook');
    expect(heldBy('Webhook secret')).toBeUndefined();
    await press('Remove webhook secret', 'button');
    await says('Removed when you save.');
    await press('Keep webhook secret', 'button');
    await press('Remove webhook secret', 'button');
    await press('Save', 'button');
    await see(() => expect(server.writes().map(call => call.body)).toEqual([{ webhook_secret: '' }]));
    await see(() => expect(text()).not.toContain('Edit Plows'));
  });

  it('asks for the secret again for another server', async () => {
    server.answers[`GET ${one}`] = answer('getIntegration.ok', made);
    server.answers[`PUT ${one}`] = () => refused('updateIntegration.validation_failed.server');
    await server.open(`${page}/edit`, 'Saved, encrypted');
    await type('Server', 'my3.geotab.com');
    await says('The saved password is for another server.');
    await press('Save', 'button');
    await says('Enter the secret again for a different server');
  });

  it('says of a saved secret that is refused where it is entered', async () => {
    server.answers[`GET ${one}`] = answer('getIntegration.ok', made);
    server.answers[`PUT ${one}`] = () => refused('updateIntegration.validation_failed.server');
    await server.open(`${page}/edit`, 'Saved, encrypted');
    await type('Name', 'County');
    await press('Save', 'button');
    await says('Enter the secret again for a different server');
    expect(heldBy('New password')).toBe('');
    expect(server.writes().map(call => call.body)).toEqual([{ name: 'County' }]);
  });

  it('is removed after a question, and comes back', async () => {
    server.answers[`GET ${one}`] = answer('getIntegration.ok', made);
    server.answers[`GET ${PATH}`] = answer('listIntegrations.empty');
    server.answers[`DELETE ${one}`] = answer('deleteIntegration.ok');
    server.answers[`POST ${one}/undo`] = answer('undoIntegration.deleted');
    await server.open(page, made.name);
    await press('Remove', 'button');
    await says('what they reported stay');
    await press('Confirm', 'button');
    await says(`“${made.name}” is removed`);
    await says('No integrations yet.');
    await press('Undo', 'button');
    await says('Change undone');
    expect(server.writes().at(-1)).toMatchObject({ body: { version: made.version + 1 } });
  });

  it('is not found where there is none', async () => {
    await server.open(`${TAB}/nonsense`, 'Integration not found');
  });
});
