// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { answered, type Over, recorded, refused, vary } from '~/api/recorded';
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
  see,
  signIn,
  stage,
  text,
  wary,
} from './testing';

const [registered] = recorded('importThings.ok').data.rows;
const row = (line: number, action: Schemas['ImportRow']['action']) =>
  vary(registered as NonNullable<typeof registered>, { line, action, haas_id: `A-${line}`, changes: {} });
const preview = vary(recorded('importThings.ok').data, {
  digest: 'd',
  create: 1,
  update: 2,
  unchanged: 1,
  rows: [row(2, 'create'), row(3, 'update'), row(4, 'update'), row(5, 'unchanged')],
});
const applied = (untilMs: number) => ({
  ...preview,
  applied: true,
  import_id: 'i/1',
  undo_until: new Date(Date.now() + untilMs).toISOString(),
});
const UNDO = 'POST /organization/things/import/i%2F1/undo';

let server: Stage;
beforeEach(() => {
  server = stage();
  signIn(ADMIN);
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
});

const IMPORT = 'POST /organization/things/import';
const CSV = 'haas_id\nA-2\n';

/** Opens the panel and chooses a file there. */
async function openAndChoose(more: { name?: string; size?: number } = {}) {
  await server.open('/dashboard/accounts/thing/import', 'Choose a CSV file');
  choose(more);
}

function choose({ name = 'fleet.csv', size }: { name?: string; size?: number } = {}) {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  const file = new File([CSV], name, { type: 'text/csv' });
  // jsdom's files cannot be read as text.
  Object.defineProperty(file, 'text', { value: async () => CSV });
  if (size !== undefined) Object.defineProperty(file, 'size', { value: size });
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input?.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Chooses a file, looks at its preview and applies it. */
async function importFile(done: Over<'importThings.ok'>) {
  server.answers[IMPORT] = ({ body }) => answered('importThings.ok', body?.digest ? done : preview);
  await openAndChoose();
  await says('1 to register, 2 to change, 1 unchanged.');
  await press('Apply 3 changes', 'button');
  await says('Import finished');
}

async function openAndChoosePreview() {
  server.answers[IMPORT] = answer('importThings.ok', preview);
  await openAndChoose();
  await says('1 to register, 2 to change, 1 unchanged.');
}

/** An answer that comes when it is told to. */
function held() {
  let come: (response: Response) => void = () => undefined;
  const coming = new Promise<Response>(resolve => {
    come = resolve;
  });
  return { coming, come: (response: Response) => come(response) };
}

const alertText = () => document.querySelector('[role=alert]')?.textContent;
const isBusy = (name: string) => all('button', name)[0]?.hasAttribute('data-pending');
const isOff = (name: string) => all('button', name)[0]?.hasAttribute('disabled');

describe('the preview of an import', () => {
  it('shows row by row what would change, and sends the same file to apply it', async () => {
    server.answers[IMPORT] = answer('importThings.ok', {
      ...preview,
      rows: [
        { ...row(2, 'create'), changes: { nickname: { from: '', to: 'New' } } },
        {
          ...row(3, 'update'),
          changes: { nickname: { from: '', to: 'Ladder 3' }, vin_number: { from: 'V1', to: '' } },
        },
        row(5, 'unchanged'),
      ],
    });
    await openAndChoose();
    expect((await find('tr', 'A-3')).textContent).toBe('A-3Line 3Changenickname: – → Ladder 3vin_number: V1 → –');
    expect((await find('tr', 'A-2')).textContent).toBe('A-2Line 2Registernickname: New');
    expect(all('tr', 'A-5')).toEqual([]);
    expect(text()).toContain('fleet.csv: 1 to register, 2 to change, 1 unchanged.');
    expect(text()).not.toContain('with errors');
    expect(all('button', 'Choose a CSV file')).toEqual([]);
    await press('Apply 3 changes', 'button');
    await see(() =>
      expect(server.writes().map(call => call.body)).toEqual([
        { organization_id: 'o1', csv: CSV },
        { organization_id: 'o1', csv: CSV, digest: 'd' },
      ]),
    );
  });

  it('points out what a spreadsheet may have changed', async () => {
    server.answers[IMPORT] = answer('importThings.ok', {
      ...preview,
      rows: [
        row(2, 'update'),
        {
          ...row(3, 'create'),
          notes: { haas_id: '0042 exists. A spreadsheet may have taken the leading zeros away.' },
        },
      ],
    });
    await openAndChoose();
    expect((await find('tr', 'A-3')).textContent).toContain('Check haas_id: 0042 exists.');
    expect(all('tr', 'A-')[0]?.textContent).toContain('A-3');
    expect(text()).toContain('1 unchanged, 1 to check.');
    expect(isOff('Apply 3 changes')).toBe(false);
  });

  it('is applied and taken back once its user has confirmed who they are', async () => {
    await openAndChoosePreview();
    wary(server, IMPORT, answer('importThings.applied', applied(60_000)));
    await press('Apply 3 changes', 'button');
    await confirm();
    await says('Import finished');
    wary(server, UNDO, answer('undoImport.ok', { deleted: 1, restored: 2, left: [] }));
    await press('Undo', 'button');
    await confirm();
    await see(() => expect(server.writes().filter(call => call.path.endsWith('/undo'))).toHaveLength(2));
  });

  it('says what is wrong with rows, and applies nothing then', async () => {
    server.answers[IMPORT] = answer('importThings.ok', {
      ...preview,
      create: 0,
      update: 1,
      refused: 2,
      rows: [
        { ...row(2, 'refused'), errors: { thing_type: 'Required' } },
        { ...row(3, 'refused'), haas_id: '', errors: { row: 'The row has 1 cells, the header has 2.' } },
        row(4, 'update'),
      ],
    });
    await openAndChoose();
    expect((await find('tr', 'A-2')).textContent).toBe('A-2Line 2Refusedthing_type: Required');
    expect((await find('tr', 'Line 3')).textContent).toBe('–Line 3RefusedThe row has 1 cells, the header has 2.');
    expect(text()).toContain('0 to register, 1 to change, 1 unchanged, 2 with errors.');
    expect(alertText()).toBe('Some rows have errors. Fix the file and upload it again.');
    expect(isOff('Apply 1 change')).toBe(true);
  });

  it('applies nothing where nothing would change', async () => {
    server.answers[IMPORT] = answer('importThings.ok', {
      ...preview,
      create: 0,
      update: 0,
      unchanged: 1,
      rows: [row(2, 'unchanged')],
    });
    await openAndChoose();
    await says('No changes.');
    expect(isOff('Apply 0 changes')).toBe(true);
  });

  it('says in the words of the server why a file is refused, until another one is chosen', async () => {
    server.answers[IMPORT] = refusal('importThings.validation_failed');
    await openAndChoose();
    await see(() => expect(alertText()).toBe('The column haas_id is missing. It identifies the asset in each row.'));
    const { coming, come } = held();
    server.answers[IMPORT] = () => coming;
    choose({ name: 'other.csv' });
    await see(() => expect(isBusy('Choose a CSV file')).toBe(true));
    expect(alertText()).toBeUndefined();
    come(answered('importThings.ok', preview));
    await says('other.csv: 1 to register');
    expect(isBusy('Choose another file')).toBe(false);
  });

  it('takes the next file from the same field, and shows the old preview no longer', async () => {
    server.answers[IMPORT] = answer('importThings.ok', preview);
    await openAndChoose();
    await says('fleet.csv');
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    const opened = vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue();
    await press('Choose another file', 'button');
    expect(opened.mock.instances).toEqual([input]);
    const emptied = vi.fn(); // or the same file, corrected, would be no change
    Object.defineProperty(input, 'value', { set: emptied, configurable: true });
    const { coming } = held();
    server.answers[IMPORT] = () => coming;
    choose({ name: 'other.csv' });
    await see(() => expect(text()).not.toContain('fleet.csv'));
    expect(all('button', 'Apply')).toEqual([]);
    expect(emptied).toHaveBeenCalledExactlyOnceWith('');
  });

  it('does not send a file that is too large', async () => {
    server.answers[IMPORT] = answer('importThings.ok', preview);
    await openAndChoose({ size: 1_048_577 });
    await see(() => expect(alertText()).toBe('The file is larger than 1 MB. Split it and try again.'));
    expect(server.writes()).toEqual([]);
    choose({ size: 1_048_576 });
    await says('fleet.csv: 1 to register');
    expect(alertText()).toBeUndefined();
  });

  it('is busy while it is applied, and stays with what went wrong', async () => {
    server.answers[IMPORT] = answer('importThings.ok', preview);
    await openAndChoose();
    await says('fleet.csv');
    const { coming, come } = held();
    server.answers[IMPORT] = () => coming;
    await press('Apply 3 changes', 'button');
    await see(() => expect(isBusy('Apply 3 changes')).toBe(true));
    expect(isBusy('Choose another file')).toBe(false);
    server.answers[IMPORT] = answer('importThings.ok', {
      ...preview,
      create: 0,
      update: 1,
      unchanged: 3,
      rows: [row(4, 'update')],
    });
    come(refused('importThings.import_changed'));
    await says('1 to change, 3 unchanged.'); // the new preview
    await see(() =>
      expect(alertText()).toBe('The assets or the file changed after the preview. Review the new preview.'),
    );
    expect(isBusy('Apply 1 change')).toBe(false);
  });
});

describe('a finished import', () => {
  it('says what it did and can be taken back', async () => {
    await importFile(applied(900_000));
    expect(text()).toContain('1 registered, 2 changed, 1 unchanged.');
    const { coming, come } = held();
    server.answers[UNDO] = () => coming;
    await press('Undo', 'button');
    await see(() => expect(isBusy('Undo')).toBe(true));
    const left = [{ thing_id: 't9', haas_id: 'A-4', reason: 'It was changed in the meantime.' }];
    come(answered('undoImport.ok', { deleted: 1, restored: 1, left }));
    await says('Import undone');
    expect(text()).toContain('1 deleted, 1 restored, 1 not undone.');
    expect((await find('li', 'A-4')).textContent).toContain('It was changed in the meantime.');
    expect(server.writes().at(-1)?.path).toBe('/organization/things/import/i%2F1/undo');
    expect(document.querySelectorAll('a[href="/dashboard/accounts/thing"]').length).toBeGreaterThan(0);
  });

  it('leaves the focus at the title when what had it has gone', async () => {
    const focus = async (name: string) => (await find('button', name)).focus();
    const focused = () => document.activeElement?.textContent;
    server.answers[IMPORT] = ({ body }) => answered('importThings.ok', body?.digest ? applied(900_000) : preview);
    await openAndChoose();
    await says('Apply 3 changes');
    await focus('Apply 3 changes');
    await press('Apply 3 changes', 'button');
    await says('Import finished');
    await see(() => expect(focused()).toBe('Import assets'));
    server.answers[UNDO] = answer('undoImport.ok', { deleted: 1, restored: 2, left: [] });
    await focus('Undo');
    await press('Undo', 'button');
    await says('Import undone');
    await see(() => expect(focused()).toBe('Import assets'));
  });

  it('says why it cannot be taken back', async () => {
    await importFile(applied(900_000));
    server.answers[UNDO] = refusal('undoImport.import_undone');
    await press('Undo', 'button');
    await see(() =>
      expect(document.querySelector('[role=alert]')?.textContent).toBe('This import was already undone.'),
    );
    expect(text()).toContain('Import finished');
    server.answers[UNDO] = answer('undoImport.ok', { deleted: 1, restored: 2, left: [] });
    await press('Undo', 'button');
    await says('1 deleted, 2 restored.');
    expect(alertText()).toBeUndefined();
    expect(all('ul', 'Not undone')).toEqual([]);
  });

  it('counts what stays as it is', async () => {
    await importFile(applied(900_000));
    const left = ['A-3', 'A-4'].map(haas_id => ({
      thing_id: haas_id,
      haas_id,
      reason: 'It has reported in the meantime.',
    }));
    server.answers[UNDO] = answer('undoImport.ok', { deleted: 0, restored: 1, left });
    await press('Undo', 'button');
    await says('0 deleted, 1 restored, 2 not undone.');
  });

  it('can no longer be taken back when its time is over', async () => {
    await importFile(applied(-1));
    expect(text()).toContain('This import can no longer be undone.');
    expect(text()).not.toContain('Undo');
  });

  it('offers no way back where nothing was changed, and takes another file', async () => {
    await importFile({ ...preview, create: 0, update: 0, unchanged: 4, applied: true });
    expect(text()).not.toContain('Undo');
    expect(text()).not.toContain('can no longer be undone');
    await press('Import another file', 'button');
    await says('Choose a CSV file');
    expect(text()).not.toContain('fleet.csv');
    expect(text()).not.toContain('Import finished');
  });
});
