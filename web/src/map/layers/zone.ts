import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { HATCH_IMAGE } from '../imageNames';
import type { MapTokens } from '../tokens';
import { byQuiet, QUIET, quietLook, quietTone } from './quiet';
import { ACTIVE, CLOSED, opacity, SELECTED, SHAPE, type SignLooks, signLayer, signStyles } from './sign';
import type { SignLook } from './signs';

/** How a zone's sign looks: filled while the zone is active, outlined on standby. */
export const zoneLook = (paints: Pick<MapTokens, 'activeMark' | 'activeMarkInk' | 'standby' | 'panel'>) => ({
  active: { shape: 'square', fill: paints.activeMark, edge: paints.panel, ink: paints.activeMarkInk } as SignLook,
  else: { shape: 'square', fill: paints.panel, edge: paints.standby, ink: paints.standby } as SignLook,
});

const STANDBY: ExpressionSpecification = ['!', ACTIVE];

/** An active zone has a thick line and hatches, one on standby a thin dashed line. */
function shapeStyles(source: string, tokens: MapTokens): LayerSpecification[] {
  const color: ExpressionSpecification = [
    'case',
    QUIET,
    quietTone(tokens, 'active'),
    ACTIVE,
    tokens.activeMark,
    tokens.standby,
  ];
  const fill: ExpressionSpecification = [
    'case',
    QUIET,
    0.07,
    ACTIVE,
    ['case', SELECTED, 0.26, 0.18],
    ['case', SELECTED, 0.16, 0.07],
  ];
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['all', SHAPE, CLOSED],
      paint: { 'fill-color': color, 'fill-opacity': opacity(fill) },
    },
    {
      id: `${source}-hatch`,
      type: 'fill',
      source,
      filter: ['all', SHAPE, CLOSED, ACTIVE, ['!', QUIET]],
      paint: { 'fill-pattern': `${HATCH_IMAGE}${tokens.activeMark}`, 'fill-opacity': opacity(0.5) },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['all', SHAPE, ACTIVE],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': color,
        'line-width': ['case', SELECTED, 5, byQuiet(1.5, 3.5)],
        'line-opacity': opacity(1),
      },
    },
    {
      id: `${source}-dash`,
      type: 'line',
      source,
      filter: ['all', SHAPE, STANDBY],
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': color,
        'line-width': ['case', SELECTED, 3, 1.75],
        'line-opacity': opacity(0.9),
        'line-dasharray': [3, 2],
      },
    },
  ];
}

const looksOf = (tokens: MapTokens): SignLooks => ({
  ...zoneLook(tokens),
  quiet: quietLook('square', tokens, quietTone(tokens, 'active')),
});

/** Zones: shapes on the ground and a square sign, filled and hatched while an alerting asset stands there. */
export const zoneLayer = signLayer('zone', looksOf, (source, tokens, looks) => [
  ...shapeStyles(source, tokens),
  ...signStyles(source, tokens, looks),
]);
