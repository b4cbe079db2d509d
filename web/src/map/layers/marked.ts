import type { FeatureCollection } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { MapTokens } from '../tokens';
import type { MarkedLine } from '../types';

const HOT: ExpressionSpecification = ['==', ['get', 'hot'], true];
const OTHER: ExpressionSpecification = ['==', ['get', 'other'], true];

/** A broad band on either side of the line that is drawn over it; the other one a thin line with an edge. */
export function markedLayers(source: string, { danger, panel, ink }: MapTokens): LayerSpecification[] {
  const layout = { 'line-join': 'round', 'line-cap': 'round' } as const;
  return [
    {
      id: `${source}-edge`,
      type: 'line',
      source,
      layout,
      paint: { 'line-color': panel, 'line-width': ['case', OTHER, 9, HOT, 26, 20], 'line-opacity': 0.85 },
    },
    {
      id: source,
      type: 'line',
      source,
      layout,
      paint: { 'line-color': ['case', OTHER, ink, danger], 'line-width': ['case', OTHER, 5, HOT, 22, 16] },
    },
  ];
}

export const markedFeatures = (lines: readonly MarkedLine[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: lines
    .filter(({ points }) => points.length > 1)
    .map(({ points, isHot, isOther = false }) => ({
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: points.map(({ lat, lng }) => [lng, lat]) },
      properties: { hot: isHot, other: isOther },
    })),
});
