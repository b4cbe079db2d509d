import { describe, expect, it } from 'vitest';
import { distanceText } from './format';
import { PRESETS, parseTripParams, type TripQuery, tripFaults, tripParams } from './trip';

const NOW = Date.parse('2026-11-21T10:42:30Z');
const HOUR = 3_600_000;
const ZONE = 'America/New_York';
const query = (over: Partial<TripQuery> = {}): TripQuery => ({
  things: ['a'],
  from: NOW - 8 * HOUR,
  to: NOW - HOUR,
  ...over,
});
const some = (count: number) => Array.from({ length: count }, (_, i) => `asset ${i}`);

describe('a trip query', () => {
  // spec: 5.trip.01 5.trip.02 9.limits.12
  it('asks for one to five assets', () => {
    expect(tripFaults(query({ things: [] }), NOW)).toEqual({ things: 'Must select at least 1 Asset' });
    for (const count of [1, 5]) expect(tripFaults(query({ things: some(count) }), NOW)).toEqual({});
    expect(tripFaults(query({ things: some(6) }), NOW)).toEqual({ things: '5 Assets max' });
  });

  // spec: 5.trip.03
  it('lies in the past, at both ends', () => {
    const past = 'Must be past date';
    expect(tripFaults(query({ to: NOW + 1 }), NOW)).toEqual({ to: past });
    expect(tripFaults(query({ from: NOW + 1, to: NOW + 2 }), NOW)).toEqual({ from: past, to: past });
    expect(tripFaults(query({ to: NOW }), NOW)).toEqual({});
  });

  // spec: 5.trip.04 5.trip.05 5.trip.06 9.limits.12
  it.each([
    [0, 'Dates must be different'],
    [-1, 'End time must be after Start time'],
    [1, undefined],
    [24 * HOUR, undefined],
    [24 * HOUR + 60_000, 'Select up to 24 hours'],
  ])('of %i ms says: %s', (ms, fault) => {
    const from = NOW - 48 * HOUR;
    expect(tripFaults(query({ from, to: from + ms }), NOW).to).toBe(fault);
  });

  it('needs both times', () => {
    expect(tripFaults(query({ from: 0 }), NOW)).toEqual({ from: 'Required' });
    expect(tripFaults(query({ from: 0, to: 0 }), NOW)).toEqual({ from: 'Required', to: 'Required' });
  });
});

describe('an address', () => {
  it('says a query and is read as the same', () => {
    const asked = query({ things: ['b', 'a'], from: NOW - HOUR + 250 });
    const said = tripParams(asked);
    expect(said).toEqual({ things: 'b,a', from: '2026-11-21T09:42:30.250Z', to: '2026-11-21T09:42:30Z' });
    expect(parseTripParams(said, NOW)?.query).toEqual(asked);
  });

  it('may say instants of another zone, and an asset twice', () => {
    const said = { things: 'a,,b,a', from: '2026-11-21T00:00:00-05:00', to: '2026-11-21T02:00-05:00' };
    const from = Date.parse('2026-11-21T05:00:00Z');
    expect(parseTripParams(said, NOW)).toEqual({
      query: { things: ['a', 'b'], from, to: from + 2 * HOUR },
      isSound: true,
      broken: [],
    });
  });

  it('asks nothing where it says nothing', () => {
    expect(parseTripParams({ things: undefined, from: undefined, to: undefined }, NOW)).toBeNull();
  });

  it('has what is broken in it named', () => {
    const asked = parseTripParams({ things: ',', from: 'yesterday', to: undefined }, NOW);
    expect(asked?.isSound).toBe(false);
    expect(asked?.broken).toEqual([
      { name: 'things', why: 'Must select at least 1 Asset' },
      { name: 'from', why: '"yesterday" is no time' },
      { name: 'to', why: 'is missing' },
    ]);
    for (const from of ['2026-13-45T99:99:99Z', '2026-11-20', '1795578573000', '-1', '2026-11-21T05:00:00'])
      expect(parseTripParams({ things: 'a', from, to: '2026-11-21T06:00:00Z' }, NOW)?.broken[0]?.name).toBe('from');
  });
});

describe('what the form offers', () => {
  const offer = (label: string, now: string) => {
    const { from, to, note } = PRESETS.find(one => one.label === label)?.time(Date.parse(now), ZONE) ?? {};
    return [from, to].map(at => new Date(at ?? 0).toISOString().slice(0, 16)).concat(note ?? []);
  };

  it('is the last eight hours to the minute, whatever the clocks do', () => {
    expect(offer('Last 8 hours', '2026-11-21T10:42:30Z')).toEqual(['2026-11-21T02:42', '2026-11-21T10:42']);
    expect(offer('Last 8 hours', '2026-11-01T10:00:00Z')).toEqual(['2026-11-01T02:00', '2026-11-01T10:00']);
  });

  it.each([
    // Eastern time is 5 hours behind UTC in winter, 4 in summer.
    ['2026-11-21T10:42:30Z', '2026-11-21T00:00', '2026-11-21T10:42'],
    ['2026-11-21T15:00:00Z', '2026-11-21T12:00', '2026-11-21T15:00'],
    ['2026-11-22T01:00:00Z', '2026-11-22T00:00', '2026-11-22T01:00'],
    // At the minute of the change, the shift that has ended.
    ['2026-11-21T12:00:20Z', '2026-11-21T00:00', '2026-11-21T12:00'],
    // A night in which clocks go forward has 11 hours, one in which they go back 13.
    ['2026-03-08T11:00:00Z', '2026-03-08T00:00', '2026-03-08T11:00'],
    ['2026-11-01T12:00:00Z', '2026-10-31T23:00', '2026-11-01T12:00'],
  ])('is the shift at %s', (now, from, to) => {
    expect(offer('This shift', now)).toEqual([from, to]);
  });

  it.each([
    ['2026-11-21T10:42:30Z', '2026-11-20T05:00', '2026-11-21T05:00', []],
    // Clocks went forward on Sunday, March 8: the day had 23 hours.
    ['2026-03-09T16:00:00Z', '2026-03-08T05:00', '2026-03-09T04:00', []],
    // They went back on Sunday, November 1: of its 25 hours a query takes 24.
    [
      '2026-11-02T16:00:00Z',
      '2026-11-01T05:00',
      '2026-11-02T05:00',
      ['Yesterday had 25 hours. These are its last 24.'],
    ],
  ])('is yesterday at %s', (now, from, to, note) => {
    expect(offer('Yesterday', now)).toEqual([from, to, ...note]);
    const time = { from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`) };
    expect(tripFaults({ things: ['a'], ...time }, Date.parse(now))).toEqual({});
  });
});

it('says a way in miles or kilometers', () => {
  const ways = [0, 676, 1609.344, 29_451, 160_940, 1_937_650];
  expect(ways.map(way => distanceText('mph', way))).toEqual([
    '0 mi',
    '0.42 mi',
    '1.0 mi',
    '18.3 mi',
    '100 mi',
    '1,204 mi',
  ]);
  expect(distanceText('km/h', 29_451)).toBe('29.5 km');
});
