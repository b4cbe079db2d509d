import { lngDelta } from '../geometry';
import { glideShare } from '../glide';
import type { LatLng } from '../types';
import type { Fill } from './fill';
import { type AssetTable, FIX, FROM_LAT, FROM_LNG, LAT, LNG, START_MS } from './table';

/**
 * The mark under a place: the top-most of those whose center is within `radiusPx`,
 * on the CPU (no read-back, the same answer without a GPU). -1 for none.
 * With a coarse pointer the nearest wins instead of the top-most.
 */
export function pick(
  table: AssetTable,
  fill: Fill,
  place: LatLng,
  zoom: number,
  radiusPx: number,
  nowMs: number,
  nearest: boolean,
): number {
  // Web mercator is conformal: near the pointer a degree of latitude is 1/cos longer in px.
  const pxPerLng = (512 * 2 ** zoom) / 360;
  const pxPerLat = pxPerLng / Math.cos((place.lat * Math.PI) / 180);
  const { fixes } = table;
  const limit = radiusPx * radiusPx;
  let best = -1;
  let bestSquare = limit;
  for (let i = fill.visible - 1; i >= 0; i--) {
    const row = fill.order[i] as number;
    const fix = row * FIX;
    const share = glideShare(fixes[fix + START_MS] as number, nowMs);
    const fromLat = fixes[fix + FROM_LAT] as number;
    const lat = fromLat + ((fixes[fix + LAT] as number) - fromLat) * share;
    const dy = (lat - place.lat) * pxPerLat;
    if (dy > radiusPx || dy < -radiusPx) continue;
    const fromLng = fixes[fix + FROM_LNG] as number;
    const lng = fromLng + ((fixes[fix + LNG] as number) - fromLng) * share;
    const dx = lngDelta(lng, place.lng) * pxPerLng;
    const square = dx * dx + dy * dy;
    if (square > bestSquare || (square === bestSquare && best >= 0)) continue;
    if (!nearest) return row;
    best = row;
    bestSquare = square;
  }
  return best;
}
