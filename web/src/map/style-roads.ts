import type { DataDrivenPropertyValueSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import type { MapTokens } from './tokens';

/** Width in px at zooms; half-way values follow the scale of the ground. Links (ramps) are narrower. */
function widths(...stops: readonly [zoom: number, px: number][]): DataDrivenPropertyValueSpecification<number> {
  const flat = stops.flatMap(([zoom, px]) => [zoom, ['case', ['==', ['get', 'link'], true], px * 0.62, px]]);
  return [
    'interpolate',
    ['exponential', 1.5],
    ['zoom'],
    ...flat,
  ] as unknown as DataDrivenPropertyValueSpecification<number>;
}

interface RoadGroup {
  readonly id: string;
  readonly classes: readonly string[];
  readonly minzoom: number;
  readonly color: (tokens: MapTokens) => string;
  readonly width: readonly [zoom: number, px: number][];
  /** Casing adds this much on both sides together. */
  readonly casePx: number;
  readonly caseFrom: number;
}

// Drawing order: small roads first. Widths at zoom 15 are those of the design.
const GROUPS: readonly RoadGroup[] = [
  {
    id: 'service',
    classes: ['service'],
    minzoom: 13,
    color: t => t.road,
    width: [
      [13, 0.4],
      [15, 1.4],
      [18, 7],
    ],
    casePx: 0.8,
    caseFrom: 15,
  },
  {
    id: 'street',
    classes: ['residential'],
    minzoom: 12,
    color: t => t.road,
    width: [
      [12, 0.6],
      [13, 1.2],
      [14, 2.2],
      [15, 3.8],
      [18, 15],
    ],
    casePx: 1.4,
    caseFrom: 13.5,
  },
  {
    id: 'tertiary',
    classes: ['tertiary', 'secondary'],
    minzoom: 9,
    color: t => t.road2,
    width: [
      [9, 0.5],
      [11, 1],
      [13, 2.2],
      [15, 5.2],
      [18, 18],
    ],
    casePx: 1.6,
    caseFrom: 12.5,
  },
  {
    id: 'primary',
    classes: ['primary', 'trunk'],
    minzoom: 6,
    color: t => t.road3,
    width: [
      [6, 0.5],
      [9, 1.2],
      [12, 2.4],
      [15, 6.6],
      [18, 21],
    ],
    casePx: 1.7,
    caseFrom: 11.5,
  },
  {
    id: 'motorway',
    classes: ['motorway'],
    minzoom: 4,
    color: t => t.motorway,
    width: [
      [4, 0.6],
      [8, 1.5],
      [12, 3.2],
      [15, 7.6],
      [18, 23],
    ],
    casePx: 2.1,
    caseFrom: 10.5,
  },
];

const ROUND = { 'line-cap': 'round', 'line-join': 'round' } as const;

const ofClasses = (classes: readonly string[]): FilterSpecification => [
  'in',
  ['get', 'class'],
  ['literal', [...classes]],
];

function caseLayer(group: RoadGroup, tokens: MapTokens): LayerSpecification {
  return {
    id: `road-${group.id}-case`,
    type: 'line',
    source: 'region',
    'source-layer': 'road',
    minzoom: group.caseFrom,
    filter: ofClasses(group.classes),
    layout: ROUND,
    paint: {
      'line-color': tokens.case,
      'line-width': widths(...group.width.map(([zoom, px]): [number, number] => [zoom, px + group.casePx])),
    },
  };
}

function fillLayer(group: RoadGroup, tokens: MapTokens, hybrid: boolean): LayerSpecification {
  return {
    id: `road-${group.id}`,
    type: 'line',
    source: 'region',
    'source-layer': 'road',
    minzoom: group.minzoom,
    filter: ofClasses(group.classes),
    layout: ROUND,
    paint: {
      'line-color': group.color(tokens),
      'line-width': widths(...group.width),
      // Over imagery the road itself must stay visible.
      'line-opacity': hybrid ? 0.45 : ['case', ['==', ['get', 'tunnel'], true], 0.55, 1],
    },
  };
}

/** All roads and railways, in drawing order. */
export function roadLayers(tokens: MapTokens, hybrid: boolean): LayerSpecification[] {
  const path: LayerSpecification = {
    id: 'road-path',
    type: 'line',
    source: 'region',
    'source-layer': 'road',
    minzoom: 14,
    filter: ofClasses(['pedestrian', 'track', 'path']),
    layout: ROUND,
    paint: {
      'line-color': tokens.path,
      'line-width': ['interpolate', ['linear'], ['zoom'], 14, 0.6, 16, 1.2, 18, 2.5],
    },
  };
  const rail: LayerSpecification = {
    id: 'rail',
    type: 'line',
    source: 'region',
    'source-layer': 'rail',
    minzoom: 10,
    paint: {
      'line-color': tokens.rail,
      'line-width': ['interpolate', ['linear'], ['zoom'], 10, 0.7, 15, 1.6, 18, 3],
      'line-dasharray': [4, 2.4],
    },
  };
  const fills = GROUPS.map(group => fillLayer(group, tokens, hybrid));
  if (hybrid) return fills;
  return [path, ...GROUPS.map(group => caseLayer(group, tokens)), rail, ...fills];
}
