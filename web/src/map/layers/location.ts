import type { Feature } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { MEDIUM } from '../fontNames';
import { lngDelta } from '../geometry';
import type { MapTokens } from '../tokens';
import type { MapLocation } from '../types';
import type { MapLayer } from './layer';
import { byQuiet, QUIET, quietTone } from './quiet';
import { drawnShape } from './shape';

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

/** The marker of an event, and not one of its shapes. */
const MARKER: ExpressionSpecification = ['!', ['has', 'shape']];
const MANY: ExpressionSpecification = ['>', ['get', 'units'], 1];

/** From the middle of a marker to where its count stands, on its outer ring: east of the names above and below it. */
const toEdge: ExpressionSpecification = [
  'interpolate',
  ['linear'],
  ['zoom'],
  9,
  ['literal', [20, -8]],
  14,
  ['literal', [41, -15]],
];

const colorOf = (tokens: MapTokens): ExpressionSpecification => ['case', ACTIVE, tokens.scene, tokens.offline];

/** The shapes of events that senders reported: what they cover, their lines, their places. */
function shapeStyles(source: string, tokens: MapTokens): LayerSpecification[] {
  const color = colorOf(tokens);
  const width: ExpressionSpecification = ['case', SELECTED, 3.5, 2.5];
  return [
    {
      id: `${source}-area`,
      type: 'fill',
      source,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': color, 'fill-opacity': opacity(byQuiet(0.05, 0.12), 0.05) },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['in', ['geometry-type'], ['literal', ['Polygon', 'LineString']]],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': color, 'line-width': width, 'line-opacity': opacity(byQuiet(0.4, 0.8), 0.35) },
    },
    {
      id: `${source}-dot`,
      type: 'circle',
      source,
      filter: ['all', ['has', 'shape'], ['==', ['geometry-type'], 'Point']],
      paint: { 'circle-radius': 5, 'circle-color': color, 'circle-opacity': opacity(0.9, 0.4) },
    },
  ];
}

/** How many assets are there, on the edge of the marker: two and more. No mark of one beside it may lie on it. */
function countStyles(source: string, tokens: MapTokens): LayerSpecification[] {
  const filter: ExpressionSpecification = ['all', ACTIVE, MARKER, MANY];
  return [
    {
      id: `${source}-badge`,
      type: 'circle',
      source,
      filter,
      paint: {
        'circle-radius': byQuiet(7, 8.5),
        'circle-color': byQuiet(tokens.panel, tokens.scene),
        'circle-opacity': opacity(1, 0.5),
        'circle-stroke-color': byQuiet(quietTone(tokens, 'scene'), tokens.panel),
        'circle-stroke-width': byQuiet(1, 1.5),
        'circle-translate': toEdge,
      },
    },
    {
      id: `${source}-count`,
      type: 'symbol',
      source,
      filter,
      layout: {
        'text-field': ['to-string', ['get', 'units']],
        'text-font': [MEDIUM],
        'text-size': 11,
        'text-allow-overlap': true,
        // With the disc about it: names give way to the count, whichever side of their mark they have chosen.
        'text-padding': 5,
      },
      paint: { 'text-color': byQuiet(tokens.ink, tokens.sceneInk), 'text-translate': toEdge },
    },
  ];
}

/**
 * Incidents and events. An active one: a soft red disc of 30 px with an edge, and a faint outer ring of 44 px, with the
 * count of its assets; a recent one: gray, thin; one that stands behind another section's rows: a thin ring, with the
 * count in outline. What a sender reported has its shapes besides. Picked by the circle,
 * active ones first.
 */
export const locationLayer: MapLayer<MapLocation> = {
  kind: 'location',
  cardSide: 'below',
  styles(source, tokens) {
    const color = colorOf(tokens);
    return [
      ...shapeStyles(source, tokens),
      {
        id: `${source}-outer`,
        type: 'circle',
        source,
        filter: ['all', ACTIVE, MARKER, ['!', QUIET]],
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
        filter: MARKER,
        paint: {
          'circle-radius': byZoom(12, 30),
          'circle-color': color,
          'circle-opacity': opacity(['case', QUIET, 0.03, ACTIVE, 0.1, 0.06], 0.02),
          'circle-stroke-color': color,
          'circle-stroke-width': ['case', SELECTED, 2.5, byQuiet(1, 1.5)],
          'circle-stroke-opacity': opacity(byQuiet(0.3, 0.55), 0.25),
        },
      },
    ];
  },
  above: countStyles,
  feature: ({ id, lat, lng, active, units = 0, shapes = [], quiet = false }, { selected, faint }) => {
    const properties = { id, active, units, selected, faint, quiet: quiet && !selected };
    return [
      ...shapes.map(
        (shape): Feature => ({
          type: 'Feature',
          geometry: drawnShape(shape),
          properties: { ...properties, shape: true },
        }),
      ),
      { type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties },
    ];
  },
  place: ({ lat, lng }) => ({ lat, lng }),
  distancePx: (row, at, { zoom, perLng, perLat }) =>
    Math.hypot(lngDelta(row.lng, at.lng) * perLng, (row.lat - at.lat) * perLat) - locationRadiusPx(zoom),
  rank: ({ active }) => (active ? 1 : 0),
  counts: (row, at, scale) => row.active && (row.units ?? 0) > 1 && locationLayer.distancePx(row, at, scale) <= 0,
};
