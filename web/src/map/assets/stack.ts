import limits from '@catalog/limits.json';
import { MARK_STATUSES } from '~/model/batch';
import type { MarkStatus } from '../types';

const map = limits.map;

const STACK: Readonly<Record<MarkStatus, number>> = {
  LOCATION: map.stackLocation.value,
  ACTIVE: map.stackActive.value,
  STANDBY: map.stackStandby.value,
  STATIONARY: map.stackStandby.value,
  PENDING: map.stackPending.value,
  OFFLINE: map.stackOffline.value,
  OOS: map.stackOffline.value,
  TEST: map.stackStandby.value,
};

/** Stacking number by status code (requirements 9.map): higher is drawn later. */
export const STATUS_STACK = Uint8Array.from(MARK_STATUSES, status => STACK[status]);
export const STACK_PINNED = map.stackPinned.value;
export const STACK_HOVER = map.stackHover.value;
/** Of the selected, whatever its status: nothing but a hovered mark covers it. One above the highest of the pinned. */
export const STACK_SELECTED = map.stackLocation.value + map.stackPinned.value + 1;
/** One more than the highest number: location, pinned and hovered. */
export const STACK_LEVELS = map.stackLocation.value + map.stackPinned.value + map.stackHover.value + 1;

/** Side of a mark in CSS px at a zoom (requirements 9.map: 16 below 11, 20 below 13, else 30). */
export function markPx(zoom: number): number {
  if (zoom < map.iconSmallBelowZoom.value) return map.iconSmallPx.value;
  return zoom < map.iconMediumBelowZoom.value ? map.iconMediumPx.value : map.iconLargePx.value;
}

/** The same by face (cells.ts). */
export const FACE_STACK = Uint8Array.from({ length: 256 }, (_, face) => STATUS_STACK[face >> 5] ?? 0);
