import type { Feature } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { MEDIUM } from '../fontNames';
import { lngDelta } from '../geometry';
import { ROOM_IMAGE, ROOM_PX, SIGN_IMAGE } from '../imageNames';
import type { MapTokens } from '../tokens';
import type { MapSign } from '../types';
import { type MapLayer, NAME_SIDES, NAMES_FROM_ZOOM } from './layer';
import { byQuiet, QUIET } from './quiet';
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
/** What stands behind has smaller ones, and says less beside them. */
const QUIET_SIZE = 0.78;
const sizeOf = (size: number): ExpressionSpecification => byQuiet(size * QUIET_SIZE, size);
const sizeAt = (zoom: number): number => (zoom < SIZES[1] ? SIZES[0] : zoom < SIZES[3] ? SIZES[2] : SIZES[4]);

const image = ({ shape, fill, edge, ink }: SignLook): ExpressionSpecification => [
  'concat',
  `${SIGN_IMAGE}${shape}/${fill}/${edge}/${ink}/`,
  ['get', 'glyph'],
];

const MARKER: ExpressionSpecification = ['!', SHAPE];
const UNSELECTED: ExpressionSpecification = ['!', SELECTED];
const STANDBY: ExpressionSpecification = ['!', ACTIVE];

/** How the signs of a noun look: those that are active, the others, and those that stand behind what the map is about. */
export interface SignLooks {
  readonly active: SignLook;
  readonly else: SignLook;
  readonly quiet: SignLook;
}

/**
 * What stands for the signs of a noun below a zoom: a dot for each, filled while active, else outlined. MapLibre looks
 * for room for each symbol again and again while the map moves, which thousands in view make dear; a dot costs nothing.
 */
export function dotStyles(source: string, look: SignLooks, below: number) {
  const { quiet } = look;
  const dot = (id: string, filter: ExpressionSpecification, { fill, edge }: SignLook): LayerSpecification => ({
    id,
    type: 'circle',
    source,
    filter: ['all', MARKER, UNSELECTED, filter],
    maxzoom: below,
    paint: {
      'circle-radius': byQuiet(DOT_PX * QUIET_SIZE, DOT_PX),
      'circle-color': byQuiet(quiet.fill, fill),
      'circle-stroke-color': byQuiet(quiet.edge, edge),
      'circle-stroke-width': 1.5,
      'circle-opacity': opacity(1),
      'circle-stroke-opacity': opacity(1),
    },
  });
  return [dot(`${source}-dot`, STANDBY, look.else), dot(`${source}-dot-active`, ACTIVE, look.active)];
}

/** From the middle of a sign to what is said beside it, in ems. */
const NAME_OFFSET = 1.55;

/** A symbol layer of signs, with what is said beside them. */
function sign(
  id: string,
  source: string,
  tokens: MapTokens,
  look: SignLooks,
  filter: ExpressionSpecification,
  grow = 1,
): LayerSpecification {
  return {
    id,
    type: 'symbol',
    source,
    filter: ['all', MARKER, filter],
    layout: {
      'icon-image': ['case', QUIET, image(look.quiet), ACTIVE, image(look.active), image(look.else)],
      'icon-size': [
        'step',
        ['zoom'],
        sizeOf(SIZES[0] * grow),
        SIZES[1],
        sizeOf(SIZES[2] * grow),
        SIZES[3],
        sizeOf(SIZES[4] * grow),
      ],
      'icon-allow-overlap': true,
      'icon-padding': 1,
      'text-field': ['step', ['zoom'], '', NAMES_FROM_ZOOM, byQuiet('', ['get', 'text']), 14, ['get', 'text']],
      'text-font': [MEDIUM],
      'text-size': 11,
      'text-variable-anchor': [...NAME_SIDES],
      'text-radial-offset': NAME_OFFSET * grow,
      'text-justify': 'auto',
      'text-max-width': 14,
      'text-optional': true,
    },
    paint: {
      'icon-opacity': opacity(1),
      'text-color': byQuiet(tokens.maplabel, tokens.ink),
      'text-halo-color': tokens.panel,
      'text-halo-width': 1.6,
      'text-opacity': opacity(1),
    },
  };
}

/** The signs of a noun from a zoom on, but for the selected one (`selectedSign`). */
export function signStyles(
  source: string,
  tokens: MapTokens,
  look: SignLooks,
  from: { readonly minzoom?: number } = {},
): LayerSpecification[] {
  // Layers, not a sort key: what is active lies over the others, and its words come before theirs.
  return [
    { ...sign(source, source, tokens, look, ['all', UNSELECTED, STANDBY]), ...from } as LayerSpecification,
    { ...sign(`${source}-active`, source, tokens, look, ['all', UNSELECTED, ACTIVE]), ...from } as LayerSpecification,
  ];
}

/** Room for the core of the signs: no name of an asset lies on one, nor that of another sign. */
const signRoom = (source: string): LayerSpecification => ({
  id: `${source}-room`,
  type: 'symbol',
  source,
  filter: MARKER,
  minzoom: NAMES_FROM_ZOOM,
  layout: {
    'icon-image': ROOM_IMAGE,
    'icon-size': ['step', ['zoom'], SIZES[2], SIZES[3], SIZES[4]],
    'icon-allow-overlap': true,
    'icon-padding': 0,
  },
});

/** Room along lines, a step at a time: a name stands beside them or nowhere. */
export const lineRoom = (source: string, filter: ExpressionSpecification, px: number): LayerSpecification => ({
  id: `${source}-line-room`,
  type: 'symbol',
  source,
  filter,
  minzoom: NAMES_FROM_ZOOM,
  layout: {
    'symbol-placement': 'line',
    // Between two of them less is left than a line of text is high, up to the next zoom that tiles are cut for.
    'symbol-spacing': px + 1,
    'icon-image': ROOM_IMAGE,
    'icon-size': px / ROOM_PX,
    'icon-allow-overlap': true,
    'icon-padding': 0,
  },
});

/** The selected sign: larger, in a ring, and above the assets. It is what is looked at, and must not lie under a unit. */
export function selectedSign(source: string, tokens: MapTokens, look: SignLooks): LayerSpecification[] {
  const filter: ExpressionSpecification = ['all', MARKER, SELECTED];
  return [
    {
      id: `${source}-ring`,
      type: 'circle',
      source,
      filter,
      paint: {
        'circle-radius': RING_PX,
        'circle-color': 'rgba(0,0,0,0)',
        'circle-stroke-color': tokens.accent,
        'circle-stroke-width': 2,
        'circle-stroke-opacity': opacity(1),
      },
    },
    sign(`${source}-selected`, source, tokens, look, SELECTED, 1.2),
  ];
}

/** Half of a sign's image, in px. */
const HALF_PX = 18;
/** Around the selected sign, as it grows with the zoom. */
const RING_PX: ExpressionSpecification = ['step', ['zoom'], 15, SIZES[1], 20, SIZES[3], 26];

/** A noun that has shapes on the ground and a sign over them: what is drawn of it, and where it is picked. */
export const signLayer = (
  kind: string,
  looks: (tokens: MapTokens) => SignLooks,
  styles: (source: string, tokens: MapTokens, looks: SignLooks) => LayerSpecification[],
): MapLayer<MapSign> => ({
  kind,
  cardSide: 'below',
  styles: (source, tokens) => styles(source, tokens, looks(tokens)),
  above: (source, tokens) => selectedSign(source, tokens, looks(tokens)),
  room: source => [signRoom(source)],
  feature: ({ id, lat, lng, text, glyph, active, shapes, quiet = false }, { selected, faint }) => {
    const look = { id, active, selected, faint, quiet: quiet && !selected };
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
