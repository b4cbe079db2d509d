import limits from '@catalog/limits.json';
import type { Feature, FeatureCollection, Point } from 'geojson';
import type { Fill } from './assets/fill';
import { FACE_STACK } from './assets/stack';
import { type AssetTable, FIX, faceIn, PINNED, SELECTED, SHOWN, STALE_AT } from './assets/table';
import { NAMES_FROM_ZOOM } from './layers/layer';
import type { LatLngBounds } from './types';

const { shortenFrom, shortenKeep } = limits.text;
const IN_VIEW = limits.map.labelsInView.value;
/** Names are read from street level on; further out they would only be noise. */
export const LABELS_FROM_ZOOM = limits.map.iconMediumBelowZoom.value;
const HIGHEST = 255;

/** Letters are not code units, and never more than they. */
function shortened(letters: readonly string[]): string {
  if (letters.length < shortenFrom.value) return letters.join('');
  const keep = shortenKeep.value;
  return `${letters.slice(0, keep).join('')}…${letters.slice(-keep).join('')}`;
}

/** Name on the map: 12 or more characters show the first 4 and the last 4; out of service says so (requirements 9.format). */
export function mapLabel(name: string, inService: boolean): string {
  const short = name.length < shortenFrom.value ? name : shortened([...name]);
  return inService ? short : `${short} | OOS`;
}

/**
 * Labels of the top-most marks in view, at most 300, at the fixes the marks glide to. Where only signs have names, they
 * say nothing: they keep those off the marks.
 */
export function labelFeatures(
  table: AssetTable,
  fill: Fill,
  view: LatLngBounds,
  zoom: number,
  now: number,
): FeatureCollection<Point> {
  const features: Feature<Point>[] = [];
  // From far away there are many marks, and hardly any name.
  const named = zoom < NAMES_FROM_ZOOM ? [...table.marked] : fill.order.subarray(0, fill.visible);
  for (let i = named.length - 1; i >= 0 && features.length < IN_VIEW; i--) {
    const row = named[i] as number;
    const { lat, lng } = table.placeOf(row);
    if (lat < view.south || lat > view.north || lng < view.west || lng > view.east) continue;
    const look = table.look[row] as number;
    if ((look & SHOWN) === 0) continue;
    const staleAt = table.fixes[row * FIX + STALE_AT] as number;
    const isPicked = (look & (PINNED | SELECTED)) !== 0;
    const isNamed = zoom >= LABELS_FROM_ZOOM || isPicked;
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties: {
        text: isNamed ? mapLabel(table.labels[row] ?? '', (faceIn(look) & 1) === 0) : '',
        stack: isPicked ? HIGHEST : (FACE_STACK[faceIn(look)] as number),
        stale: staleAt > 0 && staleAt <= now,
      },
    });
  }
  return { type: 'FeatureCollection', features };
}
