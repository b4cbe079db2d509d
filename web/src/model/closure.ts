import limits from '@catalog/limits.json';
import type { Schemas } from '~/api';
import { type Instant, instantOf } from './instant';
import { compareNames } from './sort';
import { primaryName } from './thing';

type Wire = Schemas['Closure'];
type LatLng = Schemas['LatLng'];

export const CLOSURE_TYPES = ['automated', 'feed', 'manual'] as const;
export type ClosureType = (typeof CLOSURE_TYPES)[number];
export const CLOSURE_STATUSES = ['active', 'standby', 'pending', 'offline'] as const;
export type ClosureStatus = (typeof CLOSURE_STATUSES)[number];

/** The asset that drives an automated closure. */
export interface ClosureThing {
  id: string;
  haasId: string;
  nickname: string;
  displayName: string;
  /** its last sign of life when the row was made; the live picture may know a later one */
  heartbeatAt: Instant;
}

/** A work zone: lanes of a road that are closed, or may be, and until when. Units: degrees, milliseconds (0 = none). */
export interface Closure {
  id: string;
  organizationId: string;
  organizationName: string;
  type: ClosureType;
  /** as the server said it when the row was made; `closureStatus` judges it at an instant */
  status: string;
  inService: boolean;
  /** false: a feed's, which nobody edits here */
  isManaged: boolean;
  description: string;
  /** what drivers are told */
  alertMessage: string;
  /** of the traffic: N, E, S or W; '' = not said */
  direction: string;
  /** closed lanes, ascending; 1 = the left-most */
  lanes: readonly number[];
  /** 0 = not known */
  totalLanes: number;
  geocodedRoute: readonly LatLng[];
  calculatedRoute: readonly LatLng[];
  /** in the direction of traffic, as the others */
  userRoute: readonly LatLng[];
  streetStart: string;
  streetEnd: string;
  roadName: string;
  /** the times of the present or next closure; none while it is inactive */
  startTime: Instant;
  endTime: Instant;
  lastStartTime: Instant;
  /** when it ended the last time */
  endedAt: Instant;
  /** why: ended, board, moved, silent, unanswered; '' = at its end */
  endReason: string;
  /** nobody has said endTime, it is guessed */
  isEndEstimated: boolean;
  /** when someone or something last saw it stand */
  verifiedAt: Instant;
  verifiedBy: Wire['verified_by'];
  /** since when someone is asked whether it still stands, without an answer so far */
  askedAt: Instant;
  responsibleUserId: string | null;
  recurrence: Wire['recurrence'];
  thing: ClosureThing | null;
  /** it is to be published (is_wzdx_compliant) */
  isPublished: boolean;
  /** its id in feeds (external_id) */
  wzdxId: string;
  locationMethod: string;
  vehicleImpact: string;
  groupId: string;
  /** readers of its feeds, and since when each knows it as it is; 0 = not since its last change. Messages say none. */
  consumers: readonly { name: string; knownAt: Instant }[];
  publishProblems: Wire['publish_problems'];
  updatedAt: Instant;
  version: number;
  /** what the search looks through, one a line (requirements 5.search) */
  searchKey: string;
}

/** A type of a newer server is nobody's to switch or edit here. */
const typeOf = (type: string): ClosureType => CLOSURE_TYPES.find(known => known === type) ?? 'feed';

function thingOf(thing: Wire['thing']): ClosureThing | null {
  if (!thing) return null;
  return {
    id: thing.id,
    haasId: thing.haas_id,
    nickname: thing.nickname,
    displayName: primaryName(thing.nickname, thing.haas_id),
    heartbeatAt: instantOf(thing.heartbeat_datetime),
  };
}

const searchKeyOf = ({ id, description, external_id, thing }: Wire, name: string): string => {
  const ofThing = thing
    ? [name, thing.nickname, thing.vin_number, thing.license_plate_number, thing.registry_number]
    : [];
  return [description, external_id, id, ...ofThing].join('\n').toLowerCase();
};

/** A closure of a list row or closure message. */
export function closureOfWire(w: Wire): Closure {
  const thing = thingOf(w.thing);
  return {
    id: w.id,
    organizationId: w.organization_id,
    organizationName: w.organization.name,
    type: typeOf(w.closure_type),
    status: w.status,
    inService: w.is_in_service,
    isManaged: w.is_dashboard_managed,
    description: w.description,
    alertMessage: w.alert_message,
    direction: w.direction,
    lanes: w.impacted_lanes,
    totalLanes: w.total_lanes ?? 0,
    geocodedRoute: w.geocoded_route,
    calculatedRoute: w.calculated_route,
    userRoute: w.user_route,
    streetStart: w.street_start,
    streetEnd: w.street_end,
    roadName: w.road_name,
    startTime: instantOf(w.start_time),
    endTime: instantOf(w.end_time),
    lastStartTime: instantOf(w.last_start_time),
    endedAt: instantOf(w.ended_at),
    endReason: w.end_reason,
    isEndEstimated: w.end_is_estimated,
    verifiedAt: instantOf(w.verified_at),
    verifiedBy: w.verified_by,
    askedAt: instantOf(w.asked_at),
    responsibleUserId: w.responsible_user_id,
    recurrence: w.recurrence,
    thing,
    isPublished: w.is_wzdx_compliant,
    wzdxId: w.external_id,
    locationMethod: w.location_method,
    vehicleImpact: w.vehicle_impact,
    groupId: w.group_id,
    consumers: w.consumers.map(({ name, known_at }) => ({ name, knownAt: instantOf(known_at) })),
    publishProblems: w.publish_problems,
    updatedAt: instantOf(w.updated_at),
    version: w.version,
    searchKey: searchKeyOf(w, thing?.displayName ?? ''),
  };
}

/** Whether it stands at an instant (server time): one whose end has passed never does, whatever was said of it last. */
export const isClosureActive = ({ startTime, endTime }: Closure, now: Instant): boolean =>
  startTime !== 0 && startTime <= now && now < endTime;

/** Whether it is to begin by itself. */
export const isClosureScheduled = ({ startTime, endTime }: Closure, now: Instant): boolean =>
  startTime > now && endTime > startTime;

const { pendingAfterMs, offlineAfterMs } = limits.status;

/**
 * The status at an instant (requirements 4.closure). `heardAt` is the last sign of life of the asset
 * of an automated closure, where someone knows a later one than the row.
 */
export function closureStatus(closure: Closure, now: Instant, heardAt: Instant = 0): ClosureStatus {
  if (isClosureActive(closure, now)) return 'active';
  if (closure.type !== 'automated') return 'standby';
  const heard = Math.max(heardAt, closure.thing?.heartbeatAt ?? 0);
  const age = heard === 0 ? Number.POSITIVE_INFINITY : now - heard;
  if (age <= pendingAfterMs.value) return 'standby';
  return age < offlineAfterMs.value ? 'pending' : 'offline';
}

/** When it was active the last time: since then it is not, and by then it was; 0 and 0 for never. */
export function lastActive(closure: Closure, now: Instant): { from: Instant; to: Instant } {
  const { startTime, endTime, lastStartTime, endedAt } = closure;
  if (startTime !== 0 && startTime <= now) return { from: startTime, to: Math.min(endTime, now) };
  return { from: lastStartTime, to: endedAt || lastStartTime };
}

/** A change is noted within this time of what it makes of a closure. */
const MOMENT_MS = 2000;
const isThen = (is: Instant, at: Instant): boolean => is !== 0 && Math.abs(is - at) < MOMENT_MS;

/** What its last change at an instant made of a closure, where that is more than an edit. */
export function madeOf(closure: Closure, at: Instant, now: Instant): 'ended' | 'activated' | null {
  if (closure.endReason === 'ended' && isThen(closure.endedAt, at)) return 'ended';
  return isClosureActive(closure, now) && isThen(closure.startTime, at) ? 'activated' : null;
}

/** Whether people or a feed have ended it, and nothing is to begin it again; a board may at any time. */
export const isClosureEnded = (closure: Closure, now: Instant): boolean =>
  closure.type !== 'automated' &&
  !isClosureActive(closure, now) &&
  !isClosureScheduled(closure, now) &&
  lastActive(closure, now).from !== 0;

/** The line to draw, in the direction of traffic: along the road, else between its addresses, else as clicked. */
export const lineOf = ({ calculatedRoute, geocodedRoute, userRoute }: Closure): readonly LatLng[] =>
  [calculatedRoute, geocodedRoute, userRoute].find(route => route.length > 1) ?? [];

/** By their descriptions; the lists part the active ones, because time alone makes and ends them. */
export const compareClosures = (a: Closure, b: Closure): number =>
  compareNames(a.description, b.description) || (a.id < b.id ? -1 : 1);
