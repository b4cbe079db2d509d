import { expect, it } from 'vitest';
import { recorded } from '~/api/recorded';
import { blank, fullText, goesText, holdSchema, holdStatus, keptText, newHoldOf, spanText } from './retention';

const zone = 'America/New_York';

it('says how long data is kept', () => {
  expect([395, 730, 90, 30, 1, null].map(keptText)).toEqual([
    '13 months',
    '24 months',
    '90 days',
    '30 days',
    '1 day',
    'Not deleted',
  ]);
});

it('says when the disk is full', () => {
  const at = (days_until_full: number | null, disk_bytes = 1) => fullText({ days_until_full, disk_bytes });
  expect([at(null), at(null, 0), at(0), at(1), at(45), at(400), at(2000)]).toEqual([
    'Not within ten years',
    'Not known: the database is on another server',
    'Today',
    'In about 1 day',
    'In about 45 days',
    'In about 13 months',
    'In about 5 years',
  ]);
});

it('says when the oldest of a kind goes', () => {
  const [points] = recorded('getRetention.ok').data.kinds;
  if (!points) throw new Error('no kind was recorded');
  const row = {
    ...points,
    oldest_at: '2026-01-01T12:00:00.000Z',
    next_purge_at: '2027-01-31T12:00:00.000Z',
    is_held: false,
  };
  expect(goesText(row, zone)).toBe('Jan-31-2027');
  expect(goesText({ ...row, is_held: true }, zone)).toBe('Held');
  expect(goesText({ ...row, oldest_at: null, next_purge_at: null }, zone)).toBe('Nothing yet');
  expect(goesText({ ...row, kept_days: null }, zone)).toBe('Never');
});

it('says what a hold keeps and how it stands', () => {
  const spans: readonly [string | null, string | null][] = [
    ['2026-10-01T04:00:00.000Z', '2026-10-02T03:59:59.999Z'],
    ['2026-10-01T04:00:00.000Z', '2026-11-01T03:59:59.999Z'],
    ['2026-10-01T04:00:00.000Z', null],
    [null, '2026-10-02T03:59:59.999Z'],
    [null, null],
  ];
  expect(spans.map(([from, to]) => spanText({ from, to }, zone))).toEqual([
    'Oct-01-2026',
    'Oct-01-2026 to Oct-31-2026',
    'From Oct-01-2026 on',
    'Until Oct-01-2026',
    'All time',
  ]);
  const rows = recorded('listLegalHolds.ok').data;
  expect(rows.map(row => holdStatus(row, zone).text).sort()).toEqual(['In force', 'Lifted']);
  const [stands] = rows.filter(row => row.stands);
  if (!stands) throw new Error('no hold that stands was recorded');
  expect(holdStatus({ ...stands, stands: false }, zone).text).toBe('Ended');
  expect(holdStatus({ ...stands, ends_at: null }, zone).sub).toBe('until lifted');
});

it('sends whole days of the organization, also those that are an hour longer', () => {
  const form = { ...blank, reason: 'Case 1', scope: 'all' as const, from: '2026-11-01', to: '2026-11-01' };
  expect(newHoldOf(form, 'o1', zone)).toEqual({
    reason: 'Case 1',
    organization_id: 'o1',
    from: '2026-11-01T04:00:00.000Z',
    to: '2026-11-02T04:59:59.999Z',
  });
  expect(newHoldOf({ ...blank, reason: 'x', scope: 'one', thing_id: 't' }, 'o1', zone)).toEqual({
    reason: 'x',
    organization_id: 'o1',
    thing_id: 't',
  });
});

it('holds a new hold to its rules', () => {
  const faults = (change: object) =>
    holdSchema.safeParse({ ...blank, reason: 'x', ...change }).error?.issues.map(one => one.path.join()) ?? [];
  expect(faults({})).toEqual([]);
  expect(faults({ reason: ' ' })).toEqual(['reason']);
  expect(faults({ scope: 'one' })).toEqual(['thing_id']);
  expect(faults({ from: '2026-10-02', to: '2026-10-01' })).toEqual(['to']);
});
