import { formatLatLng } from '~/lib/coordinates';
import { DATE_PATTERNS, dateText, dayStart, durationText } from '~/model/format';
import type { Instant } from '~/model/instant';
import { type Location, type LocationThing, timeAtLocation } from '~/model/location';
import type { Words } from '~/model/organization';

/** What an event is called: its street, its id elsewhere, else where it is. */
export const nameOf = (l: Location): string => l.displayName || formatLatLng(l);

/** "Active" or "Recent": what it is, in the words of the counts. */
export const stateOf = (l: Location): string => (l.is_active ? 'Active' : 'Recent');

/** A time of day in the organization's zone, with its date when that is not today. */
export function timeText(at: Instant, words: Words, now: Instant): string {
  const isToday = at >= dayStart(now, words.timeZone);
  return dateText(at, words.timeZone, isToday ? DATE_PATTERNS.time : `${DATE_PATTERNS.short} ${DATE_PATTERNS.time}`);
}

/** "since 10:31 AM", or "10:31 AM – 10:42 AM" of one that has ended. */
export function spanText(l: Location, words: Words, now: Instant): string {
  const start = timeText(l.start_time, words, now);
  if (l.is_active) return `since ${start}`;
  const isOneDay = dayStart(l.end_time, words.timeZone) === dayStart(l.start_time, words.timeZone);
  return `${start} – ${isOneDay ? dateText(l.end_time, words.timeZone, DATE_PATTERNS.time) : timeText(l.end_time, words, now)}`;
}

const names = (things: readonly LocationThing[]) => [...new Set(things.map(t => t.displayName))].join(', ');

/** Who is there, and how many have left; of one that has ended, who was there. */
export function unitsText({ is_active, things_active, things_inactive }: Location): string {
  if (!is_active) return names([...things_active, ...things_inactive]) || 'No assets';
  const left = new Set(things_inactive.map(t => t.id));
  for (const { id } of things_active) left.delete(id);
  const there = names(things_active) || 'No assets';
  return left.size > 0 ? `${there} · ${left.size} left` : there;
}

/** How many are there; of one that has ended, how many were. */
export const unitCount = ({ is_active, things_active, things_inactive }: Location): number =>
  new Set((is_active ? things_active : [...things_active, ...things_inactive]).map(t => t.id)).size;

/** hh:mm:ss that it has lasted. */
export const lengthText = (l: Location, now: Instant): string => durationText(timeAtLocation(l, now));
