import { lngDelta } from '../geometry';
import type { LatLng } from '../types';
import type { PxScale } from './layer';

/** Farther from the box of a line than this (px) no press can mean it: its parts are not looked at. */
const FAR_PX = 60;

export interface BoxedLine {
  /** [longitude, latitude] */
  readonly line: readonly (readonly [number, number])[];
  /** west, south, east and north of the line */
  readonly box: readonly [number, number, number, number];
}

/** CSS px between a place and the nearest part of a line; of one that is far away, between the place and its box. */
export function linePx({ line, box }: BoxedLine, at: LatLng, { perLng, perLat }: PxScale): number {
  const [west, south, east, north] = box;
  const far = [
    (west - at.lng) * perLng,
    (at.lng - east) * perLng,
    (south - at.lat) * perLat,
    (at.lat - north) * perLat,
  ];
  const outside = Math.max(...far);
  if (outside > FAR_PX) return outside;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    if (!a || !b) continue;
    const [ax, ay] = [lngDelta(a[0], at.lng) * perLng, (a[1] - at.lat) * perLat];
    const [dx, dy] = [lngDelta(b[0], a[0]) * perLng, (b[1] - a[1]) * perLat];
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
    best = Math.min(best, Math.hypot(ax + t * dx, ay + t * dy));
  }
  return best;
}
