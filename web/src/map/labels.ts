import limits from '@catalog/limits.json';
import type { Feature, FeatureCollection, Point } from 'geojson';
import type { Fill } from './assets/fill';
import { FACE_STACK } from './assets/stack';
import { type AssetTable, PINNED, SELECTED } from './assets/table';
import type { LatLngBounds } from './types';

const { shortenFrom, shortenKeep } = limits.text;
const IN_VIEW = limits.map.labelsInView.value;
/** Names are read from street level on; further out they would only be noise. */
export const LABELS_FROM_ZOOM = limits.map.iconMediumBelowZoom.value;
const HIGHEST = 255;

/** Name on the map: 12 or more characters show the first 4 and the last 4; out of service says so (section 9). */
export function mapLabel(name: string, inService: boolean): string {
  const letters = [...name];
  const keep = shortenKeep.value;
  const short =
    letters.length >= shortenFrom.value ? `${letters.slice(0, keep).join('')}…${letters.slice(-keep).join('')}` : name;
  return inService ? short : `${short} | OOS`;
}

/** Labels of the top-most marks in view, at most 300, at the fixes the marks glide to. */
export function labelFeatures(
  table: AssetTable,
  fill: Fill,
  view: LatLngBounds,
  zoom: number,
  now: number,
): FeatureCollection<Point> {
  const features: Feature<Point>[] = [];
  for (let i = fill.visible - 1; i >= 0 && features.length < IN_VIEW; i--) {
    const row = fill.order[i] as number;
    const special = ((table.flags[row] as number) & (PINNED | SELECTED)) !== 0;
    // Before the object is touched: from far away there are many marks, and hardly any name.
    if (zoom < LABELS_FROM_ZOOM && !special) continue;
    const asset = table.objects[row];
    if (!asset) continue;
    if (asset.lat < view.south || asset.lat > view.north || asset.lng < view.west || asset.lng > view.east) continue;
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [asset.lng, asset.lat] },
      properties: {
        text: mapLabel(asset.label, asset.inService),
        stack: special ? HIGHEST : (FACE_STACK[table.face[row] as number] as number),
        stale: asset.staleAt > 0 && asset.staleAt <= now,
      },
    });
  }
  return { type: 'FeatureCollection', features };
}
