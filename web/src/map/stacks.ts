import limits from '@catalog/limits.json';
import type { Feature, FeatureCollection, Point } from 'geojson';
import { MARK_STATUSES } from '~/model/batch';
import type { Fill } from './assets/fill';
import { markPx } from './assets/stack';
import type { AssetTable } from './assets/table';
import { mercatorX, mercatorY } from './geometry';
import type { LatLng } from './types';

/** As names: further out nearly all marks lie on others. */
const FROM_ZOOM = limits.map.iconMediumBelowZoom.value;
const WORLD_PX = 512;
const ON_SCENE = MARK_STATUSES.indexOf('LOCATION');

interface Stack {
  x: number;
  y: number;
  row: number;
  count: number;
}

/**
 * Where marks lie on one another by half or more, how many they are: at the top one, which is alerting if any of them
 * is (marks are drawn in the order of their statuses). Those on scene say nothing where the event itself says it.
 */
export function stackFeatures(
  table: AssetTable,
  fill: Fill,
  zoom: number,
  isCounted: (place: LatLng) => boolean,
): FeatureCollection<Point> {
  const features: Feature<Point>[] = [];
  if (zoom < FROM_ZOOM) return { type: 'FeatureCollection', features };
  for (const { row, count } of stacksOf(table, fill, zoom)) {
    if (count < 2) continue;
    const { lat, lng } = table.placeOf(row);
    if (table.statusOf(row) === ON_SCENE && isCounted({ lat, lng })) continue;
    features.push({ type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties: { count } });
  }
  return { type: 'FeatureCollection', features };
}

/** Each mark belongs to the first stack, from the top, that it lies under. Squares of its reach say which may be near. */
function stacksOf(table: AssetTable, fill: Fill, zoom: number): readonly Stack[] {
  const reach = markPx(zoom) / 2;
  const scale = (WORLD_PX * 2 ** zoom) / reach;
  const stacks: Stack[] = [];
  const bySquare = new Map<string, Stack[]>();
  for (let i = fill.visible - 1; i >= 0; i--) {
    const row = fill.order[i] as number;
    const { lat, lng } = table.placeOf(row);
    const x = mercatorX(lng) * scale;
    const y = mercatorY(lat) * scale;
    const above = nearest(bySquare, x, y);
    if (above) above.count++;
    else {
      const stack = { x, y, row, count: 1 };
      stacks.push(stack);
      const square = squareOf(Math.floor(x), Math.floor(y));
      bySquare.set(square, [...(bySquare.get(square) ?? []), stack]);
    }
  }
  return stacks;
}

const squareOf = (x: number, y: number) => `${x}/${y}`;

/** The stack whose top mark covers a place: at most its reach away, which is the length of a square. */
function nearest(bySquare: ReadonlyMap<string, readonly Stack[]>, x: number, y: number): Stack | undefined {
  let found: Stack | undefined;
  let least = 1;
  for (let dx = -1; dx <= 1; dx++) {
    for (let dy = -1; dy <= 1; dy++) {
      for (const stack of bySquare.get(squareOf(Math.floor(x) + dx, Math.floor(y) + dy)) ?? []) {
        const away = Math.hypot(stack.x - x, stack.y - y);
        if (away > least) continue;
        least = away;
        found = stack;
      }
    }
  }
  return found;
}
