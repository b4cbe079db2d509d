import type { FeatureCollection, Point } from 'geojson';
import { ALIVE, type AssetTable, SHOWN } from './assets/table';
import type { LatLngBounds } from './types';

/** Cells across the longer side of the view: hundreds of features instead of every asset. */
const CELLS_ACROSS = 40;

/**
 * Counts the displayed assets in a grid over `box` (degrees; cells are square on
 * the map near the middle). Each cell with assets becomes one point at their mean
 * with a weight: the count, eased so that one big yard does not hide the rest.
 */
export function densityCells(table: AssetTable, box: LatLngBounds): FeatureCollection<Point> {
  const middle = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180);
  const width = box.east - box.west;
  const height = box.north - box.south;
  const cellLng = Math.max(width, height / Math.max(0.1, middle)) / CELLS_ACROSS || 1;
  const cellLat = cellLng * Math.max(0.1, middle);
  const columns = Math.max(1, Math.ceil(width / cellLng));
  const lines = Math.max(1, Math.ceil(height / cellLat));
  const counts = new Float64Array(columns * lines);
  const sumLng = new Float64Array(columns * lines);
  const sumLat = new Float64Array(columns * lines);
  for (let row = 0; row < table.rows; row++) {
    if (((table.look[row] as number) & (ALIVE | SHOWN)) !== (ALIVE | SHOWN)) continue;
    const { lat, lng } = table.placeOf(row);
    if (lat < box.south || lat > box.north || lng < box.west || lng > box.east) continue;
    const x = Math.min(columns - 1, Math.floor((lng - box.west) / cellLng));
    const y = Math.min(lines - 1, Math.floor((lat - box.south) / cellLat));
    const cell = y * columns + x;
    counts[cell] = (counts[cell] as number) + 1;
    sumLng[cell] = (sumLng[cell] as number) + lng;
    sumLat[cell] = (sumLat[cell] as number) + lat;
  }
  return collect(counts, sumLng, sumLat);
}

function collect(counts: Float64Array, sumLng: Float64Array, sumLat: Float64Array): FeatureCollection<Point> {
  const features: FeatureCollection<Point>['features'] = [];
  for (let cell = 0; cell < counts.length; cell++) {
    const count = counts[cell] as number;
    if (count === 0) continue;
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [(sumLng[cell] as number) / count, (sumLat[cell] as number) / count] },
      properties: { count, weight: Math.min(3, 0.35 * Math.log2(count + 1)) },
    });
  }
  return { type: 'FeatureCollection', features };
}
