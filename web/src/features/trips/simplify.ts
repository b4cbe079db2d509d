import type { Track } from './track';

/** So near to the line (m) a point is not missed on it, at the highest zoom either. */
const NEAR_M = 0.7;
/** A standing asset's position sways by more than that; what is nearer to the last kept point is none of its own. */
const STILL_M = 1.5;
const M_PER_DEG = 111_195;

/** What is drawn of the points `from` to `to` (both included): without those that nobody would see. */
export function lineOf({ lat, lng }: Track, from: number, to: number): [number, number][] {
  const perLng = M_PER_DEG * Math.cos(((lat[from] ?? 0) * Math.PI) / 180);
  const x = (i: number) => (lng[i] as number) * perLng;
  const y = (i: number) => (lat[i] as number) * M_PER_DEG;
  const kept = movedOnly(from, to, (a, b) => Math.hypot(x(a) - x(b), y(a) - y(b)));
  const isKept = new Uint8Array(kept.length);
  isKept[0] = 1;
  isKept[kept.length - 1] = 1;
  // The way of Douglas and Peucker, without calls into calls: a day may be one line.
  const open: [number, number][] = [[0, kept.length - 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [a, b] = next;
    const [ax, ay] = [x(kept[a] as number), y(kept[a] as number)];
    const [dx, dy] = [x(kept[b] as number) - ax, y(kept[b] as number) - ay];
    const length = dx * dx + dy * dy;
    let worst = NEAR_M * NEAR_M;
    let at = -1;
    for (let k = a + 1; k < b; k++) {
      const [px, py] = [x(kept[k] as number) - ax, y(kept[k] as number) - ay];
      const share = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
      const off = (px - share * dx) ** 2 + (py - share * dy) ** 2;
      if (off <= worst) continue;
      worst = off;
      at = k;
    }
    if (at < 0) continue;
    isKept[at] = 1;
    open.push([a, at], [at, b]);
  }
  return kept.flatMap((i, k): [number, number][] => (isKept[k] ? [[lng[i] as number, lat[i] as number]] : []));
}

/** First, last, and between them what is far enough from the one kept before. */
function movedOnly(from: number, to: number, between: (a: number, b: number) => number): number[] {
  const kept = [from];
  let last = from;
  for (let i = from + 1; i < to; i++) {
    if (between(last, i) < STILL_M) continue;
    kept.push(i);
    last = i;
  }
  if (to > from) kept.push(to);
  return kept;
}
