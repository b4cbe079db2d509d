// The section of trips drawn in a page of its own, for tests.
import { liveStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import { openSection } from '~/section/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { trips } from './section';
import type { ThingTrips, Trip } from './wire';

const MINUTE = 60_000;

/** Ids as the server has them; the last digit tells them apart. */
export const idOf = (n: number): string => `01900000-0000-7000-8000-00000000000${n}`;
export const NAMES = ['Engine 4', 'Ladder 1', 'Rescue 7', 'Truck 12', 'Medic 3', 'Chief 1'] as const;

/** So many minutes before T0, as the wire says it. */
export const ago = (minutes: number): string => new Date(T0 - minutes * MINUTE).toISOString();

/** A trip that began so many minutes before T0, of so many minutes; `over` replaces fields. */
export function wireTrip(run_id: string, began: number, minutes: number, over: Partial<Trip> = {}): Trip {
  const point = (after: number) => ({
    lat: 39.7447 + after / 1000,
    lng: -75.5484,
    course: 12,
    speed: 8,
    timestamp: ago(began - after),
  });
  return {
    run_id,
    run_start: ago(began),
    run_end: ago(began - minutes),
    run_duration: minutes * 60,
    is_active: false,
    is_clipped: false,
    drivers_alerted: null,
    distance: 6759,
    top_speed: 21.4579,
    lights_on: 540,
    street_start: 'N Market St',
    street_end: 'E 14th St',
    stops: [],
    points: [0, 1, 2].map(point),
    ...over,
  };
}

/** What an asset did. */
export const wireTrips = (n: number, over: Partial<ThingTrips> = {}): ThingTrips => ({
  thing_id: idOf(n),
  runs: [],
  other: [],
  spans: [],
  lights: [],
  unreadable: [],
  ...over,
});

/** The assets of the organization, in the live picture. */
export function load(count = NAMES.length): void {
  const rows = NAMES.slice(0, count).map((nickname, n) =>
    rowAt(idOf(n), 0, { nickname, haas_id: `ha7-0${n}`, registry_number: '', vin_number: '' }),
  );
  liveStore.applyRows(rows, T0, T0, true);
}

/** The address of a query over the last hours. */
export const address = (things: readonly number[], hours = 8, path = ''): string =>
  `/dashboard/trips${path}?things=${things.map(idOf).join(',')}&from=${ago(hours * 60)}&to=${ago(0)}`;

/** The section as a user with these rights sees it. */
export function open(path: string, until: string, zone = 'UTC', country = 'US') {
  const organization = { timezone: zone, country_code: country };
  const profile = profileOf(profileWith(organization, {}, { permissions: ['thing:read', 'trip:read'] }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  return openSection(trips, path, until);
}
