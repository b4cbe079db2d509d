import type { Feature } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { MEDIUM } from '../fontNames';
import { lngDelta } from '../geometry';
import { SIGN_IMAGE } from '../imageNames';
import type { MapTokens } from '../tokens';
import type { MapSign } from '../types';
import type { MapLayer } from './layer';
import { drawnShape } from './shape';
import type { SignLook } from './signs';

export const SHAPE: ExpressionSpecification = ['has', 'shape'];
export const SELECTED: ExpressionSpecification = ['==', ['get', 'selected'], true];
export const ACTIVE: ExpressionSpecification = ['==', ['get', 'active'], true];
export const CLOSED: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];

/** Half of it once the picture is only "as of". */
export const opacity = (full: number | ExpressionSpecification): ExpressionSpecification => [
  '*',
  full,
  ['case', ['==', ['get', 'faint'], true], 0.5, 1],
];

/** Radius of a dot, in px. */
const DOT_PX = 5;

/** Px of a sign at a zoom, as a share of its image. */
const SIZES = [0.5, 11, 0.7, 13.5, 0.94] as const;
const sizeAt = (zoom: number): number => (zoom < SIZES[1] ? SIZES[0] : zoom < SIZES[3] ? SIZES[2] : SIZES[4]);

const image = ({ shape, fill, edge, ink }: SignLook): ExpressionSpecification => [
  'concat',
  `${SIGN_IMAGE}${shape}/${fill}/${edge}/${ink}/`,
  ['get', 'glyph'],
];

const MARKER: ExpressionSpecification = ['!', SHAPE];
const UNSELECTED: ExpressionSpecification = ['!', SELECTED];
const STANDBY: ExpressionSpecification = ['!', ACTIVE];

/**
 * What stands for the signs of a noun below a zoom: a dot for each, filled while active, else outlined. MapLibre looks
 * for room for each symbol again and again while the map moves, which thousands in view make dear; a dot costs nothing.
 */
export function dotStyles(source: string, look: { active: SignLook; else: SignLook }, below: number) {
  const dot = (id: string, filter: ExpressionSpecification, { fill, edge }: SignLook): LayerSpecification => ({
    id,
    type: 'circle',
    source,
    filter: ['all', MARKER, UNSELECTED, filter],
    maxzoom: below,
    paint: {
      'circle-radius': DOT_PX,
      'circle-color': fill,
      'circle-stroke-color': edge,
      'circle-stroke-width': 1.5,
      'circle-opacity': opacity(1),
      'circle-stroke-opacity': opacity(1),
    },
  });
  return [dot(`${source}-dot`, STANDBY, look.else), dot(`${source}-dot-active`, ACTIVE, look.active)];
}

/**
 * The signs of a noun from a zoom on (the selected one at all), with what is said beside them. `look` of those that are
 * active, and of the others.
 */
export function signStyles(
  source: string,
  tokens: MapTokens,
  look: { active: SignLook; else: SignLook },
  from: { readonly minzoom?: number } = {},
) {
  const sign = (id: string, filter: ExpressionSpecification, grow: number): LayerSpecification => ({
    id,
    type: 'symbol',
    source,
    filter: ['all', MARKER, filter],
    layout: {
      'icon-image': ['case', ACTIVE, image(look.active), image(look.else)],
      'icon-size': ['step', ['zoom'], SIZES[0] * grow, SIZES[1], SIZES[2] * grow, SIZES[3], SIZES[4] * grow],
      'icon-allow-overlap': true,
      'icon-padding': 1,
      'text-field': ['step', ['zoom'], '', 12, ['get', 'text']],
      'text-font': [MEDIUM],
      'text-size': 11,
      'text-anchor': 'top',
      'text-offset': [0, 1.5],
      'text-max-width': 14,
      'text-optional': true,
    },
    paint: {
      'icon-opacity': opacity(1),
      'text-color': tokens.ink,
      'text-halo-color': tokens.panel,
      'text-halo-width': 1.6,
      'text-opacity': opacity(1),
    },
  });
  // Layers, not a sort key: what is active lies over the others, and its words come before theirs.
  return [
    { ...sign(source, ['all', UNSELECTED, STANDBY], 1), ...from },
    { ...sign(`${source}-active`, ['all', UNSELECTED, ACTIVE], 1), ...from },
    sign(`${source}-selected`, SELECTED, 1.2),
  ];
}

/** Half of a sign's image, in px. */
const HALF_PX = 18;

/** A noun that has shapes on the ground and a sign over them: what is drawn of it, and where it is picked. */
export const signLayer = (kind: string, styles: MapLayer<MapSign>['styles']): MapLayer<MapSign> => ({
  kind,
  cardSide: 'below',
  styles,
  feature: ({ id, lat, lng, text, glyph, active, shapes }, { selected, faint }) => {
    const look = { id, active, selected, faint };
    return [
      ...shapes.map(
        (shape): Feature => ({
          type: 'Feature',
          geometry: drawnShape(shape),
          properties: { ...look, shape: true },
        }),
      ),
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lng, lat] },
        properties: { ...look, text, glyph },
      },
    ];
  },
  place: ({ lat, lng }) => ({ lat, lng }),
  distancePx: (row, at, { zoom, perLng, perLat }) => {
    const px = Math.hypot(lngDelta(row.lng, at.lng) * perLng, (row.lat - at.lat) * perLat) - HALF_PX * sizeAt(zoom);
    return px > 0 && row.contains(at) ? 0 : px;
  },
  rank: ({ active }) => (active ? 1 : 0),
});
