// @vitest-environment jsdom
import enums from '@catalog/enums.json';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { firstOf, recorded, refused } from '~/api/recorded';
import { rowAt } from '~/live/testing';
import {
  ADMIN,
  all,
  answer,
  choose,
  find,
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
} from './testing';

const fire = enums.thingTypes[0]?.id ?? '';
const asset = (id: string) =>
  rowAt(id, 0, { nickname: `Engine ${id}`, haas_id: `SYS-${id}`, device_type: 'ha7', thing_type_id: fire });
let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
  server.answers['GET /organization/things'] = answer('listThings.ok', [asset('a'), asset('b')]);
  server.answers['GET /things/a'] = answer('getThing.ok', asset('a'));
  server.answers['GET /things/a/device_config'] = answer('getDeviceConfig.ok');
  server.answers['GET /organization/assignable'] = answer('listAssignableOrganizations.ok', [
    { ...firstOf(recorded('listAssignableOrganizations.ok').data), id: 'o2', name: 'County' },
  ]);
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
});

const openAsset = () => server.open('/dashboard/accounts/thing/a', 'Device configuration');
const inDialog = (words: string) =>
  see(() => expect(document.querySelector('[role=alertdialog] [role=alert]')?.textContent).toBe(words));

describe('deleting an asset', () => {
  const ask = async () => {
    const router = await openAsset();
    await press('Delete', 'button');
    await press('Confirm', 'button');
    return router;
  };

  // spec: 4.filter.04
  it('counts as done where somebody else was faster: the row goes and the text is said in passing', async () => {
    const router = await server.open('/dashboard/accounts/thing', 'Engine b');
    expect(all('tbody tr', '')).toHaveLength(2);
    server.answers['DELETE /things/a'] = () => {
      server.answers['GET /organization/things'] = answer('listThings.ok', [asset('b')]);
      return refused('deleteThing.not_found');
    };
    await press('Engine a', 'a');
    await says('Device configuration');
    await press('Delete', 'button');
    await press('Confirm', 'button');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/accounts/thing'));
    await says('Asset not found');
    await see(() => expect(all('tbody tr', '').map(row => row.querySelector('a')?.textContent)).toEqual(['Engine b']));
    expect(document.querySelector('[role=alertdialog]')).toBeNull();
  });

  // spec: 8.dialog.04
  it('keeps any other failure in the question, which opens without it the next time', async () => {
    server.answers['DELETE /things/a'] = refusal('verifyToken.rate_limited');
    await ask();
    await inDialog('Too many requests. Please wait a moment.');
    await press('Cancel', '[role=alertdialog] button');
    await see(() => expect(document.querySelector('[role=alertdialog]')).toBeNull());
    await press('Delete', 'button');
    await find('[role=alertdialog] button', 'Confirm');
    expect(document.querySelector('[role=alertdialog] [role=alert]')).toBeNull();
  });
});

// Section 8 by operation: the screens, not only the table.
describe('what a failure says', () => {
  it('of registering is what is wrong, not that the nickname cannot be updated', async () => {
    server.answers['POST /things'] = refusal('createThing.validation_failed');
    await server.open('/dashboard/accounts/thing/new', 'System name');
    await type('System name', 'E-9');
    await choose('Type', 'Fire');
    await press('Register asset', 'button[type=submit]');
    await says('This system name is already in use.');
    expect(text()).not.toContain('cannot be updated');
    server.answers['POST /things'] = silence;
    await press('Register asset', 'button[type=submit]');
    await says('Connection failed');
  });

  it('of giving one away is the reason', async () => {
    server.answers['PUT /things/a/organization'] = refusal('updateThing.conflict');
    await openAsset();
    await press('Transfer', 'button');
    await find('option', 'County');
    // jsdom opens no list above a dialog: the hidden select takes the choice.
    const native = document.querySelector<HTMLSelectElement>('[role=alertdialog] select');
    if (native) native.value = 'o2';
    native?.dispatchEvent(new Event('change', { bubbles: true }));
    await press('Confirm', 'button');
    await inDialog('Someone else changed this asset while you were editing.');
  });

  it('of a device’s configuration is its own', async () => {
    server.answers['GET /things/a/device_config'] = refusal('getDeviceConfig.not_found');
    await server.open('/dashboard/accounts/thing/a', 'Asset not found');
    const retry = await find('button', 'Retry'); // from here on it is there: an answer read anew would take it away
    server.answers['GET /things/a/device_config'] = answer('getDeviceConfig.ok');
    server.answers['PUT /things/a/device_config'] = refusal('setDeviceConfig.validation_failed');
    retry.click();
    await find('form', 'Device configuration');
    await press('Save configuration', 'button');
    await says('Cannot be the same as Warning Light Pin');
  });

  it('of a file that cannot be saved is the organization’s', async () => {
    server.answers['GET /organization/things/export'] = refusal('exportThings.not_found');
    await server.open('/dashboard/accounts/thing', 'Engine a');
    await press('Export', 'button');
    await says('Organization not found');
  });
});
