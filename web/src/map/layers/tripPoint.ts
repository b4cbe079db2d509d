import limits from '@catalog/limits.json';
import { lngDelta } from '../geometry';
import type { MapLayer } from './layer';
import { plainOf, type TripColor } from './tripTone';

/** A single report of a trip; its card says the details. */
export interface MapTripPoint {
  readonly id: string;
  readonly lat: number;
  readonly lng: number;
  readonly color: TripColor;
}

const RADIUS_PX = 4;

/** The points of trips, near enough to tell them apart. */
export const tripPointLayer: MapLayer<MapTripPoint> = {
  kind: 'trippoint',
  cardSide: 'beside',
  styles: (source, tokens) => [
    {
      id: `${source}-dot`,
      type: 'circle',
      source,
      minzoom: limits.map.tripPointsZoom.value,
      paint: {
        'circle-radius': RADIUS_PX,
        'circle-color': tokens.panel,
        'circle-stroke-color': plainOf(tokens),
        'circle-stroke-width': 2,
      },
    },
  ],
  feature: ({ lat, lng, color }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { color },
  }),
  place: ({ lat, lng }) => ({ lat, lng }),
  distancePx: (row, at, { zoom, perLng, perLat }) =>
    zoom < limits.map.tripPointsZoom.value
      ? Number.POSITIVE_INFINITY
      : Math.hypot(lngDelta(row.lng, at.lng) * perLng, (row.lat - at.lat) * perLat) - RADIUS_PX,
  rank: () => 0,
};
