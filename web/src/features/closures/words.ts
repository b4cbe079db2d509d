import enums from '@catalog/enums.json';
import { CLOSURE_STATUSES, CLOSURE_TYPES, type ClosureStatus, type ClosureType } from '~/model/closure';
import { DATE_PATTERNS, dateText, dayStart } from '~/model/format';
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

export const CLOSURE_TYPE_CHOICES = CLOSURE_TYPES.map(id => ({ id, label: typeText(id) }));
export const CLOSURE_STATUS_CHOICES = CLOSURE_STATUSES.map(id => ({ id, label: statusText(id) }));
export const DIRECTION_CHOICES = enums.closureDirections.map(id => ({ id, label: directionText(id) }));

const named = (list: readonly { name: string; displayName: string }[], name: string): string =>
  list.find(one => one.name === name)?.displayName ?? name;

/** "Channel Device" */
export const methodText = (name: string): string => named(enums.locationMethods, name);
/** "Some Lanes Closed" */
export const impactText = (name: string): string => named(enums.vehicleImpacts, name);

/** A time of day in the organization's zone, with its date when that is not today. */
export function timeText(at: Instant, { timeZone }: Words, now: Instant): string {
  const isToday = at >= dayStart(now, timeZone) && dayStart(at, timeZone) === dayStart(now, timeZone);
  return dateText(at, timeZone, isToday ? DATE_PATTERNS.time : `${DATE_PATTERNS.short} ${DATE_PATTERNS.time}`);
}
