import { dateText, dayStart } from '~/model/format';
import type { Instant } from '~/model/instant';
import { GAP_MS, indexAt, type Stretch, type Track } from '../track';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map(minutes => minutes * MINUTE);
/** A label needs so much room. */
const TICK_PX = 68;

export interface Tick {
  readonly at: Instant;
  readonly text: string;
}

/** The times that are written along the axis: round ones by the organization's clock, as many as have room. */
export function ticksOf(from: Instant, to: Instant, px: number, timeZone: string): Tick[] {
  if (to <= from || px <= 0) return [];
  const most = Math.max(1, Math.floor(px / TICK_PX));
  const step = STEPS.find(one => (to - from) / one <= most) ?? 24 * HOUR;
  const ticks: Tick[] = [];
  let at = dayStart(from, timeZone);
  at += Math.ceil((from - at) / step) * step;
  for (; at <= to; at += step) ticks.push({ at, text: dateText(at, timeZone, step >= HOUR ? 'h a' : 'h:mm') });
  return ticks;
}

/** How far along the axis an instant lies, 0…1. */
export const shareOf = (at: Instant, from: Instant, to: Instant): number =>
  to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)));

/** The least and the greatest speed of each column of px; NaN where no point lies. */
export interface Columns {
  readonly least: Float32Array;
  readonly most: Float32Array;
  /** whether the column goes on from the last one that has points, without a gap between them */
  readonly joined: Uint8Array;
}

/** The speeds of an asset as so many columns show them: a day has ninety points for each of them. */
export function columnsOf(track: Track, from: Instant, to: Instant, count: number): Columns {
  const { time, speed, size } = track;
  const least = new Float32Array(count).fill(Number.NaN);
  const most = new Float32Array(count).fill(Number.NaN);
  const joined = new Uint8Array(count);
  const perColumn = (to - from) / count;
  let before = Number.NEGATIVE_INFINITY;
  for (let i = Math.max(0, indexAt(time, from)); i < size; i++) {
    const at = time[i] as number;
    if (at < from) continue;
    if (at > to) break;
    const column = Math.min(count - 1, Math.floor((at - from) / perColumn));
    const value = speed[i] as number;
    if (Number.isNaN(least[column] as number)) {
      least[column] = value;
      most[column] = value;
      joined[column] = at - before <= GAP_MS ? 1 : 0;
    } else {
      if (value < (least[column] as number)) least[column] = value;
      if (value > (most[column] as number)) most[column] = value;
    }
    before = at;
  }
  return { least, most, joined };
}

/** When all of them are silent: what lies in a silent stretch of each. */
export function allSilent(each: readonly (readonly (Stretch & { state: string })[])[]): Stretch[] {
  if (each.length === 0) return [];
  const silent = each.map(spans => spans.filter(({ state }) => state === 'silent'));
  return silent.reduce<Stretch[]>(
    (common, spans) =>
      common.flatMap(a =>
        spans
          .map(b => ({ start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) }))
          .filter(({ start, end }) => end > start),
      ),
    silent[0] ?? [],
  );
}
