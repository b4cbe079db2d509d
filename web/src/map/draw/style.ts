import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { MapTokens } from '../tokens';

/** What a drawn feature is a part of; the view gives it, the layers ask for it. */
export type Part = 'shape' | 'guide' | 'vertex' | 'midpoint' | 'handle' | 'center';

const is = (name: string): ExpressionSpecification => ['==', ['get', name], true];
const of = (...parts: Part[]): ExpressionSpecification => ['in', ['get', 'part'], ['literal', parts]];

/** The shape that is being drawn, above everything else. In both themes and on pictures from above: a light edge below a dark one. */
export function drawingLayers(source: string, tokens: MapTokens): LayerSpecification[] {
  const color: ExpressionSpecification = ['case', is('refused'), tokens.danger, tokens.accent];
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['all', of('shape'), ['==', ['geometry-type'], 'Polygon']],
      paint: { 'fill-color': color, 'fill-opacity': 0.16 },
    },
    {
      id: `${source}-edge`,
      type: 'line',
      source,
      filter: of('shape', 'guide'),
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: {
        'line-color': tokens.panel,
        'line-width': ['case', ['==', ['get', 'part'], 'guide'], 10, 6],
        'line-opacity': 0.75,
      },
    },
    {
      id: `${source}-guide`,
      type: 'line',
      source,
      filter: of('guide'),
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: { 'line-color': tokens.activeMark, 'line-width': 6 },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: of('shape'),
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      // Where a guide says what is meant, the straight line through the points only leads to it.
      paint: {
        'line-color': color,
        'line-width': ['case', is('guided'), 1.5, 2.5],
        'line-opacity': ['case', is('guided'), 0.6, 1],
      },
    },
    {
      id: `${source}-midpoints`,
      type: 'circle',
      source,
      filter: of('midpoint', 'center'),
      paint: {
        'circle-radius': 4,
        'circle-color': tokens.panel,
        'circle-stroke-color': color,
        'circle-stroke-width': 1.5,
        'circle-opacity': 0.85,
      },
    },
    {
      id: `${source}-points`,
      type: 'circle',
      source,
      filter: of('vertex', 'handle'),
      paint: {
        'circle-radius': ['case', is('chosen'), 8, 6],
        'circle-color': ['case', is('chosen'), color, tokens.panel],
        'circle-stroke-color': ['case', is('chosen'), tokens.panel, color],
        'circle-stroke-width': 2.5,
      },
    },
  ];
}
