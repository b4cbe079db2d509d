import limits from '@catalog/limits.json';
import type { GeoJSONSourceSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { drawingLayers } from './draw/style';
import { MEDIUM } from './fontNames';
import { fontFaces } from './fonts';
import { ROOM_IMAGE } from './imageNames';
import { MAP_LAYERS } from './layers';
import { NAME_SIDES, sourceOf, stylesOf } from './layers/layer';
import { markedLayers } from './layers/marked';
import { reducedMotion } from './motion';
import { type MapTokens, TOKENS } from './tokens';
import type { ThemeName } from './types';

const { iconMediumBelowZoom } = limits.map;

/** Our own sources over any base style. Their data survive a change of style. */
export const DENSITY = 'app-density';
export const TRAIL = 'app-trail';
export const LABELS = 'app-labels';
/** How many marks lie on one another. */
export const STACKS = 'app-stacks';
/** Keeps names off the marks. */
export const ROOM = 'app-room';
/** Lines that are pointed out, such as where two closures overlap. */
export const MARKED = 'app-marked';
/** The shape that is being drawn. */
export const DRAWING = 'app-drawing';
export type OverlaySource = `app-${string}`;
const OVERLAY_SOURCES: readonly OverlaySource[] = [
  DENSITY,
  TRAIL,
  ...MAP_LAYERS.map(sourceOf),
  STACKS,
  LABELS,
  MARKED,
  DRAWING,
];

const EMPTY: GeoJSONSourceSpecification = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } };

function density(tokens: MapTokens): LayerSpecification {
  return {
    id: DENSITY,
    type: 'heatmap',
    source: DENSITY,
    paint: {
      'heatmap-weight': ['get', 'weight'],
      'heatmap-intensity': 1,
      'heatmap-radius': 40,
      'heatmap-opacity': 0.75,
      'heatmap-color': [
        'interpolate',
        ['linear'],
        ['heatmap-density'],
        0,
        'rgba(0,0,0,0)',
        0.15,
        tokens.standby,
        0.5,
        tokens.pending,
        0.8,
        tokens.activeMark,
        1,
        tokens.scene,
      ],
    },
  };
}

function trail(tokens: MapTokens): LayerSpecification {
  return {
    id: TRAIL,
    type: 'line',
    source: TRAIL,
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': tokens.activeMark, 'line-width': 3, 'line-opacity': 0.55 },
  };
}

function labels(tokens: MapTokens): LayerSpecification {
  return {
    id: LABELS,
    type: 'symbol',
    source: LABELS,
    layout: {
      'text-field': ['get', 'text'],
      'text-font': [MEDIUM],
      'text-size': 11,
      'text-variable-anchor': [...NAME_SIDES],
      'text-radial-offset': 1.75,
      'text-padding': 2,
      'symbol-sort-key': ['-', 0, ['get', 'stack']],
    },
    paint: {
      'text-color': tokens.ink,
      'text-halo-color': tokens.panel,
      'text-halo-width': 1.6,
      'text-opacity': ['case', ['==', ['get', 'stale'], true], 0.6, 1],
    },
  };
}

/** At the upper right edge of a mark of 30 px. */
const STACK_AT: [number, number] = [13, -13];

/** A disc with the number of the marks that lie there, above all names: it must never be one that gives way. */
function stacks(tokens: MapTokens): LayerSpecification[] {
  return [
    {
      id: `${STACKS}-disc`,
      type: 'circle',
      source: STACKS,
      paint: {
        'circle-radius': ['step', ['get', 'count'], 7.5, 10, 9, 100, 11],
        'circle-color': tokens.ink,
        'circle-stroke-color': tokens.panel,
        'circle-stroke-width': 1.5,
        'circle-translate': STACK_AT,
      },
    },
    {
      id: STACKS,
      type: 'symbol',
      source: STACKS,
      layout: {
        'text-field': ['to-string', ['get', 'count']],
        'text-font': [MEDIUM],
        'text-size': 10.5,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': tokens.panel, 'text-translate': STACK_AT },
    },
  ];
}

/**
 * The marks are drawn by a layer that MapLibre knows no boxes of. This one, of clear squares, stands above all
 * names and is placed before them: no name of an asset, street or town lies on a labeled mark.
 */
function room(): LayerSpecification {
  return {
    id: ROOM,
    type: 'symbol',
    source: LABELS,
    layout: {
      'icon-image': ROOM_IMAGE,
      'icon-size': ['step', ['zoom'], 0.7, iconMediumBelowZoom.value, 1],
      'icon-allow-overlap': true,
      'icon-padding': 0,
    },
  };
}

/** Layers above the base, bottom to top. The assets' own layer goes between those of the other nouns and the labels. */
export function overlayLayers(theme: ThemeName): LayerSpecification[] {
  const tokens = TOKENS[theme];
  const nouns = MAP_LAYERS.flatMap(layer => stylesOf(layer, tokens));
  return [
    density(tokens),
    trail(tokens),
    ...nouns,
    ...markedLayers(MARKED, tokens),
    labels(tokens),
    ...MAP_LAYERS.flatMap(layer => stylesOf(layer, tokens, 'above')),
    ...stacks(tokens),
    ...MAP_LAYERS.flatMap(layer => stylesOf(layer, tokens, 'room')),
    room(),
    ...drawingLayers(DRAWING, tokens),
  ];
}

/**
 * The style with our overlay: sources keep the data of `previous` (the style that
 * is shown now), layers take the theme's colors, fonts are added for our labels.
 * Who wants less motion sees new colors at once.
 */
export function withOverlay(
  next: StyleSpecification,
  theme: ThemeName,
  origin: string,
  previous?: StyleSpecification,
): StyleSpecification {
  const ours: StyleSpecification['sources'] = {};
  for (const id of OVERLAY_SOURCES) ours[id] = previous?.sources[id] ?? EMPTY;
  return {
    ...next,
    'font-faces': { ...next['font-faces'], ...fontFaces(origin) },
    sources: { ...next.sources, ...ours },
    layers: [...next.layers, ...overlayLayers(theme)],
    ...(reducedMotion() && { transition: { duration: 0, delay: 0 } }),
  };
}
