import enums from '@catalog/enums.json';
import { TZDate } from '@date-fns/tz';
import { format, startOfDay } from 'date-fns';
import type { Instant } from './instant';
import { SHORTEN_FROM, SHORTEN_KEEP, TRUNCATE_AT } from './limits';
import type { SpeedUnit } from './speedUnit';

export { type SpeedUnit, speedUnit } from './speedUnit';

/** What is shown for an unknown or empty value. */
export const NONE = '–';

/** A text that begins as a sentence does. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The compass direction of a course in degrees: 8 directions of 45 degrees, '' for an unknown course. */
export function compass(course: number | null | undefined): string {
  if (course === null || course === undefined || !Number.isFinite(course)) return '';
  const names = enums.compass;
  const turn = ((course % 360) + 360) % 360;
  return names[Math.floor(turn / 45 + 0.5) % names.length] ?? '';
}

/** A count as it is read: 100,000. */
export function countText(count: number): string {
  return count < 1000 ? String(count) : count.toLocaleString('en-US');
}

/** How many of what: "1 asset", "1,200 assets". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** A count that may go on where no more rows are kept: 500+. */
export const atLeast = (count: number, isFull: boolean): string => `${countText(count)}${isFull ? '+' : ''}`;

/** m/s to whole mph or km/h. */
export function speedIn(unit: SpeedUnit, metersPerSecond: number): number {
  return Math.round(metersPerSecond * (unit === 'mph' ? 2.23694 : 3.6));
}

/** A way in the unit that goes with a speed: "0.42 mi", "18.3 km", "1,204 km". */
export function distanceText(unit: SpeedUnit, meters: number): string {
  const [length, name] = unit === 'mph' ? [meters / 1609.344, 'mi'] : [meters / 1000, 'km'];
  const digits = length === 0 ? 0 : length < 1 ? 2 : length < 100 ? 1 : 0;
  return `${length < 1000 ? length.toFixed(digits) : countText(Math.round(length))} ${name}`;
}

/** How old something is: "now" below 2 s, then "2 s", "5 min", "13 h", "7 d"; '' when it never was. */
export function ageText(at: Instant, now: Instant): string {
  if (at === 0) return '';
  const seconds = Math.floor((now - at) / 1000);
  if (seconds < 2) return 'now';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h`;
  return `${Math.floor(hours / 24)} d`;
}

/** When something was: "just now", "5 min ago", "Never". */
export function agoText(at: Instant, now: Instant): string {
  const age = ageText(at, now);
  return age === '' ? 'Never' : age === 'now' ? 'just now' : `${age} ago`;
}

/** hh:mm:ss; hours grow beyond two digits, negative spans read as none. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The date patterns of requirements 9.format (date-fns). */
export const DATE_PATTERNS = {
  monthFirst: 'LLL-dd-y',
  dayFirst: 'dd-MMM-y',
  short: 'dd-LLL-yy',
  time: 'p',
  timeSeconds: 'pp',
} as const;

const knownZones = new Map<string, boolean>();

function isZone(zone: string): boolean {
  let known = knownZones.get(zone);
  if (known === undefined) {
    try {
      new Intl.DateTimeFormat('en-US', { timeZone: zone });
      known = zone !== '';
    } catch {
      known = false;
    }
    knownZones.set(zone, known);
  }
  return known;
}

/** An instant in the organization's time zone (UTC when the zone is unknown); '' for none. */
export function dateText(at: Instant, timeZone: string, pattern: string): string {
  if (at === 0) return '';
  return format(new TZDate(at, isZone(timeZone) ? timeZone : 'UTC'), pattern);
}

/** A time of day in the organization's zone, with the day where that is another one: "2:02 PM", "Nov-21-2026 2:02 PM". */
export function whenText(at: Instant, timeZone: string, now: Instant, pattern: string = DATE_PATTERNS.time): string {
  const day = dayStart(at, timeZone) === dayStart(now, timeZone) ? '' : `${DATE_PATTERNS.monthFirst} `;
  return dateText(at, timeZone, day + pattern);
}

/** When the day began that an instant lies in, by the organization's clock (UTC when the zone is unknown). */
export function dayStart(at: Instant, timeZone: string): Instant {
  return startOfDay(new TZDate(at, isZone(timeZone) ? timeZone : 'UTC')).getTime();
}

/** Long names on map labels: 12 characters and more show the first and last 4 with an ellipsis. */
export function shortName(name: string, inService = true): string {
  const characters = [...name];
  const short =
    characters.length >= SHORTEN_FROM
      ? `${characters.slice(0, SHORTEN_KEEP).join('')}…${characters.slice(-SHORTEN_KEEP).join('')}`
      : name;
  return inService ? short : `${short} | OOS`;
}

/** Cuts a text for rows: what is longer than 50 characters shows 49 and an ellipsis. */
export function truncate(text: string, at: number = TRUNCATE_AT): string {
  const characters = [...text];
  return characters.length > at ? `${characters.slice(0, at - 1).join('')}…` : text;
}
