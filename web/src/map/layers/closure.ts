import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { ARROW_IMAGE } from '../imageNames';
import type { MapTokens } from '../tokens';
import type { MapClosure } from '../types';
import { closureLook } from './closureSign';
import type { MapLayer } from './layer';
import { linePx } from './line';
import { ACTIVE, dotStyles, opacity, SELECTED, SHAPE, signLayer, signStyles } from './sign';

const STANDBY: ExpressionSpecification = ['!', ACTIVE];
/** Px of an active line, and of the touch that still meets one. */
const LINE_PX = 6;

/** Arrows along the lines, in the direction of traffic. */
const arrows = (id: string, source: string, filter: ExpressionSpecification, color: string): LayerSpecification => ({
  id,
  type: 'symbol',
  source,
  filter,
  minzoom: 12,
  layout: {
    'symbol-placement': 'line',
    'symbol-spacing': 48,
    'icon-image': `${ARROW_IMAGE}${color}`,
    'icon-rotation-alignment': 'map',
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
    'icon-keep-upright': false,
    'icon-padding': 0,
  },
  paint: { 'icon-opacity': opacity(1) },
});

/** An active line is solid and strong with an edge, any other thin and dashed. */
function lineStyles(source: string, { activeMark, activeMarkInk, standby, panel }: MapTokens): LayerSpecification[] {
  const active: ExpressionSpecification = ['all', SHAPE, ACTIVE];
  const others: ExpressionSpecification = ['all', SHAPE, STANDBY];
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  return [
    {
      id: `${source}-edge`,
      type: 'line',
      source,
      filter: active,
      layout: round,
      paint: {
        'line-color': ['case', SELECTED, activeMark, panel],
        'line-width': ['case', SELECTED, LINE_PX + 8, LINE_PX + 3],
        'line-opacity': opacity(['case', SELECTED, 0.35, 0.9]),
      },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: active,
      layout: round,
      paint: { 'line-color': activeMark, 'line-width': LINE_PX, 'line-opacity': opacity(1) },
    },
    {
      id: `${source}-dash`,
      type: 'line',
      source,
      filter: others,
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': standby,
        'line-width': ['case', SELECTED, 4.5, 3],
        'line-opacity': opacity(0.9),
        'line-dasharray': [2.5, 1.75],
      },
    },
    arrows(`${source}-arrows`, source, active, activeMarkInk),
    arrows(`${source}-dash-arrows`, source, others, standby),
  ];
}

/** Closures of a whole state come by the thousand; farther out than this a glyph cannot be read anyway. */
const SIGNS_FROM_ZOOM = 10;

const base = signLayer('closure', (source, tokens) => [
  ...lineStyles(source, tokens),
  ...dotStyles(source, closureLook(tokens), SIGNS_FROM_ZOOM),
  ...signStyles(source, tokens, closureLook(tokens), { minzoom: SIGNS_FROM_ZOOM }),
]) as unknown as MapLayer<MapClosure>;

/** Closures: a line along the road with arrows in the direction of traffic, and a diamond at its middle. */
export const closureLayer: MapLayer<MapClosure> = {
  ...base,
  distancePx: (row, at, scale) => Math.min(base.distancePx(row, at, scale), linePx(row, at, scale) - LINE_PX / 2),
};
