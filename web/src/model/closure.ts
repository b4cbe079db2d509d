import limits from '@catalog/limits.json';
import type { Schemas } from '~/api';
import { type Instant, instantOf } from './instant';
import { type Timed, timed } from './row';
import { compareNames } from './sort';
import { primaryName } from './thing';

type Wire = Schemas['Closure'];
type LatLng = Schemas['LatLng'];

export const CLOSURE_TYPES = ['automated', 'feed', 'manual'] as const;
export type ClosureType = (typeof CLOSURE_TYPES)[number];
export const CLOSURE_STATUSES = ['active', 'standby', 'pending', 'offline'] as const;
export type ClosureStatus = (typeof CLOSURE_STATUSES)[number];

/** The asset that drives an automated closure; the live picture may know a later sign of life than the row. */
export interface ClosureThing extends Timed<Schemas['ClosureThing'], 'heartbeat_datetime'> {
  displayName: string;
}

const INSTANTS = [
  'start_time',
  'end_time',
  'last_start_time',
  'ended_at',
  'verified_at',
  'asked_at',
  'updated_at',
] as const;

/**
 * A work zone: lanes of a road that are closed, or may be, and until when. `isClosureActive` and `closureStatus` judge it
 * at an instant: the row says what was so when it was made. Routes are in the direction of traffic.
 */
export interface Closure
  extends Timed<
      Omit<Wire, 'closure_type' | 'consumers' | 'is_active' | 'organization' | 'thing'>,
      (typeof INSTANTS)[number]
    >,
    Readonly<Record<'closure_type', ClosureType>> {
  organizationName: string;
  thing: ClosureThing | null;
  /** readers of its feeds, and since when each knows it as it is; 0 = not since its last change. Messages say none. */
  consumers: readonly { name: string; knownAt: Instant }[];
  /** what the search looks through, one a line (requirements 5.search) */
  searchKey: string;
}

/** A type of a newer server is nobody's to switch or edit here. */
const typeOf = (type: string): ClosureType => CLOSURE_TYPES.find(known => known === type) ?? 'feed';

const thingOf = (w: Schemas['ClosureThing']): ClosureThing => ({
  ...timed(w, ['heartbeat_datetime']),
  displayName: primaryName(w.nickname, w.haas_id),
});

const searchKeyOf = ({ id, description, external_id, thing }: Wire, name: string): string => {
  const ofThing = thing
    ? [name, thing.nickname, thing.vin_number, thing.license_plate_number, thing.registry_number]
    : [];
  return [description, external_id, id, ...ofThing].join('\n').toLowerCase();
};

/** A closure of a list row or closure message. */
export function closureOfWire(w: Wire): Closure {
  const thing = w.thing && thingOf(w.thing);
  return {
    ...timed(w, INSTANTS),
    closure_type: typeOf(w.closure_type),
    organizationName: w.organization.name,
    thing,
    consumers: w.consumers.map(({ name, known_at }) => ({ name, knownAt: instantOf(known_at) })),
    searchKey: searchKeyOf(w, thing?.displayName ?? ''),
  };
}

/** Whether it stands at an instant (server time): one whose end has passed never does, whatever was said of it last. */
export const isClosureActive = ({ start_time, end_time }: Closure, now: Instant): boolean =>
  start_time !== 0 && start_time <= now && now < end_time;

/** Whether it is to begin by itself. */
export const isClosureScheduled = ({ start_time, end_time }: Closure, now: Instant): boolean =>
  start_time > now && end_time > start_time;

const { pendingAfterMs, offlineAfterMs } = limits.status;

/**
 * The status at an instant (requirements 4.closure). `heardAt` is the last sign of life of the asset
 * of an automated closure, where someone knows a later one than the row.
 */
export function closureStatus(closure: Closure, now: Instant, heardAt: Instant = 0): ClosureStatus {
  if (isClosureActive(closure, now)) return 'active';
  if (closure.closure_type !== 'automated') return 'standby';
  const heard = Math.max(heardAt, closure.thing?.heartbeat_datetime ?? 0);
  const age = heard === 0 ? Number.POSITIVE_INFINITY : now - heard;
  if (age <= pendingAfterMs.value) return 'standby';
  return age < offlineAfterMs.value ? 'pending' : 'offline';
}

/** When it was active the last time: since then it is not, and by then it was; 0 and 0 for never. */
export function lastActive(closure: Closure, now: Instant): { from: Instant; to: Instant } {
  const { start_time, end_time, last_start_time, ended_at } = closure;
  if (start_time !== 0 && start_time <= now) return { from: start_time, to: Math.min(end_time, now) };
  return { from: last_start_time, to: ended_at || last_start_time };
}

/** A change is noted within this time of what it makes of a closure. */
const MOMENT_MS = 2000;
const isThen = (is: Instant, at: Instant): boolean => is !== 0 && Math.abs(is - at) < MOMENT_MS;

/** What its last change at an instant made of a closure, where that is more than an edit. */
export function madeOf(closure: Closure, at: Instant, now: Instant): 'ended' | 'activated' | null {
  if (closure.end_reason === 'ended' && isThen(closure.ended_at, at)) return 'ended';
  return isClosureActive(closure, now) && isThen(closure.start_time, at) ? 'activated' : null;
}

/** Whether people or a feed have ended it, and nothing is to begin it again; a board may at any time. */
export const isClosureEnded = (closure: Closure, now: Instant): boolean =>
  closure.closure_type !== 'automated' &&
  !isClosureActive(closure, now) &&
  !isClosureScheduled(closure, now) &&
  lastActive(closure, now).from !== 0;

/** The line to draw, in the direction of traffic: along the road, else between its addresses, else as clicked. */
export const lineOf = ({ calculated_route, geocoded_route, user_route }: Closure): readonly LatLng[] =>
  [calculated_route, geocoded_route, user_route].find(route => route.length > 1) ?? [];

/** By their descriptions; the lists part the active ones, because time alone makes and ends them. */
export const compareClosures = (a: Closure, b: Closure): number =>
  compareNames(a.description, b.description) || (a.id < b.id ? -1 : 1);
