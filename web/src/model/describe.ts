import {
  ageText,
  compass,
  countOf,
  DATE_PATTERNS,
  dateText,
  dayStart,
  durationText,
  NONE,
  speedIn,
  whenText,
} from './format';
import type { Instant } from './instant';
import { REFUSALS_MS } from './limits';
import type { Location } from './location';
import { timeAtLocation } from './location';
import type { Words } from './organization';
import { Status, statusLabel } from './status';
import { isStale, runTime, type Thing, timeToScene } from './thing';

/** Which color a status is drawn in (class names of the base stylesheet). */
export type StatusTone = 'scene' | 'active' | 'standby' | 'pending' | 'offline' | 'test';

const TONES: readonly StatusTone[] = ['scene', 'active', 'standby', 'standby', 'pending', 'offline', 'offline'];

/** The tone of an asset's status; in test mode none of those that call for attention. */
export function toneOf({ status, isTestModeOn }: Pick<Thing, 'status' | 'isTestModeOn'>): StatusTone {
  return isTestModeOn ? 'test' : (TONES[status] ?? 'offline');
}

/** What a row says about an asset at an instant of server time. */
export interface ThingView {
  label: string;
  tone: StatusTone;
  /** the rest of the row's second line */
  line: string;
  age: string;
  isStale: boolean;
  /** drawn faint: stale, pending or offline */
  isOld: boolean;
}

/** Direction for an asset that is not stale, standing ones too (requirements 4.status); '' else. */
export function directionText(thing: Thing, now: Instant): string {
  return isStale(thing, now) ? '' : compass(thing.course);
}

/** Speed with its unit, only when not stale and above 0; '' else. */
export function speedText(thing: Thing, words: Words, now: Instant): string {
  if (isStale(thing, now) || !(thing.speed > 0)) return '';
  return `${speedIn(words.speedUnit, thing.speed)} ${words.speedUnit}`;
}

const joined = (...parts: string[]) => parts.filter(p => p !== '').join(' · ');

function secondLine(thing: Thing, words: Words, now: Instant): string {
  switch (thing.status) {
    case Status.LOCATION: {
      const arrived = dateText(thing.incidentStartAt, words.timeZone, DATE_PATTERNS.time);
      return joined(thing.street, arrived && `arrived ${arrived}`);
    }
    case Status.ACTIVE:
      if (thing.activeClosures.length > 0) return joined('Closure', thing.street);
      return joined(directionText(thing, now), speedText(thing, words, now), thing.street);
    case Status.STANDBY:
      // A parked unit's course says nothing; direction and speed are what ACTIVE shows.
      return joined(thing.speed > 0 ? directionText(thing, now) : '', speedText(thing, words, now), thing.street);
    case Status.STATIONARY:
      return joined(thing.street, ageText(thing.statusAt, now));
    case Status.PENDING: {
      const last = dateText(thing.heartbeatAt, words.timeZone, `${DATE_PATTERNS.short} ${DATE_PATTERNS.time}`);
      return last ? `last check-in ${last}` : '';
    }
    default: {
      const last = dateText(thing.heartbeatAt, words.timeZone, DATE_PATTERNS.short);
      return last ? `last online ${last}` : 'never online';
    }
  }
}

/** The row of an asset (requirements 2.things). */
export function describeThing(thing: Thing, words: Words, now: Instant): ThingView {
  const stale = isStale(thing, now);
  return {
    label: statusLabel(thing.status, thing.isResponderType),
    tone: toneOf(thing),
    line: secondLine(thing, words, now),
    age: ageText(thing.heartbeatAt, now),
    isStale: stale,
    isOld: stale || thing.status >= Status.PENDING,
  };
}

export interface Fact {
  label: string;
  value: string;
}

/** On a run, and not at a scene: how long it has been on the way is what is asked first. */
const isUnderWay = ({ status, runId }: Thing): boolean => status !== Status.LOCATION && runId !== '';

/** The key figures at the head of the detail: no more than there are to know. */
export function keyFigures(thing: Thing, location: Location | undefined, words: Words, now: Instant): Fact[] {
  if (thing.status === Status.LOCATION) {
    const mine = location?.things_active.find(t => t.id === thing.id);
    const since = thing.incidentStartAt || mine?.start_time || 0;
    const spent = timeAtLocation({ start_time: since, end_time: thing.incidentEndAt }, now);
    return [
      { label: 'Arrived', value: dateText(since, words.timeZone, DATE_PATTERNS.time) || NONE },
      { label: 'Time-to-Scene', value: timeText(timeToScene(thing)) },
      { label: 'Duration', value: since ? durationText(spent) : NONE },
    ];
  }
  return [
    { label: 'Direction', value: directionText(thing, now) || NONE },
    { label: 'Speed', value: speedText(thing, words, now) || NONE },
    ...(isUnderWay(thing) ? [{ label: 'Run Time', value: timeText(runTime(thing, now)) }] : []),
  ];
}

const timeText = (ms: number | null) => (ms === null ? NONE : durationText(ms));

/** The Status part of the detail. */
export function statusFacts(thing: Thing, words: Words, now: Instant): Fact[] {
  const facts: Fact[] = [];
  if (thing.status <= Status.ACTIVE || thing.runId !== '') {
    facts.push(
      { label: 'Start', value: dateText(thing.runStartAt, words.timeZone, DATE_PATTERNS.timeSeconds) || NONE },
      ...(isUnderWay(thing) ? [] : [{ label: 'Run Time', value: timeText(runTime(thing, now)) }]),
      { label: 'Alert Points', value: thing.runId ? String(thing.runPointsCount) : NONE },
    );
  }
  if (thing.status >= Status.PENDING) {
    const last = dateText(thing.heartbeatAt, words.timeZone, `${DATE_PATTERNS.monthFirst} ${DATE_PATTERNS.time}`);
    facts.push({ label: 'Last Online', value: last || 'Never' });
  } else {
    facts.push({ label: 'Last Sync', value: ageText(thing.heartbeatAt, now) || NONE });
  }
  return facts;
}

/** Why an asset is silent before its time; '' while nothing is known to be wrong. */
export function cutLine({ cutAt }: Pick<Thing, 'cutAt'>, words: Words, now: Instant): string {
  return cutAt ? `Silent since ${whenText(cutAt, words.timeZone, now)}: connection lost` : '';
}

/** Which configuration a device should have, and has; '' where there is none. What it never said is not known. */
export function configLine({ config }: Pick<Thing, 'config'>, words: Words, now: Instant): string {
  if (!config) return '';
  const should = `Configuration ${config.version}`;
  if (config.applied === config.version) return `${should} · up to date`;
  const sent = config.sentAt ? `sent ${whenText(config.sentAt, words.timeZone, now)}` : 'not sent yet';
  if (config.applied === null) return `${should} · device has not said which it has (${sent})`;
  return `${should} · device has ${config.applied === 0 ? 'none' : config.applied} (${sent})`;
}

/** Reports that were not taken, in one line; '' without one in the last week. */
export function refusedLine({ refused }: Pick<Thing, 'refused'>, words: Words, now: Instant): string {
  if (!refused || refused.count < 1 || now - refused.at > REFUSALS_MS) return '';
  const reports = countOf(refused.count, 'report');
  const isToday = dayStart(refused.at, words.timeZone) === dayStart(now, words.timeZone);
  const last = `${isToday ? 'at ' : ''}${whenText(refused.at, words.timeZone, now)}`;
  return `${reports} refused, last ${last}${refused.reason && `: ${refused.reason}`}`;
}
