// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import {
  all,
  answer,
  find,
  heldBy,
  press,
  refusal,
  type Stage,
  says,
  see,
  silence,
  stage,
  text,
  type,
} from '../accounts/testing';
import { failed, loadThings, MAY_ALL, making, signInTo, thingId, wireExport } from './testing';

const NEW = '/dashboard/data/exports/new';
const POST = 'POST /organization/export';
/** 11:10 AM in New York */
const NOW = Date.parse('2026-11-26T16:10:30Z');

let server: Stage;
beforeEach(() => {
  server = stage();
  signInTo();
  loadThings();
  vi.spyOn(serverClock, 'now').mockReturnValue(NOW);
  server.answers['GET /organization/export'] = answer('listExports.empty');
  server.answers[POST] = sent => {
    const row = wireExport({
      id: String(sent.body?.id),
      ...making,
      status: 'requested',
      title: String(sent.body?.title),
    });
    server.answers[`GET /organization/export/${row.id}`] = answer('getExport.ok', row);
    return answered('createExport.ok', row);
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  server.close();
});

/** What was asked for; how large it would be is no export. */
const asked = () => server.writes().filter(call => !call.path.includes('estimate'));
const begin = async (kind: string) => {
  const router = await server.open(NEW, 'What should the files be about?');
  await press(kind, 'button');
  await says('Create export');
  return router;
};
const errorsOf = (label: string) => {
  const [field] = all('label[for]', label);
  return document.getElementById(field?.getAttribute('for') ?? '')?.getAttribute('aria-invalid');
};
/** Types into the field of assets: its list opens for who stands in it. */
const lookFor = async (name: string) => {
  const field = await find('label[for]', 'Assets');
  document.getElementById(field.getAttribute('for') ?? '')?.focus();
  await type('Assets', name);
};
const pick = async (name: string) => {
  await lookFor(name);
  await press(name, '[role=option]');
  await see(() => expect(all('button', `Remove ${name}`)).toHaveLength(1));
};
const send = () => press('Create export', 'button');
const sentBody = async () => {
  await see(() => expect(asked()).not.toEqual([]));
  return asked().at(-1)?.body;
};
const step = () => document.querySelector('[aria-current=step]')?.textContent;

describe('a new export', () => {
  // spec: 2.exports.01 4.export.01 5.export.02 7.export.02
  it('is of a type, then what it is about, then in progress', async () => {
    await server.open(NEW, 'What should the files be about?');
    expect(step()).toBe('Type');
    expect(all('main button, button', 'Points')[0]?.textContent).toContain('Every position');
    await press('Points', 'button');
    await says('Create export');
    expect(step()).toBe('Details');
    await pick('Engine 4');
    await press('Last 24 hours');
    await see(() => expect(heldBy('Start')).toBe('2026-11-25T11:10'));
    await send();
    await says('Your export is being made');
    expect(step()).toBe('In progress');
    expect(await sentBody()).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      export_type: 'point',
      title: 'point Exports 26-Nov-2026',
      organization_id: 'o1',
      use_utc: false,
      export_start_time: '2026-11-25T16:10:00.000Z',
      export_end_time: '2026-11-26T16:10:00.000Z',
      thing_uuids: [thingId(0)],
      formats: ['csv'],
      mail_when_done: false,
    });
    expect((await find('a', 'View all exports')).getAttribute('href')).toBe('/dashboard/data/exports');
    await press('New export', 'button');
    await says('What should the files be about?');
  });

  // spec: 5.export.01
  it.each([
    ['Points', 'point'],
    ['Events', 'incident'],
    ['Assets', 'asset'],
    ['Closures', 'closure'],
  ])('of %s is called by its type and the day', async (kind, word) => {
    await begin(kind);
    expect(heldBy('Title')).toBe(`${word} Exports 26-Nov-2026`);
    await type('Title', ' ');
    await send();
    await see(() => expect(errorsOf('Title')).toBe('true'));
    expect(asked()).toEqual([]);
  });

  // spec: 2.exports.02
  it('keeps nothing of its form after Back', async () => {
    await begin('Points');
    await type('Title', 'Mine');
    await pick('Ladder 1');
    await press('Back', 'button');
    await says('What should the files be about?');
    await press('Points', 'button');
    await says('Create export');
    expect(heldBy('Title')).toBe('point Exports 26-Nov-2026');
    expect(all('button', 'Remove')).toEqual([]);
  });

  it('of what one may not see elsewhere cannot be chosen', async () => {
    signInTo({ permissions: MAY_ALL.filter(one => one !== 'trip:read') });
    await server.open(NEW, "You don't have access to trips.");
    const cards = all('button', '').filter(button => button.querySelector('b')) as HTMLButtonElement[];
    expect(cards.map(card => card.disabled)).toEqual([true, false, false, false]);
  });
});

describe('its form', () => {
  it('of points says how large the files would be, once they could be asked for', async () => {
    server.answers['POST /organization/export/estimate'] = answer('estimateExport.ok', { rows: 8640, bytes: 129_600 });
    await begin('Points');
    await pick('Engine 4');
    expect(server.sent.filter(one => one.path.includes('estimate'))).toEqual([]);
    await press('Last 24 hours');
    await says('About 8,640 rows, 130 kB.');
  });

  // spec: 5.export.03 5.export.04 5.export.05 9.limits.13
  it('says at each field what is wrong, and sends nothing until all is well', async () => {
    await begin('Points');
    await send();
    await says('Must select at least 1 Asset');
    expect(text().match(/Required/g)).toHaveLength(2);
    await pick('Engine 4');
    await see(() => expect(text()).not.toContain('Must select at least 1 Asset'));
    await type('Start', '2026-10-01T00:00');
    await type('End', '2026-11-27T00:00');
    await says('Must be past date');
    await type('End', '2026-11-02T00:00');
    await says('Exceeds max time range');
    await type('End', '2026-10-01T00:00');
    await says('Dates must be different');
    await type('End', '2026-09-30T00:00');
    await says('End time must be after Start time');
    // A start that is moved says what is wrong about the end.
    await type('Start', '2026-09-30T00:00');
    await says('Dates must be different');
    expect(asked()).toEqual([]);
    await type('End', '2026-10-31T00:00');
    await see(() => expect(text()).not.toContain('Dates must be different'));
    await send();
    await says('Your export is being made');
  });

  // spec: 5.export.06 7.export.04
  it('of closures wants a type or an asset', async () => {
    await begin('Closures');
    for (const kind of ['Automated', 'Feed', 'Manual']) await tick(kind);
    await press('Last 7 days');
    await send();
    await says('Must include at least 1 Closure type or Asset');
    expect(asked()).toEqual([]);
    await tick('Manual');
    await tick('Automated');
    await see(() => expect(text()).not.toContain('Must include at least'));
    await send();
    expect(await sentBody()).toMatchObject({ closures_to_include: ['automated', 'manual'], thing_uuids: [] });
  });

  // spec: 7.export.03
  it('of incidents may have those without assets, and both formats', async () => {
    await begin('Events');
    await press('Last calendar month');
    (await find('label', 'Include events without assets')).querySelector('input')?.click();
    await tick('GeoJSON');
    await tick('CSV');
    await says('Files');
    await tick('GeoJSON');
    await says('Choose at least one format');
    await tick('GeoJSON');
    await send();
    const body = await sentBody();
    expect(body).toMatchObject({
      include_no_thing_il: true,
      thing_uuids: [],
      formats: ['geojson'],
      export_start_time: '2026-10-01T04:00:00.000Z',
      export_end_time: '2026-11-01T04:00:00.000Z',
    });
    expect(body).not.toHaveProperty('closures_to_include');
  });

  // spec: 5.export.02
  it('says the same time in UTC', async () => {
    await begin('Assets');
    await says("organization's time zone (America/New_York)");
    await press('Last 24 hours');
    await see(() => expect(heldBy('End')).toBe('2026-11-26T11:10'));
    await tick('Use UTC');
    await see(() => expect(heldBy('End')).toBe('2026-11-26T16:10'));
    await type('End', '2026-11-26T12:00');
    await send();
    expect(await sentBody()).toMatchObject({ use_utc: true, export_end_time: '2026-11-26T12:00:00.000Z' });
  });

  // spec: 5.export.02
  it('has an organization where there is a choice, with its clock and its assets', async () => {
    signInTo({ managed: [{ timezone: 'America/Denver' }] });
    await begin('Points');
    await pick('Engine 4');
    await press('Last 24 hours');
    const other = answer('listThings.ok', []);
    server.answers['GET /organization/things'] = other;
    await press('Organization o1', 'form button[aria-haspopup=listbox]');
    await press('Organization m0', '[role=option]');
    await says('(America/Denver)');
    await see(() => expect(heldBy('End')).toBe('2026-11-26T09:10'));
    expect(all('button', 'Remove Engine 4')).toEqual([]);
    await see(() => expect(server.sent.at(-1)?.query).toContain('org_ids%5B%5D=m0'));
    // Only those whose exports one may see.
    expect(all('[role=option]', 'Organization o2')).toEqual([]);
  });

  it('offers the assets of its organization alone', async () => {
    await begin('Points');
    expect(document.querySelector('form')?.textContent).not.toContain('Organization');
    await lookFor('Rescue');
    await says('No asset has this name or number');
  });
});

describe('a refusal', () => {
  const filled = async () => {
    await begin('Points');
    await pick('Engine 4');
    await press('Last 24 hours');
  };

  it('of the server stands at its field', async () => {
    await filled();
    server.answers[POST] = refusal('createExport.validation_failed', { fields: { thing_uuids: 'Asset not found' } });
    await send();
    await says('Asset not found');
    await says('Please check the marked fields.');
    expect(heldBy('Title')).toBe('point Exports 26-Nov-2026');
  });

  // spec: 8.export.01
  it.each([
    ['with its message', refusal('createExport.forbidden', { message: 'Ask Dana.' }), 'Ask Dana.'],
    ['without one', refusal('createExport.forbidden', { message: '' }), 'Unknown failure'],
  ])('stands under the form %s', async (_, said, words) => {
    await filled();
    server.answers[POST] = said;
    await send();
    await says(words);
  });

  it('that was a lost answer makes no second export: the same is sent with the same id', async () => {
    await filled();
    const good = server.answers[POST];
    server.answers[POST] = silence;
    await send();
    await says('Connection failed.');
    await send();
    await see(() => expect(asked()).toHaveLength(2));
    await says('Connection failed.');
    // What is asked otherwise is another one.
    await type('Title', 'Another');
    server.answers[POST] = good as NonNullable<typeof good>;
    await send();
    await says('Your export is being made');
    const [first, second, third] = asked().map(call => call.body?.id);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('what was asked for', () => {
  const made = async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    await begin('Assets');
    await press('Last 24 hours');
    await send();
    await says('Waiting for its turn');
    return `GET /organization/export/${String((await sentBody())?.id)}`;
  };

  it('says how far it is until it is ready, and has its files there', async () => {
    const read = await made();
    server.answers[read] = answer('getExport.ok', wireExport({ ...making }));
    await vi.advanceTimersByTimeAsync(2000);
    await says('1,204 rows');
    server.answers[read] = answer('getExport.ok', wireExport());
    await vi.advanceTimersByTimeAsync(2000);
    await says('Your export is ready');
    expect(all('button', 'Download')).toHaveLength(2);
  });

  // spec: 8.export.03
  it('says why it has failed, and who helps', async () => {
    const read = await made();
    server.answers[read] = answer('getExport.ok', wireExport({ ...failed, error: 'The disk is full.' }));
    await vi.advanceTimersByTimeAsync(2000);
    await says('Your export has failed');
    await says('The disk is full.');
    await says('The requested exports have failed and are no longer In-Progress. Please contact support.');
  });
});

/** Ticks a checkbox, or takes the tick away. */
async function tick(words: string): Promise<void> {
  const input = (await find('label', words)).querySelector<HTMLInputElement>('input[type=checkbox]');
  const was = input?.checked;
  input?.click();
  await see(() => expect(input?.checked).toBe(!was));
}
