import limits from '@catalog/limits.json';
import type { DriverAlert } from './driverAlert';
import type { Instant } from './instant';
import { offset, type Track, turnTo, WALKING } from './track';

/** An alert on a driver's way. */
export interface Ahead {
  readonly alert: DriverAlert;
  /** Meters, as the crow flies; 0 within a closure. */
  readonly meters: number;
  /** Until it is reached at this speed; null while standing. */
  readonly seconds: number | null;
  readonly side: Side;
  readonly urgency: Urgency;
}

export type Side = 'ahead' | 'left' | 'right';
export type Urgency = 'later' | 'soon' | 'now';

const law = limits.drive;
const AHEAD_S = law.aheadMs.value / 1000;
const SLOW_M = law.aheadSlowM.value;
const MAX_M = law.aheadMaxM.value;
const CONE = law.coneDeg.value;
const BESIDE_M = law.besideM.value;
const BESIDE_SHARE = law.besidePercent.value / 100;
const NOW_S = law.secondWordMs.value / 1000;
const FAST = law.secondWordKph.value / 3.6;

/** Within this many meters the cone gives way to the corridor: close by, even the next lane lies far to the side. */
const NEAR_M = 150;
/** Degrees: traffic of another direction is another carriageway or a crossing road. */
const SAME_WAY = 90;
/** Degrees: how far the way may leave the arc that leads around a bend to traffic of a known direction. */
const BEND = 20;
/** Degrees: a bend seen at its end lies half of its turn to the side. */
const BEND_CONE = 50;
/** Degrees: what an arrow shows as left or right. */
const TO_THE_SIDE = 12;
/** Meters: how close to its line one is within a closure. */
const WITHIN_M = 30;
/** Meters between the places at which a line is looked at. */
const STEP_M = 40;
/** What was ahead stays so within this much more, so that nothing flickers at an edge. */
const SLACK = 1.3;
const SOON_S = 25;
const NOW_M = 100;

/** Meters that a driver looks ahead: 45 seconds, at least 300 m, at most 2 km. */
export const reachOf = (speed: number): number => Math.min(MAX_M, Math.max(SLOW_M, speed * AHEAD_S));

/**
 * What lies ahead of a driver, the nearest first; what one is within comes last, since it is no news. `was` are the ids
 * that were ahead a moment ago. Nothing is ahead while nobody knows where the driver is heading.
 */
export function aheadOf(
  track: Track | undefined,
  alerts: Iterable<DriverAlert>,
  now: Instant,
  was: ReadonlySet<string> = new Set(),
): Ahead[] {
  if (!track || track.heading === null) return [];
  const out: Ahead[] = [];
  for (const alert of alerts) {
    if (alert.expiresAt <= now) continue;
    const place = nearest(track, track.heading, alert, was.has(alert.id) ? SLACK : 1);
    if (place) out.push(toldOf(alert, place, track.speed));
  }
  return out.sort((a, b) => Number(a.meters === 0) - Number(b.meters === 0) || a.meters - b.meters);
}

interface Place {
  meters: number;
  /** Degrees off the heading, positive to the right. */
  angle: number;
}

function toldOf(alert: DriverAlert, { meters, angle }: Place, speed: number): Ahead {
  const seconds = speed >= WALKING ? meters / speed : null;
  const side = meters > 0 && Math.abs(angle) > TO_THE_SIDE ? (angle < 0 ? 'left' : 'right') : 'ahead';
  const isNow = meters < NOW_M || (seconds !== null && seconds <= NOW_S);
  const urgency = isNow ? 'now' : seconds !== null && seconds <= SOON_S ? 'soon' : 'later';
  return { alert, meters, seconds, side, urgency };
}

/** Where a driver meets an alert; undefined when it is not on the way. */
function nearest(track: Track, heading: number, alert: DriverAlert, slack: number): Place | undefined {
  let best: Place | undefined;
  for (const { east, north, bearing } of placesOf(track, alert)) {
    const traffic = alert.bearing === null ? null : (bearing ?? alert.bearing);
    if (traffic !== null && Math.abs(turnTo(heading, traffic)) > SAME_WAY) continue;
    const meters = Math.hypot(east, north);
    if (bearing !== null && meters <= WITHIN_M) return { meters: 0, angle: 0 };
    if (meters > reachOf(track.speed) * slack || (best && best.meters <= meters)) continue;
    const angle = turnTo(heading, (Math.atan2(east, north) * 180) / Math.PI);
    if (isOnWay(meters, angle, traffic === null ? null : turnTo(heading, traffic), slack)) best = { meters, angle };
  }
  return best;
}

/** Whether a place lies on the way: in the corridor, or around a bend that its traffic's direction speaks for. */
function isOnWay(meters: number, angle: number, turn: number | null, slack: number): boolean {
  const off = Math.abs(angle);
  if (off >= 90) return false;
  const beside = meters * Math.sin((off * Math.PI) / 180);
  const isInCone = off <= CONE * slack || meters <= NEAR_M;
  if (isInCone && beside <= (BESIDE_M + BESIDE_SHARE * meters) * slack) return true;
  return turn !== null && off <= BEND_CONE * slack && Math.abs(angle - turn / 2) <= BEND * slack;
}

interface Seen {
  east: number;
  north: number;
  /** Of the line there; null for a point. */
  bearing: number | null;
}

/** The places of an alert, meters from the driver: its point, or its line every 40 m, from where it can be reached. */
function* placesOf(track: Track, alert: DriverAlert): Generator<Seen> {
  const spots = alert.line.map(([lng = 0, lat = 0]) => offset(track.fix, { lat, lng }));
  const [only] = spots;
  if (spots.length === 1 && only) yield { ...only, bearing: null };
  for (let at = 1; at < spots.length; at++) {
    const [a, b] = [spots[at - 1], spots[at]];
    if (!a || !b) continue;
    const [east, north] = [b.east - a.east, b.north - a.north];
    const length = Math.hypot(east, north);
    if (length === 0 || Math.min(Math.hypot(a.east, a.north), Math.hypot(b.east, b.north)) - length > MAX_M) continue;
    const bearing = (Math.atan2(east, north) * 180) / Math.PI;
    // The place that is closest, too: one may be within.
    const foot = -(a.east * east + a.north * north) / length ** 2;
    const parts = Math.min(1000, Math.ceil(length / STEP_M));
    const shares = [foot, ...Array.from({ length: parts + 1 }, (_, part) => part / parts)];
    for (const share of shares)
      if (share >= 0 && share <= 1) yield { east: a.east + share * east, north: a.north + share * north, bearing };
  }
}

/** How often a driver has been told of an alert, by its id. */
export type Announced = ReadonlyMap<string, 1 | 2>;

/** What to say next. */
export interface Word {
  readonly of: Ahead;
  /** 1: what lies ahead; 2: that it is close. */
  readonly word: 1 | 2;
}

/** The next thing to say, if any: each alert once, and at more than 60 km/h a second short word 10 s before. */
export function wordOf(list: readonly Ahead[], told: Announced, speed: number): Word | undefined {
  const second = list.find(one => told.get(one.alert.id) === 1 && isClose(one) && speed > FAST);
  if (second) return { of: second, word: 2 };
  const first = list.find(one => !told.has(one.alert.id));
  return first && { of: first, word: 1 };
}

const isClose = ({ seconds, meters }: Ahead): boolean => meters > 0 && seconds !== null && seconds <= NOW_S;

/** What is told once a word is said: of what was first told this late, the second word would only repeat the first. */
export const withAnnounced = (told: Announced, { of, word }: Word): Announced =>
  new Map(told).set(of.alert.id, word === 1 && isClose(of) ? 2 : word);
