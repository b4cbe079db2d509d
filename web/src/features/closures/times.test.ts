import { describe, expect, it } from 'vitest';
import { instantOfLocal, localText } from '~/model/localTime';
import { directionOf, distanceText } from './directions';
import { endOfDay } from './Times';

const NEW_YORK = 'America/New_York';

describe('times by the clock of an organization', () => {
  it('are read and written, also on the days that clocks change', () => {
    for (const [local, utc] of [
      ['2026-11-21T06:00', '2026-11-21T11:00:00.000Z'],
      ['2026-10-31T23:30', '2026-11-01T03:30:00.000Z'],
      ['2026-11-01T06:00', '2026-11-01T11:00:00.000Z'],
    ] as const) {
      const at = instantOfLocal(local, NEW_YORK);
      expect(new Date(at).toISOString()).toBe(utc);
      expect(localText(at, NEW_YORK)).toBe(local);
    }
    expect(instantOfLocal('', NEW_YORK)).toBe(0);
    expect(instantOfLocal('soon', NEW_YORK)).toBe(0);
    expect(localText(0, NEW_YORK)).toBe('');
  });

  it('end with the day, and not within the hour', () => {
    const end = (local: string) => localText(endOfDay(instantOfLocal(local, NEW_YORK), NEW_YORK), NEW_YORK);
    expect(end('2026-11-21T06:00')).toBe('2026-11-21T23:59');
    expect(end('2026-11-21T23:30')).toBe('2026-11-22T23:59');
    expect(end('2026-11-01T00:30')).toBe('2026-11-01T23:59'); // of 25 hours
    expect(end('2026-03-08T00:30')).toBe('2026-03-08T23:59'); // of 23
  });
});

describe('a line', () => {
  // spec: 3.enum.07
  it('has a direction of four, and a length', () => {
    const to = (lat: number, lng: number) =>
      directionOf([
        { lat: 39.7, lng: -75.5 },
        { lat, lng },
      ]);
    expect([to(39.8, -75.49), to(39.71, -75.4), to(39.6, -75.5), to(39.7, -75.6), to(39.7, -75.5)]).toEqual([
      'N',
      'E',
      'S',
      'W',
      '',
    ]);
    expect(directionOf([])).toBe('');
    expect([distanceText(100, 'mph'), distanceText(1609.344, 'mph')]).toEqual(['328 ft', '1.00 mi']);
    expect([distanceText(340, 'km/h'), distanceText(1240, 'km/h')]).toEqual(['340 m', '1.2 km']);
  });
});
