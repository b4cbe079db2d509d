import type { Instant } from './instant';

/** A position as the device reports it. */
export interface Fix {
  readonly at: Instant;
  readonly lat: number;
  readonly lng: number;
  /** Meters. */
  readonly accuracy: number;
  /** Degrees clockwise from north; null where the device does not say. */
  readonly heading: number | null;
  /** m/s; null where the device does not say. */
  readonly speed: number | null;
}

/** How somebody drives: the last good position, and what follows from those before it. */
export interface Track {
  readonly fix: Fix;
  /** m/s */
  readonly speed: number;
  /** Degrees; null until it has once moved. */
  readonly heading: number | null;
  /** The last seconds, the oldest first, `fix` at the end. */
  readonly recent: readonly Fix[];
  /** A position too far off to be driven to; it is believed when the next one is near it. */
  readonly odd?: Fix;
}

/** m/s: below, neither compass nor movement says where a car is heading. */
export const WALKING = 1.5;
/** m/s: faster than any car; what needs more was a jump of the receiver. */
const FASTEST = 100;
/** Meters: what is no better known than this tells no lane and no road. */
const ROUGH_M = 100;
/** How far back the track looks for a movement. */
const RECENT_MS = 10_000;
/** The speed is that of the last seconds alone: brakes are quick. */
const SPEED_MS = 4000;
/** Meters: a shorter movement is the receiver's noise, and says no direction. */
const MOVED_M = 20;
/** Meters: within the time of a speed. */
const STOOD_M = 6;

const RAD = Math.PI / 180;
const M_PER_DEGREE = 111_195;

/** Meters east and north of a place, as on a flat map: good for the few kilometers that a driver looks ahead. */
export function offset(from: LatLng, to: LatLng): { east: number; north: number } {
  const turn = ((to.lng - from.lng + 540) % 360) - 180;
  return { east: turn * M_PER_DEGREE * Math.cos(from.lat * RAD), north: (to.lat - from.lat) * M_PER_DEGREE };
}

interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

export function metersBetween(a: LatLng, b: LatLng): number {
  const { east, north } = offset(a, b);
  return Math.hypot(east, north);
}

/** The difference of two headings, from -180 to 180: positive is to the right. */
export const turnTo = (from: number, to: number): number => ((((to - from) % 360) + 540) % 360) - 180;

const isGood = (fix: Fix): boolean =>
  Number.isFinite(fix.at) &&
  Math.abs(fix.lat) <= 90 &&
  Math.abs(fix.lng) <= 180 &&
  (Number.isNaN(fix.accuracy) || fix.accuracy <= ROUGH_M);

/** The track with one more position. A rough one, an older one, and one that nobody can have driven to are left out. */
export function advance(track: Track | undefined, fix: Fix): Track | undefined {
  if (!isGood(fix) || (track && fix.at <= track.fix.at)) return track;
  if (!track) return begun(fix, null);
  if (!isReachable(track.fix, fix)) {
    if (!track.odd || !isReachable(track.odd, fix)) return { ...track, odd: fix };
    return begun(fix, track.heading);
  }
  const recent = [...track.recent.filter(one => fix.at - one.at <= RECENT_MS), fix];
  const speed = speedOf(recent);
  return { fix, speed, heading: headingOf(recent, speed) ?? track.heading, recent };
}

const begun = (fix: Fix, heading: number | null): Track => {
  const speed = speedOf([fix]);
  return { fix, speed, heading: headingOf([fix], speed) ?? heading, recent: [fix] };
};

/** Whether one can have driven there. A position that is known to 60 m may lie that much farther off. */
const isReachable = (from: Fix, to: Fix): boolean =>
  metersBetween(from, to) <= (FASTEST * (to.at - from.at)) / 1000 + (to.accuracy || 0) + (from.accuracy || 0);

/** The device's own speed, else that of the movement. */
function speedOf(recent: readonly Fix[]): number {
  const last = recent.at(-1);
  if (last?.speed != null && last.speed >= 0 && last.speed <= FASTEST) return last.speed;
  const first = last && recent.find(one => last.at - one.at <= SPEED_MS);
  if (!first || last.at - first.at < 900) return 0;
  const meters = metersBetween(first, last);
  return meters < STOOD_M ? 0 : (meters * 1000) / (last.at - first.at);
}

/** The device's own heading, else that of the newest movement that is one; undefined: the last known one stands. */
function headingOf(recent: readonly Fix[], speed: number): number | undefined {
  const last = recent.at(-1);
  if (!last || speed < WALKING) return undefined;
  if (last.heading !== null && last.heading >= 0 && last.heading <= 360) return last.heading % 360;
  const before = recent.findLast(one => metersBetween(one, last) >= Math.max(MOVED_M, last.accuracy || 0));
  if (!before) return undefined;
  const { east, north } = offset(before, last);
  return (Math.atan2(east, north) / RAD + 360) % 360;
}
