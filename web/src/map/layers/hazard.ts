import type { LayerSpecification } from 'maplibre-gl';
import type { MapTokens } from '../tokens';
import { byQuiet, quietLook, quietTone } from './quiet';
import { CLOSED, opacity, SELECTED, SHAPE, type SignLooks, signLayer, signStyles } from './sign';
import type { SignLook } from './signs';

/** How a hazard's sign looks: a warning triangle, as yellow as on the road. */
export const hazardLook = (paints: Pick<MapTokens, 'warnMark' | 'warnMarkInk' | 'warnMarkEdge'>): SignLook => ({
  shape: 'triangle',
  fill: paints.warnMark,
  edge: paints.warnMarkEdge,
  ink: paints.warnMarkInk,
});

function shapeStyles(source: string, tokens: MapTokens): LayerSpecification[] {
  const color = byQuiet(quietTone(tokens, 'warn'), tokens.warn);
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['all', SHAPE, CLOSED],
      paint: { 'fill-color': color, 'fill-opacity': opacity(byQuiet(0.07, 0.12)) },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['all', SHAPE, ['in', ['geometry-type'], ['literal', ['Polygon', 'LineString']]]],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': color,
        'line-width': ['case', SELECTED, 4, byQuiet(1.5, 2.5)],
        'line-opacity': opacity(0.9),
      },
    },
  ];
}

const looksOf = (tokens: MapTokens): SignLooks => {
  const look = hazardLook(tokens);
  return { active: look, else: look, quiet: quietLook('triangle', tokens, quietTone(tokens, 'warn')) };
};

/** Hazards on the road: a triangle with a glyph for each type, the type beside it, and the shapes that were reported. */
export const hazardLayer = signLayer('hazard', looksOf, (source, tokens, looks) => [
  ...shapeStyles(source, tokens),
  ...signStyles(source, tokens, looks),
]);
