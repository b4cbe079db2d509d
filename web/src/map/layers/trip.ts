import type { Feature } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { MEDIUM, SEMIBOLD } from '../fontNames';
import type { MapTokens } from '../tokens';
import type { LatLng } from '../types';
import type { MapLayer } from './layer';
import { type BoxedLine, linePx } from './line';
import { formImage, plainOf, type TripColor, toneOf } from './tripTone';

/** A part of a trip's line that looks the same all along. */
export interface TripPart {
  readonly line: BoxedLine['line'];
  /** 0 (slow) to 3 (fast) */
  readonly shade: number;
  /** its lights were on */
  readonly isLit: boolean;
}

/** A stop: where, and how long ("4 min"). */
export interface MapStop extends LatLng {
  readonly text: string;
}

/** A trip of an asset as the map draws it: a run, or a movement outside of runs. */
export interface MapTrip {
  readonly id: string;
  readonly color: TripColor;
  /** whose it is */
  readonly letter: string;
  readonly isRun: boolean;
  /** it is looked at: it stands out, all others stand back */
  readonly isChosen: boolean;
  /** what was driven without a gap: a line for each; between two of them is a gap, and nothing is drawn there */
  readonly stretches: readonly BoxedLine[];
  /** the same, cut where it looks otherwise */
  readonly parts: readonly TripPart[];
  /** the ends of each gap */
  readonly edges: readonly LatLng[];
  readonly stops: readonly MapStop[];
  readonly start: LatLng;
  readonly end: LatLng;
}

/** Farther out a part of the line may be shorter than a pixel and would be left out: there the whole line is drawn. */
const PARTS_FROM_ZOOM = 12;
const ARROWS_FROM_ZOOM = 13;
const STOPS_FROM_ZOOM = 12;

const is = (key: string): ExpressionSpecification => ['==', ['get', key], true];
const no = (key: string): ExpressionSpecification => ['!=', ['get', key], true];
const what = (name: string): ExpressionSpecification => ['==', ['get', 'what'], name];
const opacity: ExpressionSpecification = ['case', is('faint'), 0.6, 1];
const ROUND = { 'line-cap': 'round', 'line-join': 'round' } as const;

const WIDTH_PX: ExpressionSpecification = ['case', is('lit'), 5, is('run'), 3.5, 2.25];
/** Lights on: a thick edge in the color of text. Else a thin one that parts the line from the ground. */
const EDGE_PX: ExpressionSpecification = ['case', is('lit'), 10, is('run'), 6, 4.5];

/** The line of trips: far out as a whole, nearer in parts by speed and lights. */
function lineStyles(id: string, source: string, tokens: MapTokens, among: ExpressionSpecification) {
  const edge = (isLit: boolean) => ({
    'line-color': isLit ? tokens.ink : tokens.panel,
    'line-width': EDGE_PX,
    'line-opacity': opacity,
  });
  const line = { 'line-width': WIDTH_PX, 'line-opacity': opacity };
  const layer = (name: string, filter: ExpressionSpecification, paint: object, zoom: object): LayerSpecification =>
    ({
      id: `${id}-${name}`,
      type: 'line',
      source,
      filter: ['all', among, filter],
      layout: ROUND,
      paint,
      ...zoom,
    }) as never;
  const far = { maxzoom: PARTS_FROM_ZOOM };
  const near = { minzoom: PARTS_FROM_ZOOM };
  const lit: ExpressionSpecification = ['all', what('part'), is('lit')];
  return [
    layer('far-edge', what('stretch'), edge(false), far),
    layer('far', what('stretch'), { ...line, 'line-color': plainOf(tokens) }, far),
    layer('far-lit-edge', lit, edge(true), far),
    layer('far-lit', lit, { ...line, 'line-color': plainOf(tokens) }, far),
    layer('edge', ['all', what('part'), no('lit')], edge(false), near),
    layer('lit-edge', lit, edge(true), near),
    layer('line', what('part'), { ...line, 'line-color': toneOf(tokens) }, near),
  ];
}

/** Which way it goes, where it stood and how long, where nothing is known, where it begins and ends. */
function markStyles(id: string, source: string, tokens: MapTokens, among: ExpressionSpecification, isChosen: boolean) {
  const all = { 'icon-allow-overlap': isChosen, 'text-allow-overlap': isChosen };
  const ends = (name: 'start' | 'end', look: 'filled' | 'outlined'): LayerSpecification => ({
    id: `${id}-${name}`,
    type: 'symbol',
    source,
    filter: ['all', among, what(name)],
    ...(!isChosen && { minzoom: 10 }),
    layout: {
      ...all,
      'icon-image': formImage(tokens, name, look),
      'icon-padding': 0,
      'text-field': ['get', 'letter'],
      'text-font': [SEMIBOLD],
      'text-size': 11,
    },
    paint: {
      'text-color': look === 'filled' ? tokens.tripInk : plainOf(tokens),
      'icon-opacity': opacity,
      'text-opacity': opacity,
    },
  });
  const dot = (name: string, filter: ExpressionSpecification, paint: object): LayerSpecification =>
    ({
      id: `${id}-${name}`,
      type: 'circle',
      source,
      filter: ['all', among, filter],
      minzoom: STOPS_FROM_ZOOM,
      paint,
    }) as never;
  return [
    {
      id: `${id}-arrows`,
      type: 'symbol',
      source,
      filter: ['all', among, what('stretch')],
      minzoom: ARROWS_FROM_ZOOM,
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 110,
        'icon-image': formImage(tokens, 'arrow', 'filled'),
        'icon-rotation-alignment': 'map',
        'icon-keep-upright': false,
        'icon-ignore-placement': true,
        'icon-padding': 0,
      },
      paint: { 'icon-opacity': opacity },
    },
    dot('gap', what('edge'), {
      'circle-radius': 3.5,
      'circle-color': tokens.panel,
      'circle-opacity': 0.7,
      'circle-stroke-color': plainOf(tokens),
      'circle-stroke-opacity': 0.65,
      'circle-stroke-width': 1.25,
    }),
    dot('stop', what('stop'), {
      'circle-radius': 5,
      'circle-color': tokens.panel,
      'circle-stroke-color': plainOf(tokens),
      'circle-stroke-width': 3,
      'circle-opacity': opacity,
      'circle-stroke-opacity': opacity,
    }),
    {
      id: `${id}-stop-text`,
      type: 'symbol',
      source,
      filter: ['all', among, what('stop')],
      minzoom: STOPS_FROM_ZOOM,
      layout: {
        'text-field': ['get', 'text'],
        'text-font': [MEDIUM],
        'text-size': 11,
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-radial-offset': 0.9,
        'text-padding': 1,
      },
      paint: { 'text-color': tokens.ink, 'text-halo-color': tokens.panel, 'text-halo-width': 1.6 },
    },
    ends('end', 'filled'),
    ends('start', 'outlined'),
  ] satisfies LayerSpecification[];
}

/** The whole world, in the color of the ground: what lies below stands back. */
const WORLD = [
  [
    [-180, -85],
    [180, -85],
    [180, 85],
    [-180, 85],
    [-180, -85],
  ],
];

const point = ({ lat, lng }: LatLng, properties: object): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lng, lat] },
  properties,
});

const along = (line: BoxedLine['line'], properties: object): Feature => ({
  type: 'Feature',
  geometry: { type: 'LineString', coordinates: line as [number, number][] },
  properties,
});

function featuresOf(row: MapTrip, faint: boolean): Feature[] {
  const look = { color: row.color, run: row.isRun, chosen: row.isChosen, faint };
  const veil: Feature[] = row.isChosen
    ? [{ type: 'Feature', geometry: { type: 'Polygon', coordinates: WORLD }, properties: { what: 'veil' } }]
    : [];
  return [
    ...veil,
    ...row.stretches.map(({ line }) => along(line, { ...look, what: 'stretch' })),
    ...row.parts.map(({ line, shade, isLit }) => along(line, { ...look, what: 'part', shade, lit: isLit })),
    ...row.edges.map(edge => point(edge, { ...look, what: 'edge' })),
    ...row.stops.map(stop => point(stop, { ...look, what: 'stop', text: stop.text })),
    point(row.end, { ...look, what: 'end', letter: row.letter }),
    point(row.start, { ...look, what: 'start', letter: row.letter }),
  ];
}

/** Half of a thick line. */
const HALF_PX = 3;

/**
 * Trips: a line in the asset's color, its shade by speed, with a thick edge where the lights were on. The one that is
 * looked at lies above a veil, all others below it.
 */
export const tripLayer: MapLayer<MapTrip> = {
  kind: 'trip',
  cardSide: 'beside',
  styles: (source, tokens) => [
    ...lineStyles(source, source, tokens, no('chosen')),
    ...markStyles(source, source, tokens, no('chosen'), false),
    {
      id: `${source}-veil`,
      type: 'fill',
      source,
      filter: what('veil'),
      paint: { 'fill-color': tokens.land, 'fill-opacity': 0.55, 'fill-antialias': false },
    },
    ...lineStyles(`${source}-chosen`, source, tokens, is('chosen')),
    ...markStyles(`${source}-chosen`, source, tokens, is('chosen'), true),
  ],
  feature: (row, { faint }) => featuresOf(row, faint),
  place: ({ start }) => start,
  distancePx: ({ stretches }, at, scale) =>
    stretches.reduce((least, line) => Math.min(least, linePx(line, at, scale) - HALF_PX), Number.POSITIVE_INFINITY),
  rank: ({ isChosen, isRun }) => (isChosen ? 2 : isRun ? 1 : 0),
};
