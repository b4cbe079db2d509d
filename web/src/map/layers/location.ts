import type { ExpressionSpecification } from 'maplibre-gl';
import { lngDelta } from '../geometry';
import type { MapLocation } from '../types';
import type { MapLayer } from './layer';

/** Radius of a location's circle at a zoom, as it is drawn (12 px at zoom 9 … 30 px at 14). */
export function locationRadiusPx(zoom: number): number {
  const share = Math.min(1, Math.max(0, (zoom - 9) / 5));
  return 12 + 18 * share;
}

const ACTIVE: ExpressionSpecification = ['==', ['get', 'active'], true];
const SELECTED: ExpressionSpecification = ['==', ['get', 'selected'], true];

/** Half of it once the picture is only "as of". */
const opacity = (full: number | ExpressionSpecification, faint: number): ExpressionSpecification => [
  'case',
  ['==', ['get', 'faint'], true],
  faint,
  full,
];
const byZoom = (far: number, near: number): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  9,
  far,
  14,
  near,
];

/**
 * Incidents and events. An active one: a soft red disc of 30 px with an edge, and a faint outer ring of 44 px; a recent
 * one: gray, thin. Picked by the circle, active ones first.
 */
export const locationLayer: MapLayer<MapLocation> = {
  kind: 'location',
  cardSide: 'below',
  styles(source, tokens) {
    const color: ExpressionSpecification = ['case', ACTIVE, tokens.scene, tokens.offline];
    return [
      {
        id: `${source}-outer`,
        type: 'circle',
        source,
        filter: ACTIVE,
        paint: {
          'circle-radius': byZoom(18, 44),
          'circle-color': 'rgba(0,0,0,0)',
          'circle-stroke-color': color,
          'circle-stroke-width': 1,
          'circle-stroke-opacity': opacity(0.25, 0.12),
        },
      },
      {
        id: source,
        type: 'circle',
        source,
        paint: {
          'circle-radius': byZoom(12, 30),
          'circle-color': color,
          'circle-opacity': opacity(['case', ACTIVE, 0.1, 0.06], 0.04),
          'circle-stroke-color': color,
          'circle-stroke-width': ['case', SELECTED, 2.5, 1.5],
          'circle-stroke-opacity': opacity(0.55, 0.25),
        },
      },
    ];
  },
  feature: ({ id, lat, lng, active }, { selected, faint }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { id, active, selected, faint },
  }),
  place: ({ lat, lng }) => ({ lat, lng }),
  distancePx: (row, at, { zoom, perLng, perLat }) =>
    Math.hypot(lngDelta(row.lng, at.lng) * perLng, (row.lat - at.lat) * perLat) - locationRadiusPx(zoom),
  rank: ({ active }) => (active ? 1 : 0),
};
