import limits from '@catalog/limits.json';
import { dayStart } from './format';
import type { Instant } from './instant';
import type { Location } from './location';

/** Active Only, Today, 24 hrs, All Recent (requirements 2.events). */
export const LOCATION_TIMES = ['active', 'today', 'day', 'all'] as const;
export type LocationTime = (typeof LOCATION_TIMES)[number];

/** A day ago (requirements 4.events). */
export const USUAL_TIME: LocationTime = 'day';

const DAY_MS = 86_400_000;

/** What the list of events and the map beside it show. */
export interface LocationFilter {
  time: LocationTime;
  /** as `searchOf` makes it */
  search: string;
}

/**
 * Recent events that ended before this are left out. Today is the organization's; beyond the window of the lists
 * nobody has read what there was.
 */
export function recentFrom(time: LocationTime, now: Instant, timeZone: string): Instant {
  switch (time) {
    case 'active':
      return Number.POSITIVE_INFINITY;
    case 'today':
      return dayStart(now, timeZone);
    case 'day':
      return now - DAY_MS;
    default:
      return now - limits.lists.locationWindowMs.value;
  }
}

/** Active events pass whatever their time, recent ones by their end; then the search, a case-insensitive substring. */
export function passesLocation(l: Location, search: string, from: Instant): boolean {
  return (l.is_active || l.end_time >= from) && (search === '' || l.searchKey.includes(search));
}

export interface LocationCounts {
  active: number;
  recent: number;
}

/** Each event counts in exactly one of both; recent ones are those of the lists' window. */
export function countLocations(list: readonly Location[], now: Instant): LocationCounts {
  const from = recentFrom('all', now, '');
  const active = list.filter(l => l.is_active).length;
  return { active, recent: list.filter(l => !l.is_active && l.end_time >= from).length };
}
