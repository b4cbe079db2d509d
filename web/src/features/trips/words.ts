import { countOf, countText, DATE_PATTERNS, dateText, dayStart, distanceText, NONE, speedIn } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import type { Words } from '~/model/organization';
import type { Trip, TripSpan } from './wire';

/** "Wed, Nov-25-2026" */
export const dayText = (at: Instant, timeZone: string): string =>
  dateText(at, timeZone, `EEE, ${DATE_PATTERNS.monthFirst}`);

/** "35 s", "12 min", "2 h 5 min" */
export function lengthText(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ''}`;
}

/** "6:40 PM – 7:12 PM"; an end on another day says which. */
export function spanText(from: Instant, to: Instant, timeZone: string): string {
  const isSameDay = dayStart(from, timeZone) === dayStart(to, timeZone);
  const time = DATE_PATTERNS.time;
  return `${dateText(from, timeZone, time)} – ${dateText(to, timeZone, isSameDay ? time : `EEE ${time}`)}`;
}

/** From when to when, with the days: "Nov-25-2026 6:40 PM – 7:12 PM". */
export function fullSpanText(from: Instant, to: Instant, timeZone: string): string {
  const isSameDay = dayStart(from, timeZone) === dayStart(to, timeZone);
  const full = `${DATE_PATTERNS.monthFirst} ${DATE_PATTERNS.time}`;
  return `${dateText(from, timeZone, full)} – ${dateText(to, timeZone, isSameDay ? DATE_PATTERNS.time : full)}`;
}

/** When a trip was; one that goes on has no end yet. */
export function timesText(trip: Trip, timeZone: string): string {
  const start = instantOf(trip.run_start);
  if (trip.is_active) return `Since ${dateText(start, timeZone, DATE_PATTERNS.time)}`;
  return spanText(start, instantOf(trip.run_end), timeZone);
}

export const kindText = (isRun: boolean): string => (isRun ? 'Run' : 'Movement without lights');

/** What must be known of a trip beside its figures. */
export const marksOf = (trip: Trip): readonly string[] => [
  ...(trip.is_active ? ['Still going'] : []),
  ...(trip.is_clipped ? ['Partly outside of the chosen time'] : []),
];

export const speedText = (trip: Trip, { speedUnit }: Words): string =>
  trip.top_speed === null ? NONE : `${speedIn(speedUnit, trip.top_speed)} ${speedUnit}`;

/** Only what drivers' apps said is counted: that nobody was alerted is not the same as nobody having said so. */
export const driversText = ({ drivers_alerted: count }: Trip): string =>
  count === null ? 'Not measured' : countText(count);

/** "Lights on 9 min · Top 48 mph · 3 drivers alerted". In this line only what was measured has room. */
export function figuresText(trip: Trip, isRun: boolean, words: Words): string {
  const count = trip.drivers_alerted;
  const drivers = count === null ? [] : [`${countOf(count, 'driver')} alerted`];
  const what = isRun ? `Lights on ${lengthText(trip.lights_on)}` : kindText(false);
  return [what, `Top ${speedText(trip, words)}`, ...drivers].join(' · ');
}

export const wayText = (trip: Trip, { speedUnit }: Words): string => distanceText(speedUnit, trip.distance);

/** "N Market St → E 14th St"; one street alone where it did not leave it. */
export function streetsText({ street_start: start, street_end: end }: Trip): string {
  if (start === end) return start;
  return [start, end].map(street => street || NONE).join(' → ');
}

/** The hours of spans that follow one another, as few as they are. */
export function hoursText(spans: readonly TripSpan[], timeZone: string): string {
  const joined: [Instant, Instant][] = [];
  for (const { start, end } of spans) {
    const [from, to] = [instantOf(start), instantOf(end)];
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined.map(([from, to]) => spanText(from, to, timeZone)).join(', ');
}
