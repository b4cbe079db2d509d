import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import {
  type Closure,
  type ClosureStatus,
  type ClosureType,
  isClosureActive,
  isClosureScheduled,
  lastActive,
} from '~/model/closure';
import { CLOSURE_TIMES, type ClosureTime } from '~/model/closureFilter';
import { ageText, agoText, countOf, DATE_PATTERNS, dateText, dayStart } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Words } from '~/model/organization';

const TYPE_TEXT: Readonly<Record<ClosureType, string>> = { automated: 'Automated', feed: 'Feed', manual: 'Manual' };
const STATUS_TEXT: Readonly<Record<ClosureStatus, string>> = {
  active: 'Active',
  standby: 'Standby',
  pending: 'Pending',
  offline: 'Offline',
};
const DIRECTION_TEXT: Readonly<Record<string, string>> = {
  N: 'Northbound',
  E: 'Eastbound',
  S: 'Southbound',
  W: 'Westbound',
};

/** Of those that nobody edits here. */
export const MANAGED_BY_FEED = 'Managed by WZDx feed';

export const typeText = (type: ClosureType): string => TYPE_TEXT[type];
export const statusText = (status: ClosureStatus): string => STATUS_TEXT[status];
/** "Northbound"; '' where it is not said. */
export const directionText = (direction: string): string => DIRECTION_TEXT[direction] ?? direction;

export const DIRECTION_CHOICES = enums.closureDirections.map(id => ({ id, label: directionText(id) }));

const named = (list: readonly { name: string; displayName: string }[], name: string): string =>
  list.find(one => one.name === name)?.displayName ?? name;

/** "Channel Device" */
export const methodText = (name: string): string => named(enums.locationMethods, name);
/** "Some Lanes Closed" */
export const impactText = (name: string): string => named(enums.vehicleImpacts, name);

/** A time of day in the organization's zone, with its date when that is not today. */
export function timeText(at: Instant, { timeZone }: Pick<Words, 'timeZone'>, now: Instant): string {
  const isToday = dayStart(at, timeZone) === dayStart(now, timeZone);
  return dateText(at, timeZone, isToday ? DATE_PATTERNS.time : `${DATE_PATTERNS.short} ${DATE_PATTERNS.time}`);
}

const MINUTE_MS = 60_000;

/** "6:00 PM"; "about 5:40 PM, estimated" where nobody has said it. */
export function endText(closure: Closure, words: Words, now: Instant): string {
  const at = timeText(closure.end_time, words, now);
  return closure.end_is_estimated ? `about ${at}, estimated` : at;
}

/** What stands behind the status: "until 6:00 PM", "from 22-Nov-26 9:00 PM", "ended 3 h ago"; '' of one that never was. */
export function whenText(closure: Closure, words: Words, now: Instant): string {
  if (isClosureActive(closure, now)) return `until ${endText(closure, words, now)}`;
  if (isClosureScheduled(closure, now)) return `from ${timeText(closure.start_time, words, now)}`;
  const { from, to } = lastActive(closure, now);
  return from === 0 ? '' : `ended ${agoText(to, now)}`;
}

/** When a closure that is asked about ends without an answer. */
export const unansweredEnd = ({ asked_at, end_time }: Closure): Instant =>
  Math.min(end_time, asked_at + limits.closure.answerWaitMs.value + limits.closure.unansweredStaysMs.value);

const REASON_TEXT: Readonly<Record<string, string>> = {
  ended: 'Ended manually',
  board: 'Ended: board turned off',
  moved: 'Ended: moved',
  silent: 'Ended: board stopped reporting',
  unanswered: 'Ended: not confirmed',
};

/** Why it ended the last time. */
export const reasonText = (reason: string): string => REASON_TEXT[reason] ?? 'Ended at its end time';

/** "3 h left" of one that stands: rounded down, it never promises more than there is. */
export function leftText(closure: Closure, now: Instant): string {
  if (!isClosureActive(closure, now)) return '';
  const left = closure.end_time - now;
  return left < MINUTE_MS ? 'less than 1 min left' : `${ageText(now - left, now)} left`;
}

/** "Exit 5 to Exit 7"; what is said of it. */
export const streetsText = ({ street_start, street_end }: Closure): string =>
  street_start && street_end && street_start !== street_end
    ? `${street_start} to ${street_end}`
    : street_start || street_end;

/** "I-95 Northbound": where it is; where nothing is said of the road, its streets. */
export const roadText = (closure: Closure): string =>
  [closure.road_name, directionText(closure.direction)].filter(Boolean).join(' ') || streetsText(closure);

/** "2 of 3 lanes open"; "Lanes 2, 3 closed" where nobody said how many there are; '' where none is said. */
export function lanesText({ impacted_lanes: lanes, total_lanes }: Closure): string {
  if (total_lanes) {
    const open = total_lanes - lanes.length;
    return `${open === 0 ? 'No' : open} of ${countOf(total_lanes, 'lane')} open`;
  }
  if (lanes.length === 0) return '';
  return `${lanes.length === 1 ? 'Lane' : 'Lanes'} ${lanes.join(', ')} closed`;
}

/** "in 3 h", "in less than 1 min": how long it is until an instant. */
export const inText = (at: Instant, now: Instant): string =>
  at - now < MINUTE_MS ? 'in less than 1 min' : `in ${ageText(now - (at - now), now)}`;

const TIME_TEXT: Readonly<Record<ClosureTime, string>> = {
  active: 'Active only',
  today: 'Today',
  dayAgo: 'Last 24 hours',
  all: 'All',
};

/** The time filter, as the list offers it. */
export const TIME_CHOICES = CLOSURE_TIMES.map(id => ({ id, label: TIME_TEXT[id] }));
