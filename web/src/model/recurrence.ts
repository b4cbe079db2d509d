import { TZDate } from '@date-fns/tz';
import type { Schemas } from '~/api';
import { DATE_PATTERNS, dateText } from './format';
import { type Instant, instantOf } from './instant';

/** A pattern of nights or weeks: days 1 = Monday to 7, start as 21:00, days as 2026-11-21, by the clocks of its zone. */
export type Recurrence = NonNullable<Schemas['Closure']['recurrence']>;

/** A time in which a closure stands, its end not included. */
export interface Span {
  from: Instant;
  to: Instant;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAY_MINUTES = 24 * 60;

/** Midnight of a day as if its clocks were UTC; NaN for none. */
const dayOf = (text: string): Instant => (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN);
const dayText = (wall: Instant): string => new Date(wall).toISOString().slice(0, 10);

/** Minutes of the day that a clock shows, as 21:00; NaN for none. */
function minuteOf(clock: string): number {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(clock) ?? [];
  return Number(hour) * 60 + Number(minute);
}

const clockOf = (minute: number): string => new Date(minute * MINUTE).toISOString().slice(11, 16);

/** From one clock to the next time that the other is shown; the same one is a whole day. */
export const minutesBetween = (start: string, end: string): number =>
  (minuteOf(end) - minuteOf(start) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;

/** What clocks show at the end, where none of them changes. */
export const endClock = ({ start, minutes }: Pick<Recurrence, 'start' | 'minutes'>): string =>
  clockOf((minuteOf(start) + minutes) % DAY_MINUTES);

const offsetAt = (at: Instant, zone: string): number => -new TZDate(at, zone).getTimezoneOffset() * MINUTE;

/**
 * The instant at which the clocks of a zone show a date and time, `wall` being these as if they were UTC. One that is
 * skipped is counted by the clock before the change, one that comes twice is its first (RFC 5545; fleet/recurrence.go).
 */
function onClock(wall: Instant, zone: string): Instant {
  const [before, after] = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)];
  const isAfter = offsetAt(wall - before, zone) !== before && offsetAt(wall - after, zone) === after;
  return wall - (before !== after && isAfter ? after : before);
}

/** The times of a pattern that have not ended at an instant, in order: one law with the server (catalog/vectors/nights). */
export function* timesFrom(pattern: Recurrence, now: Instant): Generator<Span> {
  const { days, start, minutes, from, until, except, timezone } = pattern;
  const [first, last, minute] = [dayOf(from), dayOf(until), minuteOf(start)];
  if (Number.isNaN(first + last + minute + offsetAt(now, timezone))) return;
  // No time that began three days ago still lasts: an hour, or a day at most, and what clocks change.
  for (let day = Math.max(first, Math.floor(now / DAY) * DAY - 3 * DAY); day <= last; day += DAY) {
    if (!days.includes(((new Date(day).getUTCDay() + 6) % 7) + 1) || except.includes(dayText(day))) continue;
    const begins = onClock(day + minute * MINUTE, timezone);
    if (begins + minutes * MINUTE > now) yield { from: begins, to: begins + minutes * MINUTE };
  }
}

/** The next times of a pattern, the one that has begun first. */
export function nextTimes(pattern: Recurrence, now: Instant, most: number): Span[] {
  const found: Span[] = [];
  for (const time of timesFrom(pattern, now)) {
    if (found.push(time) === most) break;
  }
  return found;
}

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
export const WEEK: readonly { id: number; label: string }[] = DAY_NAMES.map((label, i) => ({ id: i + 1, label }));
const nameOf = (day: number): string => DAY_NAMES[day - 1] ?? '';

/** "Daily", "Mon to Fri", "Sun to Thu", "Mon, Wed". */
export function daysText(days: readonly number[]): string {
  if (days.length === DAY_NAMES.length) return 'Daily';
  const firsts = days.filter(day => !days.includes(((day + 5) % 7) + 1)); // the day before is none of them
  const [first] = firsts;
  if (first === undefined || firsts.length > 1 || days.length < 3) return days.map(nameOf).join(', ');
  return `${nameOf(first)} to ${nameOf(((first + days.length - 2) % 7) + 1)}`;
}

/** "9:00 PM" of 21:00. */
export const clockText = (clock: string): string =>
  dateText(dayOf('2026-01-01') + minuteOf(clock) * MINUTE, 'UTC', 'p');

/** "9:00 PM to 5:00 AM the next day". */
export function hoursText({ start, minutes }: Pick<Recurrence, 'start' | 'minutes'>): string {
  const isNextDay = minuteOf(start) + minutes >= DAY_MINUTES;
  return `${clockText(start)} to ${clockText(endClock({ start, minutes }))}${isNextDay ? ' the next day' : ''}`;
}

/** "24-Nov-26" of 2026-11-24. */
export const shortDay = (day: string): string => dateText(instantOf(`${day}T00:00:00Z`), 'UTC', DATE_PATTERNS.short);

/** "Eastern Time (America/New_York)". */
export function zoneText(zone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(0);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
    return name && zone.includes('/') ? `${name} (${zone})` : zone;
  } catch {
    return zone;
  }
}

/** "Mon to Fri, 9:00 PM to 5:00 AM": what a row has room for. */
export const patternText = (pattern: Recurrence): string =>
  `${daysText(pattern.days)}, ${clockText(pattern.start)} to ${clockText(endClock(pattern))}`;

/** The whole pattern: "Mon to Fri, 9:00 PM to 5:00 AM the next day, 23-Nov-26 to 05-Dec-26, except 24-Nov-26, Eastern Time (…)". */
export function wholePattern(pattern: Recurrence): string {
  const { from, until, except, timezone } = pattern;
  const out = except.length > 0 ? `except ${except.map(shortDay).join(', ')}` : '';
  const span = `${shortDay(from)} to ${shortDay(until)}`;
  return [daysText(pattern.days), hoursText(pattern), span, out, zoneText(timezone)].filter(Boolean).join(', ');
}

const dayPattern = 'EEE dd-LLL';

/** "Mon 23-Nov 9:00 PM to 5:00 AM", by the clocks of a zone. */
export const timeSpanText = ({ from, to }: Span, zone: string): string =>
  `${dateText(from, zone, `${dayPattern} p`)} to ${dateText(to, zone, 'p')}`;

/** Of the first time that a change of the clocks ends at another hour: when that is; '' where there is none. */
export function clockChange(pattern: Recurrence, now: Instant): string {
  const usual = endClock(pattern);
  for (const { from, to } of timesFrom(pattern, now)) {
    if (dateText(to, pattern.timezone, 'HH:mm') === usual) continue;
    const [day, end] = [dateText(from, pattern.timezone, dayPattern), dateText(to, pattern.timezone, 'p')];
    return `The clocks change on ${day}. That closure is as long as the others, so it ends at ${end}.`;
  }
  return '';
}
