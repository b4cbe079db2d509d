import { type Instant, instantOf } from '~/model/instant';
import type { ThingTrips, Trip, TripSpan } from './wire';

/** More between two points is a gap: nothing is known of it, and nothing is drawn there. */
export const GAP_MS = 120_000;
/** Farther apart nobody can say how an asset got from one point to the next: it stays where it was seen. */
const GLIDE_MS = 10_000;
/** From so many m/s on a line has the next shade; about 11, 27 and 45 mph. */
const SHADES = [5, 12, 20] as const;
/** A speed that sways about the border of two shades keeps the one that it has. */
const SWAY = 0.7;

/** The points of an asset in columns, oldest first: a day has 86,400, and each is looked at while the page plays. */
export interface Track {
  readonly size: number;
  /** ms */
  readonly time: Float64Array;
  readonly lat: Float64Array;
  readonly lng: Float64Array;
  /** meters a second */
  readonly speed: Float32Array;
  /** degrees clockwise from north; NaN for none */
  readonly course: Float32Array;
  /** where the points of each trip stand, oldest trip first */
  readonly trips: readonly TrackTrip[];
}

export interface TrackTrip {
  readonly trip: Trip;
  readonly isRun: boolean;
  /** of its points: the end is excluded */
  readonly from: number;
  readonly to: number;
}

/** A stretch of time in ms; its end is excluded. */
export interface Stretch {
  readonly start: Instant;
  readonly end: Instant;
}

export const stretchesOf = (spans: readonly TripSpan[]): Stretch[] =>
  spans.map(({ start, end }) => ({ start: instantOf(start), end: instantOf(end) }));

/** Puts the trips of an asset into columns. Both lists come newest first, and their trips do not overlap. */
export function trackOf({ runs, other }: Pick<ThingTrips, 'runs' | 'other'>): Track {
  const all = [...runs.map(trip => ({ trip, isRun: true })), ...other.map(trip => ({ trip, isRun: false }))]
    .filter(({ trip }) => trip.points.length > 0)
    .map(one => ({ ...one, start: instantOf(one.trip.points[0]?.timestamp) }))
    .sort((a, b) => a.start - b.start);
  const size = all.reduce((sum, { trip }) => sum + trip.points.length, 0);
  const time = new Float64Array(size);
  const lat = new Float64Array(size);
  const lng = new Float64Array(size);
  const speed = new Float32Array(size);
  const course = new Float32Array(size);
  let i = 0;
  const trips = all.map(({ trip, isRun }): TrackTrip => {
    const from = i;
    for (const point of trip.points) {
      time[i] = instantOf(point.timestamp);
      lat[i] = point.lat;
      lng[i] = point.lng;
      speed[i] = point.speed;
      course[i] = point.course ?? Number.NaN;
      i++;
    }
    return { trip, isRun, from, to: i };
  });
  return { size, time, lat, lng, speed, course, trips };
}

/** The last point at or before an instant; -1 before the first. */
export function indexAt(time: Float64Array, at: Instant): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((time[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The stretch that an instant lies in. */
export function stretchAt<One extends Stretch>(stretches: readonly One[], at: Instant): One | undefined {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stretches[middle] as One).start <= at) low = middle + 1;
    else high = middle;
  }
  const found = stretches[low - 1];
  return found && at < found.end ? found : undefined;
}

/** Where an asset was at an instant, as far as its points say. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
  readonly speed: number;
  readonly course: number | null;
  /** when the point before was reported */
  readonly seen: Instant;
  /** between two points that are too far apart, or behind the last one */
  readonly isInGap: boolean;
}

/** Half of the way between two courses, the short way round. */
function courseBetween(from: number, to: number, share: number): number {
  const turn = ((to - from + 540) % 360) - 180;
  return (from + turn * share + 360) % 360;
}

/** Where an asset was at an instant: between two points only where they are near in time; null before the first. */
export function placeAt(track: Track, at: Instant): Place | null {
  const { time, lat, lng, speed, course, size } = track;
  const i = indexAt(time, at);
  if (i < 0) return null;
  const n = (column: ArrayLike<number>, k: number) => column[k] as number;
  const seen = n(time, i);
  const between = i + 1 < size ? n(time, i + 1) - seen : at - seen;
  const own = n(course, i);
  if (i + 1 >= size || between > GLIDE_MS || between <= 0) {
    const isInGap = between > GAP_MS;
    return {
      lat: n(lat, i),
      lng: n(lng, i),
      speed: n(speed, i),
      course: Number.isNaN(own) ? null : own,
      seen,
      isInGap,
    };
  }
  const share = (at - seen) / between;
  const mix = (column: ArrayLike<number>) => n(column, i) + (n(column, i + 1) - n(column, i)) * share;
  const next = n(course, i + 1);
  const turned = Number.isNaN(next) ? own : courseBetween(own, next, share);
  return {
    lat: mix(lat),
    lng: mix(lng),
    speed: mix(speed),
    course: Number.isNaN(own) ? null : turned,
    seen,
    isInGap: false,
  };
}

/** The shade of a speed, 0 (slow) to 3; `before` is the one of the point before. */
export function shadeOf(speed: number, before = -1): number {
  const plain = SHADES.filter(from => speed >= from).length;
  if (before < 0 || plain === before) return plain;
  const border = SHADES[Math.min(plain, before)] as number;
  return Math.abs(plain - before) === 1 && Math.abs(speed - border) < SWAY ? before : plain;
}

/** A part of a trip that looks the same all along: points `from` to `to`, both included. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly shade: number;
  readonly isLit: boolean;
}

export interface TripLines {
  /** what was driven without a gap: first and last point, both included; one point alone is none */
  readonly stretches: readonly (readonly [from: number, to: number])[];
  /** the same, cut where shade or lights change; two neighbors share a point */
  readonly parts: readonly Part[];
  /** the points before and behind each gap */
  readonly edges: readonly number[];
}

/** Cuts a trip into what is drawn of it. No part reaches over a gap. */
export function linesOf(
  track: Track,
  { from, to }: Pick<TrackTrip, 'from' | 'to'>,
  lights: readonly Stretch[],
): TripLines {
  const { time, speed } = track;
  const stretches: [number, number][] = [];
  const parts: Part[] = [];
  const edges: number[] = [];
  let begun = from;
  let part: { from: number; shade: number; isLit: boolean } | null = null;
  let shade = -1;
  const close = (end: number) => {
    if (part && end > part.from) parts.push({ ...part, to: end });
    part = null;
  };
  for (let i = from; i < to; i++) {
    const at = time[i] as number;
    const isEnd = i + 1 >= to || (time[i + 1] as number) - at > GAP_MS;
    if (isEnd) {
      close(i);
      if (i > begun) stretches.push([begun, i]);
      if (i + 1 < to) edges.push(i, i + 1);
      begun = i + 1;
      shade = -1;
      continue;
    }
    shade = shadeOf(speed[i] as number, shade);
    const isLit = stretchAt(lights, at) !== undefined;
    const now = part as { shade: number; isLit: boolean } | null;
    if (now && now.shade === shade && now.isLit === isLit) continue;
    close(i);
    part = { from: i, shade, isLit };
  }
  return { stretches, parts, edges };
}
