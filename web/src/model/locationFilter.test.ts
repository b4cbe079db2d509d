import { describe, expect, it } from 'vitest';
import { locationOfWire } from './location';
import { countLocations, LOCATION_TIMES, passesLocation, recentFrom, USUAL_TIME } from './locationFilter';
import { searchOf } from './search';
import { wireLocation, wireLocationThing } from './testing';

/** 5:30 PM in New York, 10:30 PM UTC. */
const NOW = Date.parse('2026-11-21T22:30:00.000Z');
const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

const active = (hours: number) => locationOfWire(wireLocation({ id: `a${hours}`, start_time: ago(hours) }));
/** One that ended so many hours ago. */
const ended = (hours: number) =>
  locationOfWire(wireLocation({ id: `e${hours}`, is_active: false, start_time: ago(hours + 1), end_time: ago(hours) }));

describe('the times of events', () => {
  const shown = (time: (typeof LOCATION_TIMES)[number], zone: string) =>
    [active(30), ended(1), ended(18), ended(23.5), ended(25), ended(167), ended(169)]
      .filter(l => passesLocation(l, '', recentFrom(time, NOW, zone)))
      .map(l => l.id);

  // spec: 2.events.01 4.filter.06 9.limits.10
  it.each([
    ['active', 'America/New_York', ['a30']],
    ['today', 'America/New_York', ['a30', 'e1']],
    ['today', 'UTC', ['a30', 'e1', 'e18']],
    ['day', 'America/New_York', ['a30', 'e1', 'e18', 'e23.5']],
    ['all', 'America/New_York', ['a30', 'e1', 'e18', 'e23.5', 'e25', 'e167']],
  ] as const)('%s in %s', (time, zone, ids) => {
    expect(shown(time, zone)).toEqual(ids);
    expect([LOCATION_TIMES.includes(time), USUAL_TIME]).toEqual([true, 'day']);
  });

  it('today has 25 hours where clocks are set back', () => {
    const noon = Date.parse('2026-11-01T17:00:00.000Z');
    expect(recentFrom('today', noon, 'America/New_York')).toBe(Date.parse('2026-11-01T04:00:00.000Z'));
  });
});

// spec: 4.events.01
it('each event is counted once, as active or as recent', () => {
  expect(countLocations([active(30), ended(1), ended(25), ended(169)], NOW)).toEqual({ active: 1, recent: 2 });
});

describe('the search of events', () => {
  const there = wireLocationThing({
    external_id: 'API-9',
    haas_id: 'HA7-00412',
    nickname: 'Engine 4',
    vin_number: '1FTEW1E5',
    license_plate_number: 'DE-4411',
    registry_number: 'R77',
  });
  const row = locationOfWire(
    wireLocation({
      external_id: 'CAD-2031',
      street: 'W 9th St',
      things_active: [there],
      things_inactive: [wireLocationThing({ id: 'left', nickname: 'Medic 2' })],
    }),
  );

  // spec: 5.search.05
  it.each([
    ['cad-20', true],
    [' W 9TH ', true],
    ['engine', true],
    ['ha7-00412', true],
    ['api-9', true],
    ['ftew', true],
    ['4411', true],
    ['r77', true],
    ['medic', true],
    ['', true],
    ['st engine', false],
    ['ladder', false],
  ])('%j', (text, found) => {
    expect(passesLocation(row, searchOf(text), 0)).toBe(found);
  });
});
