import { describe, expect, it } from 'vitest';
import { bytesText, EXPORT_PRESETS, type ExportAsk, exportFaults, exportState, exportTime } from './export';

const NOW = Date.parse('2026-11-26T16:10:30Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = 'America/New_York';

interface Over extends Partial<ExportAsk> {
  from?: number;
  to?: number;
}

const ask = ({ from = NOW - DAY, to = NOW - HOUR, ...over }: Over = {}): ExportAsk => ({
  title: 'point Exports 26-Nov-2026',
  organization_id: 'o1',
  use_utc: false,
  export_start_time: exportTime(from, ZONE),
  export_end_time: exportTime(to, ZONE),
  thing_uuids: ['a'],
  include_no_thing_il: false,
  closures_to_include: ['manual'],
  formats: ['csv'],
  mail_when_done: false,
  ...over,
});
const point = (over: Over) => exportFaults('point', ask(over), ZONE, NOW);

describe('an export', () => {
  // spec: 5.export.01
  it('has a title', () => {
    expect(point({})).toEqual({});
    expect(point({ title: '  ' })).toEqual({ title: 'Required' });
    expect(point({ title: 'x'.repeat(200) }).title).toMatch(/^Must be \d+ or fewer characters$/);
  });

  // spec: 5.export.03
  it.each([
    [0, 'Dates must be different'],
    [-1, 'End time must be after Start time'],
    [31 * DAY, undefined],
    [31 * DAY + 60_000, 'Exceeds max time range'],
    [32 * DAY, 'Exceeds max time range'],
  ])('of %i ms says: %s', (ms, fault) => {
    const from = NOW - 300 * DAY;
    expect(point({ from, to: from + ms }).export_end_time).toBe(fault);
  });

  // spec: 5.export.03
  it('spans days of the calendar: one with a change of the clock has an hour more', () => {
    const from = Date.parse('2026-10-10T00:00:00-04:00');
    const to = Date.parse('2026-11-10T00:00:00-05:00');
    expect(to - from).toBe(31 * DAY + HOUR);
    expect(point({ from, to })).toEqual({});
    expect(exportFaults('point', ask({ from, to }), 'UTC', NOW).export_end_time).toBe('Exceeds max time range');
  });

  // spec: 5.export.03 5.export.04
  it('lies in the past and has both times', () => {
    expect(point({ to: NOW + 1 })).toEqual({ export_end_time: 'Must be past date' });
    expect(point({ to: NOW })).toEqual({});
    expect(point({ from: 0, to: 0 })).toEqual({ export_start_time: 'Required', export_end_time: 'Required' });
    expect(point({ from: NOW + 1, to: 0 }).export_start_time).toBe('Must be past date');
  });

  // spec: 5.export.05
  it('of points names its assets; others mean all of them', () => {
    expect(point({ thing_uuids: [] })).toEqual({ thing_uuids: 'Must select at least 1 Asset' });
    for (const type of ['incident', 'asset'] as const)
      expect(exportFaults(type, ask({ thing_uuids: [] }), ZONE, NOW)).toEqual({});
    const many = Array.from({ length: 501 }, (_, i) => `asset ${i}`);
    expect(point({ thing_uuids: many })).toEqual({ thing_uuids: '500 Assets max' });
  });

  // spec: 5.export.06
  it('of closures names a type or an asset', () => {
    const closure = (over: Over) => exportFaults('closure', ask(over), ZONE, NOW);
    expect(closure({ closures_to_include: [], thing_uuids: [] })).toEqual({
      closures_to_include: 'Must include at least 1 Closure type or Asset',
    });
    expect(closure({ closures_to_include: [] })).toEqual({});
    expect(closure({ thing_uuids: [] })).toEqual({});
  });

  it('has a format', () => {
    expect(point({ formats: [] })).toEqual({ formats: 'Choose at least one format' });
  });
});

it('offers times that can be asked for', () => {
  const text = (at: number) => new Date(at).toISOString();
  const times = EXPORT_PRESETS.map(({ label, time }) => [label, time(NOW, ZONE)] as const);
  for (const [, { from, to }] of times) expect(point({ from, to })).toEqual({});
  expect(times.map(([label, { from, to }]) => [label, text(from), text(to)])).toEqual([
    ['Last 24 hours', '2026-11-25T16:10:00.000Z', '2026-11-26T16:10:00.000Z'],
    ['Last 7 days', '2026-11-19T16:10:00.000Z', '2026-11-26T16:10:00.000Z'],
    ['Last calendar month', '2026-10-01T04:00:00.000Z', '2026-11-01T04:00:00.000Z'],
  ]);
  // In January it is the December of the year before.
  const { from } = EXPORT_PRESETS[2]?.time(Date.parse('2026-01-05T00:00:00Z'), 'UTC') ?? { from: 0 };
  expect(text(from)).toBe('2025-12-01T00:00:00.000Z');
});

// spec: 3.enum.10 4.export.01 4.export.02
it('that waits is in progress, and one that was stopped has not failed', () => {
  expect(exportState({ status: 'requested', error: null })).toBe('making');
  expect(exportState({ status: 'in_progress', error: null })).toBe('making');
  expect(exportState({ status: 'completed', error: null })).toBe('completed');
  expect(exportState({ status: 'errored', error: 'The disk is full.' })).toBe('failed');
  expect(exportState({ status: 'errored', error: 'It was canceled.' })).toBe('canceled');
});

it('says how large a file is', () => {
  const sizes = [0, 999, 1000, 820_400, 999_960, 4_200_000, 3_000_000_000].map(bytesText);
  expect(sizes).toEqual(['0 bytes', '999 bytes', '1.0 kB', '820 kB', '1.0 MB', '4.2 MB', '3.0 GB']);
});
