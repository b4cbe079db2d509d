// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, recorded } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import type { Export } from '~/model/export';
import { brand } from '~/session/brand';
import { all, answer, find, press, refusal, type Stage, says, see, silence, stage, text } from '../accounts/testing';
import { failed, making, signInTo, wireExport } from './testing';

const LIST = '/dashboard/data/exports';
const LINK = 'GET /reports/organization_monthly_report_pdf_link';
const FAILED = 'The requested exports have failed and are no longer In-Progress.';

let server: Stage;
let downloads: string[];
const list = (...rows: Export[]) => {
  server.answers['GET /organization/export'] = answer('listExports.ok', rows);
};
const titles = () => all('tbody tr', '').map(row => row.querySelector('td')?.querySelector('span')?.textContent);
const row = (title: string) => find('tbody tr', title);
const reads = () => server.sent.filter(call => call.path === '/organization/export' && call.method === 'GET').length;

beforeEach(() => {
  server = stage();
  signInTo();
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  downloads = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.isConnected) this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    else downloads.push(`${this.getAttribute('href')} as ${this.download}`);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  server.close();
});

describe('the list of exports', () => {
  // spec: 4.export.01 4.export.02 4.export.04 7.export.01 9.list.06
  it('has what is being made first, then the newest first', async () => {
    list(
      wireExport({ id: 'a', title: 'Old', requested_at: '2026-11-01T10:00:00Z' }),
      wireExport({ id: 'b', title: 'Waits', ...making, status: 'requested', requested_at: '2026-11-02T10:00:00Z' }),
      wireExport({ id: 'c', title: 'New', requested_at: '2026-11-20T10:00:00Z' }),
      wireExport({ id: 'd', title: 'Works', ...making, requested_at: '2026-11-03T10:00:00Z' }),
      wireExport({
        id: 'e',
        title: 'Broke',
        ...failed,
        error: 'The disk is full.',
        requested_at: '2026-11-10T10:00:00Z',
      }),
    );
    await server.open(LIST, 'Waits');
    expect(titles()).toEqual(['Works', 'Waits', 'New', 'Broke', 'Old']);
    expect(server.sent[0]?.query).toContain('org_ids%5B%5D=o1');
    expect((await row('Waits')).textContent).toContain('In progressWaiting for its turn');
    const bar = (await row('Works')).querySelector('[role=progressbar]');
    expect(bar?.getAttribute('aria-valuenow')).toBe('40');
    expect((await row('Works')).textContent).toContain('In progress40 %1,204 rows');
    await press('In progress', '[role=radio], [role=radiogroup] button, button');
    await see(() => expect(titles()).toEqual(['Works', 'Waits']));
    await press('Failed', 'button');
    await see(() => expect(titles()).toEqual(['Broke']));
  });

  // spec: 3.export.01
  it('says of each what it is about, when, by whom and how it stands', async () => {
    list(wireExport({ rows: 3 }));
    await server.open(LIST, 'point Exports 21-Nov-2026');
    const cells = [...(await row('point Exports')).querySelectorAll('td')].map(cell => cell.textContent);
    expect(cells.slice(0, 5)).toEqual([
      'point Exports 21-Nov-2026Points · 1 asset',
      'Nov-21-2026 5:00 AM – Nov-21-2026 5:02 AMAmerica/New_York',
      'Test administrator',
      'Nov-21-2026 5:02 AM',
      'Completed3 rows',
    ]);
  });

  // spec: 4.export.03
  it('asks again by itself while something is being made, and by hand', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    list(wireExport({ ...making }));
    await server.open(LIST, '1,204 rows');
    list(wireExport({ ...making, rows: 5000, progress: 0.8 }));
    await press('Refresh');
    await says('5,000 rows');
    list(wireExport());
    await vi.advanceTimersByTimeAsync(2000);
    await says('Completed');
    const asked = reads();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads()).toBe(asked);
    expect(all('button', 'Refresh')).toEqual([]);
  });

  // spec: 8.export.03 D.value.12
  it('says why one has failed, and who helps; one that was canceled has not', async () => {
    brand.set({ ...brand.get(), supportEmail: 'help@fire.example' });
    list(wireExport({ ...failed, error: 'It was canceled.' }));
    const router = await server.open(LIST, 'It was canceled.');
    expect(text()).not.toContain(FAILED);
    list(wireExport({ ...failed, error: 'The disk is full.' }));
    await router.navigate({ to: '/dashboard/data/exports/new' as '/' });
    await says('What should the files be about?');
    await router.navigate({ to: LIST as '/' });
    await says(`${FAILED} Please contact support at help@fire.example.`);
    expect((await row('point')).textContent).toContain('FailedThe disk is full.');
  });

  // spec: 8.export.01
  it.each([
    ['the message of the server', refusal('listExports.forbidden', { message: 'Ask Dana.' }), 'Ask Dana.'],
    ['none', refusal('listExports.forbidden', { message: '' }), 'Unknown failure'],
    ['no answer', silence, 'Connection failed.'],
  ])('that cannot be had says why: %s', async (_, said, words) => {
    server.answers['GET /organization/export'] = said;
    await server.open(LIST, words);
    list(wireExport());
    await press('Retry');
    await says('point Exports 21-Nov-2026');
  });

  it('without any leads to a new one, for who may make it', async () => {
    list();
    await server.open(LIST, 'No exports yet.');
    expect((await find('a', 'New export')).getAttribute('href')).toBe(`${LIST}/new`);
    signInTo({ permissions: ['export:read'] });
    await see(() => expect(all('a', 'New export')).toEqual([]));
  });
});

describe('a file', () => {
  // What becomes of a download then is the browser's to say.
  // spec: 7.report.04 8.export.04
  it('is downloaded from the address that the server gives', async () => {
    list(wireExport());
    server.answers[LINK] = answer('getFileLink.ok');
    await server.open(LIST, 'point Exports');
    const [csv, geojson] = all('tbody button', 'Download');
    expect([csv?.textContent, geojson?.textContent]).toEqual(['CSV 784 bytes', 'GeoJSON 1.7 kB']);
    await press('Download CSV 784 bytes of point Exports 21-Nov-2026', 'button');
    await see(() => expect(downloads).toHaveLength(1));
    expect(server.sent.at(-1)?.query).toBe('filename=01900000-0000-7000-8000-00000000e001.csv&is_downloadable=true');
    const { file_url } = recorded('getFileLink.ok');
    expect(downloads[0]).toBe(`${file_url} as points_2026-11-21_2026-11-21_America-New-York.zip`);
    expect(all('[role=alert]', '').map(element => element.textContent)).toEqual(['']);
  });

  // spec: 8.export.02
  it.each([
    ['is gone', refusal('getFileLink.not_found'), 'File not found'],
    ['has no address', () => answered('getFileLink.ok', { file_url: '' }), 'File not found'],
    ['cannot be asked for', silence, 'Connection failed.'],
  ])('that %s says so in its row alone', async (_, said, words) => {
    list(wireExport());
    server.answers[LINK] = said;
    await server.open(LIST, 'point Exports');
    await press('Download GeoJSON', 'button');
    await see(async () => expect((await row('point')).textContent).toContain(words));
    expect(document.querySelector('[role=alertdialog], [role=dialog]')).toBeNull();
    expect(downloads).toEqual([]);
    expect(all('[role=alert]', words)).toHaveLength(1);
  });
});

describe('an export', () => {
  // spec: 6.export.01
  it('of somebody else cannot be deleted, and says why', async () => {
    list(wireExport({ requested_by: 'u2', requested_by_name: 'Ron Okafor' }));
    await server.open(LIST, 'Ron Okafor');
    const button = await find('button', 'Delete point Exports');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    button.click();
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
    button.focus();
    await says('Only the export creator can delete');
    expect(document.querySelector('[role=alertdialog]')).toBeNull();
  });

  // spec: 8.dialog.03 7.export.05
  it('of oneself is deleted once that is confirmed; a refusal stands in the dialog', async () => {
    list(wireExport({ id: 'x1' }));
    await server.open(LIST, 'point Exports');
    await press('Delete point Exports', 'button');
    await says('Are you sure you want to delete this export?');
    server.answers['DELETE /organization/export/x1'] = refusal('deleteExport.not_creator');
    await press('Confirm', '[role=alertdialog] button');
    await see(() => expect(all('[role=alertdialog] [role=alert]', 'Only the export creator')).toHaveLength(1));
    server.answers['DELETE /organization/export/x1'] = () => {
      list();
      return answered('deleteExport.ok');
    };
    await press('Confirm', '[role=alertdialog] button');
    await says('No exports yet.');
    expect(server.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /organization/export/x1',
      'DELETE /organization/export/x1',
    ]);
  });

  it('without the right to delete has no such button', async () => {
    signInTo({ permissions: ['export:read'] });
    list(wireExport({ ...making }));
    await server.open(LIST, 'point Exports');
    expect(all('tbody button', '')).toEqual([]);
  });

  it('that is being made can be canceled', async () => {
    const row = wireExport({ id: 'x1', ...making });
    list(row);
    await server.open(LIST, 'point Exports');
    await press('Cancel point Exports', 'button');
    await says('Stop making this export?');
    server.answers['POST /organization/export/x1/cancel'] = () => {
      const canceled = wireExport({ id: 'x1', ...failed, error: 'It was canceled.' });
      list(canceled);
      return answered('cancelExport.ok', canceled);
    };
    await press('Confirm', '[role=alertdialog] button');
    await says('It was canceled.');
    expect(all('tbody button', 'Cancel')).toEqual([]);
  });
});
