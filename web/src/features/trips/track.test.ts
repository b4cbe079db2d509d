import { describe, expect, it } from 'vitest';
import { headAt, headText, statesOf } from './heads';
import { lineOf } from './simplify';
import { aPoint, aThingsTrips, aTrip, drive, iso, random, T0 } from './testtrips';
import { GAP_MS, indexAt, linesOf, placeAt, shadeOf, stretchAt, trackOf } from './track';

const words = { timeZone: 'UTC', speedUnit: 'mph' } as never;

/** A track of one trip with these points. */
const trackWith = (points: ReturnType<typeof drive>) => trackOf({ runs: [aTrip(points)], other: [] });

describe('the columns of an asset', () => {
  it('have its trips oldest first, whichever list they come in', () => {
    const track = trackOf({
      runs: [aTrip(drive(T0 + 9e6, 3)), aTrip(drive(T0, 5))],
      other: [aTrip(drive(T0 + 3e6, 4)), aTrip([])],
    });
    expect(track.trips.map(({ isRun, from, to }) => [isRun, from, to])).toEqual([
      [true, 0, 5],
      [false, 5, 9],
      [true, 9, 12],
    ]);
    expect([...track.time]).toEqual([...track.time].sort((a, b) => a - b));
  });

  it('hold a day of a point each second, and are cut into what is drawn', () => {
    const track = trackWith(drive(T0, 86_400, s => (s % 120) / 5));
    const { stretches, parts } = linesOf(track, { from: 0, to: track.size }, []);
    expect(track.size).toBe(86_400);
    expect(stretches).toEqual([[0, 86_399]]);
    expect(parts[0]?.from).toBe(0);
    expect(parts.at(-1)?.to).toBe(86_399);
    // Four shades up, one step down, each two minutes.
    expect(parts.length).toBe(720 * 4);
    for (let i = 1; i < parts.length; i++) expect(parts[i]?.from).toBe(parts[i - 1]?.to);
  });
});

describe('where an asset was', () => {
  const track = trackWith([
    aPoint(T0, { lng: -75, course: 350, speed: 4 }),
    aPoint(T0 + 10_000, { lng: -74.9, course: 10, speed: 8 }),
    aPoint(T0 + 40_000, { lng: -74.8 }),
    aPoint(T0 + 40_000 + GAP_MS + 1, { lng: -74.7 }),
  ]);

  it('lies between two points that are near in time, the short way round', () => {
    const place = placeAt(track, T0 + 5000);
    expect(place?.lng).toBeCloseTo(-74.95, 9);
    expect(place?.course).toBeCloseTo(0, 9);
    expect(place?.speed).toBeCloseTo(6, 5);
    expect(place?.isInGap).toBe(false);
  });

  it('is the last point where the next one is farther off, and says so in a gap', () => {
    expect(placeAt(track, T0 + 30_000)).toMatchObject({ lng: -74.9, isInGap: false, seen: T0 + 10_000 });
    expect(placeAt(track, T0 + 41_000)).toMatchObject({ lng: -74.8, isInGap: true, seen: T0 + 40_000 });
    expect(placeAt(track, T0 + 40_000 + GAP_MS)).toMatchObject({ lng: -74.8, isInGap: true });
  });

  it('is not known before the first point, and after the last one only for a while', () => {
    const last = T0 + 40_000 + GAP_MS + 1;
    expect(placeAt(track, T0 - 1)).toBeNull();
    expect(placeAt(track, last + GAP_MS)?.isInGap).toBe(false);
    expect(placeAt(track, last + GAP_MS + 1)?.isInGap).toBe(true);
  });

  it('has no course where a point has none', () => {
    const still = trackWith([aPoint(T0, { course: null }), aPoint(T0 + 1000)]);
    expect(placeAt(still, T0 + 500)?.course).toBeNull();
  });

  it('is found among random times as a search from the start finds it', () => {
    const next = random(7);
    const times = Float64Array.from({ length: 300 }, () => Math.floor(next() * 1000)).sort();
    for (let at = -1; at < 1001; at++) expect(indexAt(times, at)).toBe(times.findLastIndex(time => time <= at));
  });
});

describe('what is drawn of a trip', () => {
  it('is cut where the lights go on and off; neighbors share a point', () => {
    const track = trackWith(drive(T0, 100));
    const { parts } = linesOf(track, { from: 0, to: 100 }, [{ start: T0 + 20_000, end: T0 + 50_000 }]);
    expect(parts.map(({ from, to, isLit }) => [from, to, isLit])).toEqual([
      [0, 20, false],
      [20, 50, true],
      [50, 99, false],
    ]);
  });

  it('keeps a shade while the speed sways about a border', () => {
    expect(shadeOf(4.9)).toBe(0);
    expect(shadeOf(5.3, 0)).toBe(0);
    expect(shadeOf(4.6, 1)).toBe(1);
    expect(shadeOf(5.8, 0)).toBe(1);
    expect(shadeOf(25, 0)).toBe(3);
  });

  it('never reaches over a gap, and misses nothing else: random trips', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      let at = T0;
      const points = Array.from({ length: 200 }, () => {
        at += next() < 0.08 ? GAP_MS + 1 + next() * 1e6 : next() < 0.1 ? GAP_MS : 1000;
        return aPoint(at, { lng: -75 + next(), speed: next() * 30 });
      });
      const track = trackWith(points);
      const lights = [{ start: T0 + next() * 1e6, end: T0 + 2e6 }];
      const { stretches, parts, edges } = linesOf(track, { from: 0, to: 200 }, lights);
      const joined = new Set<number>();
      for (const [from, to] of [...stretches, ...parts.map(({ from, to }) => [from, to] as const)]) {
        for (let i = from; i < to; i++) {
          expect((track.time[i + 1] as number) - (track.time[i] as number)).toBeLessThanOrEqual(GAP_MS);
          joined.add(i);
        }
      }
      const gaps = Array.from({ length: 199 }, (_, i) => i).filter(i => !joined.has(i));
      for (const i of gaps) expect((track.time[i + 1] as number) - (track.time[i] as number)).toBeGreaterThan(GAP_MS);
      expect(edges).toEqual(gaps.flatMap(i => [i, i + 1]));
    }
  });

  it('has only the points that a straight line would miss, and both ends', () => {
    const straight = trackWith(Array.from({ length: 500 }, (_, s) => aPoint(T0 + s * 1000, { lng: -75 + s * 1e-4 })));
    expect(lineOf(straight, 0, 499)).toHaveLength(2);
    const still = trackWith(Array.from({ length: 5000 }, (_, s) => aPoint(T0 + s * 1000)));
    expect(lineOf(still, 0, 4999)).toHaveLength(2);
    const corner = trackWith(
      [0, 1, 2, 3, 4].map(s =>
        aPoint(T0 + s, { lng: -75 + Math.min(s, 2) * 1e-3, lat: 39 + Math.max(0, s - 2) * 1e-3 }),
      ),
    );
    expect(lineOf(corner, 0, 4)).toHaveLength(3);
  });
});

describe('an asset at an instant', () => {
  const trips = aThingsTrips({
    runs: [aTrip(drive(T0, 60))],
    spans: [
      { start: iso(T0), end: iso(T0 + 60_000), state: 'moving' },
      { start: iso(T0 + 60_000), end: iso(T0 + 900_000), state: 'standing' },
      { start: iso(T0 + 900_000), end: iso(T0 + 2_000_000), state: 'silent' },
    ],
    lights: [{ start: iso(T0), end: iso(T0 + 30_000) }],
  });
  const say = (at: number) => headText(headAt(trackOf(trips), statesOf(trips), at), words);

  it('is said in words: moving, standing without points, or since when there are no data', () => {
    expect(say(T0 + 10_000)).toBe('Moving · 22 mph · Lights on');
    expect(say(T0 + 40_000)).toBe('Moving · 22 mph');
    expect(say(T0 + 600_000)).toBe('Standing');
    expect(say(T0 + 1_000_000)).toBe('No data since 3:15 PM');
  });

  it('ends a stretch before its last instant', () => {
    const { spans } = statesOf(trips);
    expect(stretchAt(spans, T0 + 60_000)?.state).toBe('standing');
    expect(stretchAt(spans, T0 + 2_000_000)).toBeUndefined();
  });
});
