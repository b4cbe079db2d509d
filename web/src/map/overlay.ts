import type { GeoJSONSourceSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { fontFaces, MEDIUM } from './fonts';
import { ROOM_IMAGE } from './images';
import { type MapTokens, TOKENS } from './tokens';
import type { ThemeName } from './types';

/** Our own sources over any base style. Their data survive a change of style. */
export const DENSITY = 'app-density';
export const TRAIL = 'app-trail';
export const LOCATIONS = 'app-locations';
export const LABELS = 'app-labels';
/** Keeps names off the marks. */
export const ROOM = 'app-room';
const OVERLAY_SOURCES = [DENSITY, TRAIL, LOCATIONS, LABELS] as const;
export type OverlaySource = (typeof OVERLAY_SOURCES)[number];

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

/** An active location: a soft red disc of 30 px with an edge, and a faint outer ring of 44 px; a recent one: gray, thin. */
function locations(tokens: MapTokens): LayerSpecification[] {
  const active = ['==', ['get', 'active'], true];
  const color = ['case', active, tokens.scene, tokens.offline] as unknown as string;
  /** Half of it once the picture is only "as of". */
  const opacity = (full: unknown, faint: unknown) =>
    ['case', ['==', ['get', 'faint'], true], faint, full] as unknown as number;
  const byZoom = (near: number, far: number) =>
    ['interpolate', ['linear'], ['zoom'], 9, far, 14, near] as unknown as number;
  return [
    {
      id: `${LOCATIONS}-outer`,
      type: 'circle',
      source: LOCATIONS,
      filter: active as never,
      paint: {
        'circle-radius': byZoom(44, 18),
        'circle-color': 'rgba(0,0,0,0)',
        'circle-stroke-color': color,
        'circle-stroke-width': 1,
        'circle-stroke-opacity': opacity(0.25, 0.12),
      },
    },
    {
      id: LOCATIONS,
      type: 'circle',
      source: LOCATIONS,
      paint: {
        'circle-radius': byZoom(30, 12),
        'circle-color': color,
        'circle-opacity': opacity(['case', active, 0.1, 0.06], 0.04),
        'circle-stroke-color': color,
        'circle-stroke-width': ['case', ['==', ['get', 'selected'], true], 2.5, 1.5] as unknown as number,
        'circle-stroke-opacity': opacity(0.55, 0.25),
      },
    },
  ];
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
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
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

/**
 * The marks are drawn by a layer that MapLibre knows no boxes of. This one, of clear squares, stands above all
 * names and is placed before them: no name of an asset, street or town lies on a labeled mark.
 */
function room(): LayerSpecification {
  return {
    id: ROOM,
    type: 'symbol',
    source: LABELS,
    layout: { 'icon-image': ROOM_IMAGE, 'icon-allow-overlap': true, 'icon-padding': 0 },
  };
}

/** Layers above the base, bottom to top. The assets' own layer goes between the locations and the labels. */
export function overlayLayers(theme: ThemeName): LayerSpecification[] {
  const tokens = TOKENS[theme];
  return [density(tokens), trail(tokens), ...locations(tokens), labels(tokens), room()];
}

/**
 * The style with our overlay: sources keep the data of `previous` (the style that
 * is shown now), layers take the theme's colors, fonts are added for our labels.
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
  };
}
