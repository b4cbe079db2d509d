import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { MEDIUM, REGULAR, SEMIBOLD } from './fontNames';
import type { MapTokens } from './tokens';
import type { LatLngBounds } from './types';

/** Image of a highway shield; drawn on demand (images.ts), one for each theme. */
export const shieldImage = (theme: string): string => `lightbar-shield-${theme}`;

/**
 * "I 95;US 202" → "I-95": one shield for one stretch of road, whose number is written as texts write it (RoadText in
 * Go). The plate is not the shape of any sign, so it needs the letters.
 */
export const shieldText: ExpressionSpecification = [
  'let',
  'first',
  [
    'case',
    ['>=', ['index-of', ';', ['get', 'ref']], 0],
    ['slice', ['get', 'ref'], 0, ['index-of', ';', ['get', 'ref']]],
    ['get', 'ref'],
  ],
  [
    'case',
    ['all', ['==', ['slice', ['var', 'first'], 0, 2], 'I '], ['in', ['slice', ['var', 'first'], 2, 3], '0123456789']],
    ['concat', 'I-', ['slice', ['var', 'first'], 2]],
    ['var', 'first'],
  ],
];

function roadName(id: string, classes: string[], minzoom: number, tokens: MapTokens): LayerSpecification {
  return {
    id: `name-${id}`,
    type: 'symbol',
    source: 'region',
    'source-layer': 'road',
    minzoom,
    filter: ['all', ['has', 'name'], ['in', ['get', 'class'], ['literal', classes]]],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 480,
      'text-field': ['get', 'name'],
      'text-font': [MEDIUM],
      'text-size': ['interpolate', ['linear'], ['zoom'], 16, 11, 18, 12.5],
      'text-letter-spacing': 0.01,
      'text-max-angle': 32,
      // Few names read calmer than all of them.
      'text-padding': ['interpolate', ['linear'], ['zoom'], 13, 18, 17, 6],
    },
    paint: { 'text-color': tokens.maplabel, 'text-halo-color': tokens.halo, 'text-halo-width': 1.4 },
  };
}

function shields(tokens: MapTokens, theme: string): LayerSpecification {
  return {
    id: 'shield',
    type: 'symbol',
    source: 'region',
    'source-layer': 'road',
    minzoom: 8,
    filter: [
      'all',
      ['has', 'ref'],
      ['!', ['has', 'link']],
      [
        'any',
        ['in', ['get', 'class'], ['literal', ['motorway', 'trunk']]],
        ['all', ['>=', ['zoom'], 11], ['==', ['get', 'class'], 'primary']],
      ],
      ['<=', ['length', shieldText], 9],
    ],
    layout: {
      'symbol-placement': ['step', ['zoom'], 'point', 10, 'line'],
      'symbol-spacing': 420,
      'text-field': shieldText,
      'text-font': [SEMIBOLD],
      'text-size': 10,
      'text-rotation-alignment': 'viewport',
      'icon-rotation-alignment': 'viewport',
      'icon-image': shieldImage(theme),
      'icon-text-fit': 'both',
      'icon-text-fit-padding': [1, 4, 1, 4],
      'text-padding': 12,
      'icon-padding': 12,
    },
    paint: { 'text-color': tokens.shieldInk },
  };
}

function regionPlaces(tokens: MapTokens): LayerSpecification {
  return {
    id: 'place',
    type: 'symbol',
    source: 'region',
    'source-layer': 'place',
    minzoom: REGION_PLACES_FROM,
    maxzoom: 15.5,
    filter: ['step', ['zoom'], ['<=', ['get', 'rank'], 6], 12, true] as unknown as FilterSpecification,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': [
        'step',
        ['zoom'],
        ['literal', [MEDIUM]],
        9,
        ['case', ['<=', ['get', 'rank'], 4], ['literal', [SEMIBOLD]], ['literal', [MEDIUM]]],
      ],
      'text-size': [
        'interpolate',
        ['linear'],
        ['zoom'],
        6,
        ['-', 13, ['*', 0.5, ['get', 'rank']]],
        14,
        ['max', 11, ['-', 19, ['get', 'rank']]],
      ],
      'text-max-width': 8,
      'text-padding': 6,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': tokens.placeLabel, 'text-halo-color': tokens.halo, 'text-halo-width': 1.6 },
  };
}

function waterNames(tokens: MapTokens): LayerSpecification[] {
  const paint = { 'text-color': tokens.waterLabel, 'text-halo-color': tokens.halo, 'text-halo-width': 1 };
  return [
    {
      id: 'name-waterway',
      type: 'symbol',
      source: 'region',
      'source-layer': 'waterway',
      minzoom: 12,
      filter: ['all', ['has', 'name'], ['in', ['get', 'class'], ['literal', ['river', 'canal']]]],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'text-field': ['get', 'name'],
        'text-font': [REGULAR],
        'text-size': 11,
        'text-letter-spacing': 0.06,
        'text-max-angle': 30,
      },
      paint,
    },
    {
      id: 'name-park',
      type: 'symbol',
      source: 'region',
      'source-layer': 'park',
      minzoom: 14.5,
      filter: [
        'all',
        ['has', 'name'],
        ['in', ['get', 'class'], ['literal', ['park', 'nature_reserve', 'golf_course']]],
      ],
      layout: { 'text-field': ['get', 'name'], 'text-font': [REGULAR], 'text-size': 10.5, 'text-max-width': 7 },
      paint: { 'text-color': tokens.maplabel, 'text-halo-color': tokens.halo, 'text-halo-width': 1.2 },
    },
  ];
}

/** Names from the region: streets, shields, waters, places. */
export function regionLabels(tokens: MapTokens, theme: string): LayerSpecification[] {
  return [
    ...waterNames(tokens),
    roadName('street', ['residential', 'pedestrian', 'service'], 15, tokens),
    roadName('road', ['secondary', 'tertiary'], 13, tokens),
    roadName('main', ['motorway', 'trunk', 'primary'], 12, tokens),
    shields(tokens, theme),
    regionPlaces(tokens),
  ];
}

/**
 * The region's own names replace the base's inside its box from this zoom on. A box also holds parts of
 * neighbors, of which the region knows nothing: from afar their cities come from the base.
 */
const REGION_PLACES_FROM = 9;

function outside(bounds: LatLngBounds | null): FilterSpecification {
  if (!bounds) return true as unknown as FilterSpecification;
  const { west, south, east, north } = bounds;
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return [
    'any',
    ['<', ['zoom'], REGION_PLACES_FROM],
    ['!', ['within', { type: 'Polygon', coordinates: [ring] }]],
  ] as unknown as FilterSpecification;
}

// The least rank that is named from a zoom on: few names from afar.
const PLACES_BY_ZOOM: ExpressionSpecification = [
  'step',
  ['zoom'],
  ...[1, 3, 2, 4, 3, 6, 4, 7, 5, 8, 6, 9, 7, 10, 8],
] as unknown as ExpressionSpecification;

/** Names of the embedded base: countries, US states, cities. */
export function baseLabels(tokens: MapTokens, region: LatLngBounds | null): LayerSpecification[] {
  const quiet = { 'text-color': tokens.maplabel, 'text-halo-color': tokens.halo, 'text-halo-width': 1.4 };
  return [
    {
      id: 'base-state-label',
      type: 'symbol',
      source: 'base',
      'source-layer': 'state_label',
      minzoom: 3.4,
      maxzoom: 8,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': [REGULAR],
        'text-size': ['interpolate', ['linear'], ['zoom'], 3.4, 9.5, 7, 13],
        'text-transform': 'uppercase',
        'text-letter-spacing': 0.12,
        'text-max-width': 7,
      },
      paint: quiet,
    },
    // Above the states: a city's name wins its place over a state's.
    {
      id: 'base-place',
      type: 'symbol',
      source: 'base',
      'source-layer': 'place',
      minzoom: 2,
      filter: ['all', outside(region), ['<=', ['get', 'rank'], PLACES_BY_ZOOM]] as never,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': [MEDIUM],
        'text-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          3,
          ['max', 9.5, ['-', 12, ['get', 'rank']]],
          10,
          ['max', 11, ['-', 18, ['get', 'rank']]],
        ],
        'text-max-width': 8,
        'text-padding': 5,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { ...quiet, 'text-color': tokens.placeLabel },
    },
    {
      id: 'base-country-label',
      type: 'symbol',
      source: 'base',
      'source-layer': 'country_label',
      maxzoom: 6,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': [SEMIBOLD],
        'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 5, 14],
        'text-letter-spacing': 0.06,
        'text-max-width': 7,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: quiet,
    },
  ];
}
