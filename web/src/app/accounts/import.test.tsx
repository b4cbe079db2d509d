// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN, find, one, press, refusal, type Stage, says, see, signIn, stage, text } from './testing';

const row = (line: number, action: string) => ({ line, action, haas_id: `A-${line}`, changes: {}, errors: {} });
const preview = {
  digest: 'd',
  create: 1,
  update: 2,
  unchanged: 1,
  refused: 0,
  applied: false,
  rows: [row(2, 'create'), row(3, 'update'), row(4, 'update'), row(5, 'unchanged')],
};
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

/** Chooses a file, looks at its preview and applies it. */
async function importFile(done: unknown) {
  server.answers['POST /organization/things/import'] = ({ body }) => one(body?.digest ? done : preview)();
  await server.open('/dashboard/accounts/thing/import', 'Choose a CSV file');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  const file = new File(['haas_id\nA-2\n'], 'fleet.csv', { type: 'text/csv' });
  // jsdom's files cannot be read as text.
  Object.defineProperty(file, 'text', { value: async () => 'haas_id\nA-2\n' });
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input?.dispatchEvent(new Event('change', { bubbles: true }));
  await says('1 to register, 2 to change, 1 unchanged');
  await press('Apply 3 changes', 'button');
  await says('Import finished');
}

describe('a finished import', () => {
  it('says what it did and can be taken back', async () => {
    await importFile(applied(900_000));
    expect(text()).toContain('1 registered, 2 changed, 1 unchanged.');
    server.answers[UNDO] = one({
      deleted: 1,
      restored: 1,
      left: [{ thing_id: 't9', haas_id: 'A-4', reason: 'It has been changed since.' }],
    });
    await press('Undo', 'button');
    await says('Import undone');
    expect(text()).toContain('1 deleted, 1 restored, 1 left as it is.');
    expect((await find('tr', 'A-4')).textContent).toContain('It has been changed since.');
    expect(server.writes().at(-1)?.path).toBe('/organization/things/import/i%2F1/undo');
    expect(document.querySelectorAll('a[href="/dashboard/accounts/thing"]').length).toBeGreaterThan(0);
  });

  it('says why it cannot be taken back', async () => {
    await importFile(applied(900_000));
    server.answers[UNDO] = refusal(409, 'import_undone', 'This import has been undone already.');
    await press('Undo', 'button');
    await see(() =>
      expect(document.querySelector('[role=alert]')?.textContent).toBe('This import has been undone already.'),
    );
    expect(text()).toContain('Import finished');
  });

  it('can no longer be taken back when its time is over', async () => {
    await importFile(applied(-1));
    expect(text()).toContain('This import can no longer be undone.');
    expect(text()).not.toContain('Undo');
  });

  it('offers no way back where nothing was changed, and takes another file', async () => {
    await importFile({ ...preview, create: 0, update: 0, unchanged: 4, applied: true });
    expect(text()).not.toContain('Undo');
    await press('Import another file', 'button');
    await says('Choose a CSV file');
    expect(text()).not.toContain('Import finished');
  });
});
