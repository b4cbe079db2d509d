import limits from '@catalog/limits.json';
import { nearMeters } from './geometry';

export const GLIDE_MS = limits.map.glideMs.value;
const SHARE_PER_MS = 1 / GLIDE_MS;
const SNAP_BEYOND_M = limits.map.snapBeyondM.value;

/**
 * How far a glide has come, 0…1: linear in time, at most GLIDE_MS, never beyond
 * the received fix. A start in the future (a clock that jumped) counts as 0.
 */
export function glideShare(startMs: number, nowMs: number): number {
  const ranMs = nowMs - startMs;
  if (ranMs >= GLIDE_MS) return 1;
  return ranMs > 0 ? ranMs * SHARE_PER_MS : 0;
}

/** Whether the mark jumps instead of gliding: too far, or the picture was not watched (hidden tab, reduced motion). */
export function snaps(fromLat: number, fromLng: number, toLat: number, toLng: number, unwatched: boolean): boolean {
  if (unwatched) return true;
  // Cheap test first: most fixes are meters apart.
  const near = Math.abs(toLat - fromLat) < 0.001 && Math.abs(toLng - fromLng) < 0.001;
  return !near && nearMeters(fromLat, fromLng, toLat, toLng) > SNAP_BEYOND_M;
}
