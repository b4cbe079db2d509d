import type { LayerSpecification } from 'maplibre-gl';
import type { MapTokens } from '../tokens';
import { CLOSED, opacity, SELECTED, SHAPE, signLayer, signStyles } from './sign';
import type { SignLook } from './signs';

/** How a hazard's sign looks: a warning triangle, as yellow as on the road. */
export const hazardLook = (paints: Pick<MapTokens, 'warnMark' | 'warnMarkInk' | 'warnMarkEdge'>): SignLook => ({
  shape: 'triangle',
  fill: paints.warnMark,
  edge: paints.warnMarkEdge,
  ink: paints.warnMarkInk,
});

function shapeStyles(source: string, { warn }: MapTokens): LayerSpecification[] {
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['all', SHAPE, CLOSED],
      paint: { 'fill-color': warn, 'fill-opacity': opacity(0.12) },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['all', SHAPE, ['in', ['geometry-type'], ['literal', ['Polygon', 'LineString']]]],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': warn, 'line-width': ['case', SELECTED, 4, 2.5], 'line-opacity': opacity(0.9) },
    },
  ];
}

/** Hazards on the road: a triangle with a glyph for each type, the type beside it, and the shapes that were reported. */
export const hazardLayer = signLayer('hazard', (source, tokens) => {
  const look = hazardLook(tokens);
  return [...shapeStyles(source, tokens), ...signStyles(source, tokens, { active: look, else: look })];
});
