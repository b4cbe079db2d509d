// Trips of an asset, for tests.
import type { ThingTrips, Trip, TripPoint } from './wire';

export const T0 = Date.parse('2026-11-21T15:00:00.000Z');
export const iso = (at: number): string => new Date(at).toISOString();

/** A number 0…1 as good as random, the same each time for a seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const aPoint = (at: number, more: Partial<TripPoint> = {}): TripPoint => ({
  lat: 39.7,
  lng: -75.5,
  course: 90,
  speed: 10,
  timestamp: iso(at),
  ...more,
});

export function aTrip(points: TripPoint[], more: Partial<Trip> = {}): Trip {
  const [first, last] = [points[0]?.timestamp ?? iso(T0), points.at(-1)?.timestamp ?? iso(T0)];
  return {
    run_id: `run ${first}`,
    run_start: first,
    run_end: last,
    run_duration: (Date.parse(last) - Date.parse(first)) / 1000,
    is_active: false,
    is_clipped: false,
    drivers_alerted: null,
    distance: 1000,
    top_speed: 20,
    lights_on: 0,
    street_start: 'Main St',
    street_end: '9th St',
    stops: [],
    points,
    ...more,
  };
}

export const aThingsTrips = (more: Partial<ThingTrips> = {}): ThingTrips => ({
  thing_id: 'engine',
  runs: [],
  other: [],
  spans: [],
  lights: [],
  unreadable: [],
  ...more,
});

/** A drive to the east, a point each second from an instant on. */
export const drive = (from: number, seconds: number, speed: (second: number) => number = () => 10): TripPoint[] =>
  Array.from({ length: seconds }, (_, s) =>
    aPoint(from + s * 1000, { lng: -75.5 + s * 0.0001, lat: 39.7 + Math.sin(s / 40) * 0.002, speed: speed(s) }),
  );
