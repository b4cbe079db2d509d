import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { ARROW_IMAGE } from '../imageNames';
import type { MapTokens } from '../tokens';
import type { MapClosure } from '../types';
import { closureLook } from './closureSign';
import type { MapLayer } from './layer';
import { linePx } from './line';
import { byQuiet, QUIET, quietLook, quietTone } from './quiet';
import { ACTIVE, dotStyles, lineRoom, opacity, SELECTED, SHAPE, type SignLooks, signLayer, signStyles } from './sign';

const STANDBY: ExpressionSpecification = ['!', ACTIVE];
/** Px of an active line, and of the touch that still meets one. */
const LINE_PX = 6;
/** Px of one that stands behind: no road that units drive on is hidden by it. */
const QUIET_PX = 2.5;

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
function lineStyles(source: string, tokens: MapTokens): LayerSpecification[] {
  const { activeMark, activeMarkInk, standby, panel } = tokens;
  const tone = quietTone(tokens, 'active');
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
        'line-width': ['case', SELECTED, LINE_PX + 8, byQuiet(QUIET_PX + 2, LINE_PX + 3)],
        'line-opacity': opacity(['case', SELECTED, 0.35, 0.9]),
      },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: active,
      layout: round,
      paint: {
        'line-color': byQuiet(tone, activeMark),
        'line-width': byQuiet(QUIET_PX, LINE_PX),
        'line-opacity': opacity(1),
      },
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
    arrows(`${source}-arrows`, source, ['all', active, ['!', QUIET]], activeMarkInk),
    arrows(`${source}-dash-arrows`, source, others, standby),
  ];
}

/** Closures of a whole state come by the thousand; farther out than this a glyph cannot be read anyway. */
const SIGNS_FROM_ZOOM = 10;

const looksOf = (tokens: MapTokens): SignLooks => ({
  ...closureLook(tokens),
  quiet: quietLook('diamond', tokens, quietTone(tokens, 'active')),
});

const base = signLayer('closure', looksOf, (source, tokens, looks) => [
  ...lineStyles(source, tokens),
  ...dotStyles(source, looks, SIGNS_FROM_ZOOM),
  ...signStyles(source, tokens, looks, { minzoom: SIGNS_FROM_ZOOM }),
]) as unknown as MapLayer<MapClosure>;

/** Closures: a line along the road with arrows in the direction of traffic, and a diamond at its middle. */
export const closureLayer: MapLayer<MapClosure> = {
  ...base,
  // The thin ones behind take the name of their road from no one.
  room: (source, tokens) => [
    ...(base.room?.(source, tokens) ?? []),
    lineRoom(source, ['all', SHAPE, ['!', QUIET]], LINE_PX),
  ],
  distancePx: (row, at, scale) => Math.min(base.distancePx(row, at, scale), linePx(row, at, scale) - LINE_PX / 2),
};
