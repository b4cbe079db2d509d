import limits from '@catalog/limits.json';
import { TZDate } from '@date-fns/tz';
import { texts } from '~/api';
import { dayStart } from './format';
import type { Instant } from './instant';

/** So many assets a trip query takes at most. */
export const MOST_ASSETS = limits.trip.assets.value;
const SPAN_MS = limits.trip.spanMs.value;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What is asked: some assets, and from when to when. 0 is no time. */
export interface TripQuery {
  readonly things: readonly string[];
  readonly from: Instant;
  readonly to: Instant;
}

/** A sentence for each part of a query that is wrong. */
export type TripFaults = Partial<Record<keyof TripQuery, string>>;

/** The law of trip queries (requirements 5.trip). Without a fault it can be asked. */
export function tripFaults({ things, from, to }: TripQuery, now: Instant): TripFaults {
  const faults: TripFaults = {};
  if (things.length === 0) faults.things = 'Must select at least 1 Asset';
  if (things.length > MOST_ASSETS) faults.things = `${MOST_ASSETS} Assets max`;
  if (from === 0) faults.from = texts.validation.required;
  else if (from > now) faults.from = 'Must be past date';
  if (to === 0) faults.to = texts.validation.required;
  else if (to > now) faults.to = 'Must be past date';
  else if (from !== 0) {
    if (to === from) faults.to = 'Dates must be different';
    else if (to < from) faults.to = 'End time must be after Start time';
    else if (to - from > SPAN_MS) faults.to = 'Select up to 24 hours';
  }
  return faults;
}

/** What an address says of a query; undefined for what it does not say. */
export type TripParams = Readonly<Record<keyof TripQuery, string | undefined>>;

/** An address read: nothing is asked, or what it asks with what is wrong about it. */
export interface ParsedTripParams {
  readonly query: TripQuery;
  /** it can be asked */
  readonly isSound: boolean;
  /** what cannot be asked as it stands there, by the name of the parameter */
  readonly broken: readonly { name: keyof TripQuery; why: string }[];
}

const NOTHING: TripQuery = { things: [], from: 0, to: 0 };
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** The instant that a parameter says (RFC 3339); 0 for none. */
export function parseInstant(text: string | undefined): Instant {
  const at = text !== undefined && INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(at) && at > 0 ? at : 0;
}

/** Reads what an address asks, whoever wrote it; null where it asks nothing. */
export function parseTripParams(said: TripParams, now: Instant): ParsedTripParams | null {
  if (said.things === undefined && said.from === undefined && said.to === undefined) return null;
  const ids = (said.things ?? '').split(',').map(id => id.trim());
  const query: TripQuery = {
    ...NOTHING,
    things: [...new Set(ids.filter(id => id !== ''))],
    from: parseInstant(said.from),
    to: parseInstant(said.to),
  };
  const faults = tripFaults(query, now);
  const broken: { name: keyof TripQuery; why: string }[] = [];
  for (const name of ['things', 'from', 'to'] as const) {
    const fault = faults[name];
    if (fault === undefined) continue;
    const isUnread = name !== 'things' && query[name] === 0;
    const unread = said[name] === undefined ? 'is missing' : `"${said[name].slice(0, 40)}" is no time`;
    broken.push({ name, why: isUnread ? unread : fault });
  }
  return { query, isSound: broken.length === 0, broken };
}

/** An instant as an address says it, in UTC. */
export const instantWord = (at: Instant) => new Date(at).toISOString().replace('.000Z', 'Z');

/** A query as an address says it: assets with commas between them, instants in UTC. */
export const tripParams = ({ things, from, to }: TripQuery): TripParams => ({
  things: things.join(','),
  from: instantWord(from),
  to: instantWord(to),
});

/** A stretch of time that is offered; `note` says what is not as its name says. */
export interface PresetTime {
  readonly from: Instant;
  readonly to: Instant;
  readonly note?: string;
}

const minuteOf = (now: Instant): Instant => Math.floor(now / MINUTE) * MINUTE;

/** Shifts change at these hours of the day by the organization's clock. */
const SHIFT_HOURS = [7, 19] as const;

/** Since the last 7:00 AM or 7:00 PM; at the very minute of a change it is the shift that has just ended. */
function thisShift(now: Instant, timeZone: string): PresetTime {
  const to = minuteOf(now);
  const today = dayStart(to, timeZone);
  const changes = [dayStart(today - 1, timeZone), today].flatMap(day => {
    const { year, month, date } = partsOf(day, timeZone);
    return SHIFT_HOURS.map(hour => new TZDate(year, month, date, hour, timeZone).getTime());
  });
  return { from: Math.max(...changes.filter(at => at < to)), to };
}

function partsOf(at: Instant, timeZone: string) {
  const day = new TZDate(at, timeZone);
  return { year: day.getFullYear(), month: day.getMonth(), date: day.getDate() };
}

/** Yesterday by the organization's clock. A day on which clocks are set back is longer than a query may be. */
function yesterday(now: Instant, timeZone: string): PresetTime {
  const to = dayStart(now, timeZone);
  const begin = dayStart(to - 1, timeZone);
  if (to - begin <= SPAN_MS) return { from: begin, to };
  return { from: to - SPAN_MS, to, note: `Yesterday had ${(to - begin) / HOUR} hours. These are its last 24.` };
}

/** What the form offers instead of two times. */
export const PRESETS: readonly {
  label: string;
  time: (now: Instant, timeZone: string) => PresetTime;
}[] = [
  { label: 'Last 8 hours', time: now => ({ from: minuteOf(now) - 8 * HOUR, to: minuteOf(now) }) },
  { label: 'This shift', time: thisShift },
  { label: 'Yesterday', time: yesterday },
];
