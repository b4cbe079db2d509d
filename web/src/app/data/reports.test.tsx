// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recorded } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import { monthlyFigures } from '~/model/monthlyReport';
import { all, answer, find, press, refusal, type Stage, says, see, silence, stage, text } from '../accounts/testing';
import { signInTo } from './testing';

const LIST = '/dashboard/data/reports';
const LIST_CALL = 'GET /reports/o1/organization_monthly_report_list';
const LINK_CALL = 'GET /reports/organization_monthly_report_pdf_link';
const MAY = ['report:read', 'thing:read', 'incident:read', 'trip:read', 'closure:read'];
/** An organization's id as addresses say it: the recorded one, which is signed in to here. */
const { organization_id: ORG } = recorded('getMonthlyReport.first').data;
const MONTH = `${LIST}/${ORG}/2026/11`;
const MONTH_CALL = `GET /reports/${ORG}/2026/11`;
const LATER_CALL = `GET /reports/${ORG}/2026/12`;

let server: Stage;
let downloads: string[];

beforeEach(() => {
  server = stage();
  signInTo({ permissions: MAY });
  server.answers[LIST_CALL] = answer('listMonthlyReports.ok');
  server.answers[MONTH_CALL] = answer('getMonthlyReport.first');
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  downloads = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.isConnected) this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    else downloads.push(`${this.getAttribute('href')} as ${this.download}`);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

/** The switch of a label. */
const box = (words: string): HTMLInputElement => {
  const [input] = all('label', words).map(label => label.querySelector('input'));
  if (!input) throw new Error(`no switch "${words}" in: ${text()}`);
  return input;
};
const tile = (name: string) => find('li', name);
const cellsOf = async (name: string) =>
  [...(await find('tbody tr', name)).querySelectorAll('td')].map(cell => cell.textContent);

describe('the list of monthly reports', () => {
  // spec: 3.report.01 7.report.01
  it('has a row for each month, whose it is and whether it may still change', async () => {
    await server.open(LIST, 'November 2026');
    expect(await cellsOf('November 2026')).toEqual([
      'November 2026Nov-01-2026 to Nov-30-2026',
      'Harbor CountyAmerica/New_York',
      'Dec-02-2026 7:00 AMMay change until Dec-31-2026 3:00 AM',
      '1',
      'PDF',
    ]);
    expect((await find('tbody a', 'November 2026')).getAttribute('href')).toBe(MONTH);
  });

  // spec: 5.report.01 7.report.02
  it('keeps the order of the server and is narrowed by year and organization', async () => {
    const [row] = recorded('listMonthlyReports.ok').data;
    if (!row) throw new Error('no report is recorded');
    server.answers[LIST_CALL] = answer('listMonthlyReports.ok', [
      { ...row, file_id: 'a', year: 2027, month: 1 },
      { ...row, file_id: 'b', year: 2026, month: 12, organization_id: 'm0', organization_name: 'Alpha' },
      { ...row, file_id: 'c', year: 2026, month: 12 },
    ]);
    await server.open(LIST, 'January 2027');
    const rows = () => all('tbody tr', '').map(one => one.textContent?.replace(/Nov-01.*2026(?=[AH])/, ' '));
    expect(rows().map(one => one?.slice(0, 20))).toEqual(
      ['January 2027 Harbor ', 'December 2026 Alpha', 'December 2026 Harbor'].map(one =>
        expect.stringContaining(one.trim()),
      ),
    );
    await press('All organizations', 'button');
    await press('Alpha', '[role=option]');
    await see(() => expect(rows()).toHaveLength(1));
    expect(text()).toContain('1 of 3');
  });

  it.each([
    ['the message of the server', refusal('listMonthlyReports.forbidden', { message: 'Ask Dana.' }), 'Ask Dana.'],
    ['no answer', silence, 'Connection failed.'],
  ])('that cannot be had says why: %s', async (_, said, words) => {
    server.answers[LIST_CALL] = said;
    await server.open(LIST, words);
    server.answers[LIST_CALL] = answer('listMonthlyReports.ok');
    await press('Retry');
    await says('November 2026');
  });

  it('mails who asks, each organization by itself, and says so where that fails', async () => {
    server.answers[`PUT /reports/${ORG}/mail`] = answer('chooseMonthlyMail.ok', { mail: false });
    await server.open(LIST, 'Your mail');
    const own = () => box('Mail me the report of Harbor County each month');
    const managed = () => box('Mail me the report of Managed Towing each month');
    expect([own().checked, managed().checked]).toEqual([true, false]);
    own().click();
    await says('You will not be mailed');
    await see(() => expect([own().checked, managed().checked]).toEqual([false, false]));
    expect(server.writes()).toMatchObject([{ path: `/reports/${ORG}/mail`, body: { mail: false } }]);
    server.answers[`PUT /reports/${ORG}/mail`] = refusal('chooseMonthlyMail.not_found', { message: 'Ask Dana.' });
    own().click();
    await says('Ask Dana.');
    await see(() => expect([own().checked, own().disabled]).toEqual([false, false]));
  });

  it('mails also before there is a report', async () => {
    const mail = recorded('listMonthlyReports.ok').mail.filter(one => one.organization_id === ORG);
    server.answers[LIST_CALL] = answer('listMonthlyReports.empty', undefined, {
      mail: mail.map(one => ({ ...one, mail: false })),
    });
    server.answers[`PUT /reports/${ORG}/mail`] = answer('chooseMonthlyMail.ok');
    await server.open(LIST, 'No reports yet.');
    box('Mail me this report each month').click();
    await see(() => expect(box('Mail me this report each month').checked).toBe(true));
    expect(server.writes()).toMatchObject([{ body: { mail: true } }]);
  });

  it('is shown of an organization to who acts for it alone', async () => {
    signInTo({ permissions: MAY, at: 'o2' });
    await server.open(LIST, "You can't see the reports of Organization o2.");
    expect(server.sent).toEqual([]);
  });
});

describe('a monthly report', () => {
  it('tells every figure, what it means and how it has changed', async () => {
    const { figures } = recorded('getMonthlyReport.first').data;
    server.answers[LATER_CALL] = answer('getMonthlyReport.year', {
      figures: { ...figures, closures: { ...figures.closures, total: 3 } },
    });
    await server.open(`${LIST}/${ORG}/2026/12`, 'December 2026');
    for (const { displayName, means } of monthlyFigures) {
      expect(text()).toContain(displayName);
      expect(text()).toContain(means);
    }
    expect((await tile('Incidents')).textContent).toBe('Incidents2Same as in November2 more than in December 2025');
    expect((await tile('Closures')).textContent).toBe(
      'Closures31 more than in November (+50%)3 more than in December 2025',
    );
    expect((await tile('Drivers alerted')).textContent).toMatch(
      /^Drivers alerted0Same as in NovemberNot known for December 2025/,
    );
    expect((await tile('Time to scene')).textContent).toMatch(/^Time to scene, median13 min 20 sSame/);
  });

  it('says what it cannot tell, whose it is, and that there is nothing to compare it with', async () => {
    await server.open(MONTH, 'What this report cannot tell');
    for (const words of [
      'Harbor County',
      'Nov-01-2026 to Nov-30-2026, America/New_York · Made Dec-02-2026 7:00 AM · Version 1',
      'Assets were heard of in 0% of the month.',
      'Refused reports were not counted for this month.',
      'Requests of public feeds were not counted for the whole month.',
      'until Dec-31-2026 3:00 AM the report can change',
      'No report of October',
    ])
      expect(text()).toContain(words);
    expect((await tile('Feed requests')).textContent).toMatch(/^Feed requestsnot counted/);
  });

  it('mails who asks', async () => {
    server.answers[`PUT /reports/${ORG}/mail`] = answer('chooseMonthlyMail.ok', { mail: false });
    await server.open(MONTH, 'Your mail');
    expect(box('Mail me this report each month').checked).toBe(true);
    box('Mail me this report each month').click();
    await says('You will not be mailed');
    await see(() => expect(box('Mail me this report each month').checked).toBe(false));
  });

  it('draws its days, with a table behind each chart', async () => {
    await server.open(MONTH, 'Incidents by day');
    const chart = await find('figure', 'Incidents by day');
    expect(chart.querySelectorAll('svg title')).toHaveLength(30);
    expect(chart.textContent).toContain('Most: 1 on Sat, Nov-21');
    const rows = [...chart.querySelectorAll('tbody tr')].map(row => row.textContent);
    expect(rows).toHaveLength(30);
    expect(rows.filter(row => row?.endsWith('1') && !/0$/.test(row))).toContain('Sat, Nov-211');
  });

  it('is light on paper', async () => {
    document.documentElement.dataset.theme = 'dark';
    await server.open(MONTH, 'Incidents by day');
    window.dispatchEvent(new Event('beforeprint'));
    expect(document.documentElement.dataset.theme).toBe('light');
    window.dispatchEvent(new Event('afterprint'));
    expect(document.documentElement.dataset.theme).toBe('dark');
  });

  it.each([
    ['has none', `${LIST}/${ORG}/2026/10`, refusal('getMonthlyReport.not_found'), 'There is no report of this month.'],
    ['is none', `${LIST}/${ORG}/2026/13`, undefined, 'There is no report of this month.'],
    ['cannot be had', `${LIST}/${ORG}/2026/10`, silence, 'Connection failed.'],
  ])('of a month that %s says so', async (_, path, said, words) => {
    if (said) server.answers[`GET /reports/${ORG}/2026/10`] = said;
    await server.open(path, words);
    expect(server.sent.filter(call => call.path.endsWith('/13'))).toEqual([]);
  });

  // spec: 7.report.03
  it('is downloaded as PDF from the address that the server gives', async () => {
    server.answers[LINK_CALL] = answer('getFileLink.report');
    await server.open(MONTH, 'Download PDF');
    await press('Download PDF', 'button');
    await see(() => expect(downloads).toHaveLength(1));
    expect(server.sent.at(-1)?.query).toBe(`filename=${recorded('getMonthlyReport.first').data.file_id}`);
    expect(downloads[0]).toBe(`${recorded('getFileLink.report').file_url} as monthly-report-2026-11.pdf`);
    server.answers[LINK_CALL] = refusal('getFileLink.not_found');
    await press('Download PDF', 'button');
    await says('File not found');
  });
});

describe('the rows behind a figure', () => {
  const rows = (of: 'assets' | 'incidents' | 'runs' | 'closures') => {
    server.answers[`${MONTH_CALL}/rows`] = answer(`listMonthlyReportRows.${of}`);
    return server.open(`${MONTH}/${of}`, `of November 2026`);
  };

  it('are opened by it', async () => {
    await server.open(MONTH, 'Incidents by day');
    server.answers[`${MONTH_CALL}/rows`] = answer('listMonthlyReportRows.runs');
    const link = await find('li a', 'Runs');
    expect(link.getAttribute('href')).toBe(`${MONTH}/runs`);
    link.click();
    await says('Runs of November 2026');
    await says('1 of 1');
    const asked = server.sent.filter(call => call.path.endsWith('/rows')).map(call => call.query);
    expect(asked).toEqual(['of=runs&page=1&per_page=100']);
  });

  it('tell of incidents the stays at each', async () => {
    await rows('incidents');
    await says('2 of 2');
    expect(await cellsOf('13 min 20 s')).toEqual([
      'Incident',
      'Nov-21-2026 5:13 AM2 min',
      'Engine 4',
      '13 min 20 s',
      '2 min',
    ]);
    expect(await cellsOf('Not ended')).toEqual(['Incident', 'Nov-30-2026 6:40 PMNot ended', 'Engine 5', '–', '–']);
  });

  it('tell of an asset its part of the figures', async () => {
    await rows('assets');
    await says('2 of 2');
    expect(await cellsOf('Engine 4')).toEqual([
      ...['Engine 4Fire', '1', '10.7 mi', '13.8 mi', '12 min', '50', '0.1%', '9', 'not counted'],
    ]);
  });

  it('tell of closures how long each was active', async () => {
    await rows('closures');
    await says('2 of 2');
    expect(await cellsOf('Expired')).toEqual([
      ...['Paving', 'Unknown', 'Nov-21-2026 5:16 AMUntil Nov-21-2026 7:16 AM', '2 h', '0 s', 'Expired'],
    ]);
  });

  it('lead on, as far as the user may see it there', async () => {
    const { thing_id, run_id, start_at } = recorded('listMonthlyReportRows.runs').runs[0] ?? {};
    signInTo({ permissions: MAY, own: ORG });
    await rows('runs');
    const link = await find('tbody a', 'Nov-21-2026 5:00 AM');
    const from = String(start_at).slice(0, 17);
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toBe(
      `/dashboard/trips/${thing_id}/${run_id}?things=${thing_id}&from=${from}00Z&to=2026-11-21T10:15:00Z`,
    );
    signInTo({ permissions: ['report:read'], own: ORG });
    await see(() => expect(all('tbody a', '')).toEqual([]));
  });

  it('are read on where there are more', async () => {
    const { meta, runs } = recorded('listMonthlyReportRows.runs');
    server.answers[`${MONTH_CALL}/rows`] = ({ query }) =>
      answer('listMonthlyReportRows.runs', {
        meta: { ...meta, total: 101 },
        runs: runs.map(run => ({ ...run, run_id: query, name: query.includes('page=2') ? 'Engine 9' : 'Engine 4' })),
      })();
    await server.open(`${MONTH}/runs`, '1 of 101');
    await press('Show more', 'button');
    await says('Engine 9');
    expect(all('tbody tr', '')).toHaveLength(2);
    expect(all('button', 'Show more')).toEqual([]);
  });

  it('are none, or cannot be had', async () => {
    server.answers[`${MONTH_CALL}/rows`] = silence;
    await server.open(`${MONTH}/runs`, 'Connection failed.');
    server.answers[`${MONTH_CALL}/rows`] = answer('listMonthlyReportRows.assets', { runs: [] } as never);
    await press('Retry');
    await says('No runs in this month.');
  });
});
