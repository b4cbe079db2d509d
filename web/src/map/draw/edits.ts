import type { LatLng } from '../types';
import { type Draft, type DrawKind, isWhole, kept, offsetPlace } from './shape';

/** One step: what the shape is after it, what was done, and to which point (from 0). */
export interface Step {
  readonly draft: Draft;
  readonly did: Did;
  readonly index: number | null;
}

export type Did = 'added' | 'moved' | 'removed' | 'resized' | 'closed' | 'set';

export function moved(draft: Draft, index: number, to: LatLng): Step {
  return { draft: { ...draft, points: draft.points.with(index, kept(to)) }, did: 'moved', index };
}

export function nudged(draft: Draft, index: number, northM: number, eastM: number): Step | null {
  const from = draft.points[index];
  return from ? moved(draft, index, offsetPlace(from, northM, eastM)) : null;
}

/** A point after another; -1: before the first. */
export function added(draft: Draft, after: number, at: LatLng): Step {
  const index = after + 1;
  return { draft: { ...draft, points: draft.points.toSpliced(index, 0, kept(at)) }, did: 'added', index };
}

/** Without a point. With too few left, drawing goes on from them. */
export function removed(kind: DrawKind, draft: Draft, index: number): Step {
  const left = { ...draft, points: draft.points.toSpliced(index, 1), radiusM: kind === 'circle' ? 0 : draft.radiusM };
  return { draft: { ...left, isClosed: draft.isClosed && isWhole(kind, left) }, did: 'removed', index };
}

export const resized = (draft: Draft, radiusM: number): Step => ({
  draft: { ...draft, radiusM, isClosed: draft.points.length > 0 },
  did: 'resized',
  index: null,
});

export const closed = (draft: Draft): Step => ({ draft: { ...draft, isClosed: true }, did: 'closed', index: null });

/** Halfway from a point to the next one; a polygon's last one goes on to its first. null at the end of a line. */
export function halfway(kind: DrawKind, { points }: Draft, index: number): LatLng | null {
  const from = points[index];
  const to = points[index + 1] ?? (kind === 'polygon' ? points[0] : undefined);
  if (!from || !to || from === to) return null;
  return kept({ lat: (from.lat + to.lat) / 2, lng: (from.lng + to.lng) / 2 });
}

/** What a pointer has done to the points: the step from one draft to the other; null where nothing has changed. */
export function stepBetween(before: Draft, after: Draft): Step | null {
  const isSame = (a: LatLng | undefined, b: LatLng | undefined) => a?.lat === b?.lat && a?.lng === b?.lng;
  const longer = before.points.length > after.points.length ? before : after;
  const index = longer.points.findIndex((_, at) => !isSame(before.points[at], after.points[at]));
  if (after.points.length > before.points.length) return { draft: after, did: 'added', index };
  if (after.points.length < before.points.length) return { draft: after, did: 'removed', index };
  if (index >= 0) return { draft: after, did: 'moved', index };
  return after.radiusM === before.radiusM ? null : { draft: after, did: 'resized', index: null };
}
