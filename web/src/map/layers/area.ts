import limits from '@catalog/limits.json';
import type { Feature, Geometry } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { countOf } from '~/model/format';
import { MEDIUM } from '../fontNames';
import { circleRing, lngDelta } from '../geometry';
import { AREA_IMAGE, HATCH_IMAGE } from '../imageNames';
import type { MapTokens } from '../tokens';
import type { MapArea } from '../types';
import { type AreaFamily, GLYPH_PX } from './areaGlyph';
import type { MapLayer } from './layer';
import { byQuiet, QUIET, quietTone } from './quiet';

const { stationIconFarPx, stationIconPx, stationIconNearPx } = limits.map;

/** The colors of the families; each has a pattern or a form of its own besides. */
export const areaColors = (tokens: MapTokens): Readonly<Record<AreaFamily, string>> => ({
  station: tokens.standby,
  place: tokens.pending,
  exclusion: tokens.scene,
  slow: tokens.activeMark,
});

/** The same of areas that stand behind what the map is about. */
const quietColors = (tokens: MapTokens): Readonly<Record<AreaFamily, string>> => ({
  station: quietTone(tokens, 'standby'),
  place: quietTone(tokens, 'pending'),
  exclusion: quietTone(tokens, 'scene'),
  slow: quietTone(tokens, 'active'),
});

const ofFamily = (family: AreaFamily): ExpressionSpecification => ['==', ['get', 'family'], family];
const SHAPE: ExpressionSpecification = ['has', 'shape'];
const MARKER: ExpressionSpecification = ['!', SHAPE];
const SELECTED: ExpressionSpecification = ['==', ['get', 'selected'], true];
const CLOSED: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];

/** An inactive area is dimmed, and so is what is only "as of". */
const opacity = (full: number | ExpressionSpecification): ExpressionSpecification => [
  '*',
  full,
  ['case', ['==', ['get', 'active'], true], 1, 0.4],
  ['case', ['==', ['get', 'faint'], true], 0.5, 1],
];

function shapeStyles(source: string, tokens: MapTokens): LayerSpecification[] {
  const colors = areaColors(tokens);
  const of = (paint: Readonly<Record<AreaFamily, string>>): ExpressionSpecification => [
    'match',
    ['get', 'family'],
    'station',
    paint.station,
    'exclusion',
    paint.exclusion,
    'slow',
    paint.slow,
    paint.place,
  ];
  const color = byQuiet(of(quietColors(tokens)), of(colors));
  const width: ExpressionSpecification = ['case', SELECTED, 3.5, byQuiet(1.25, 2)];
  const line = { 'line-color': color, 'line-width': width, 'line-opacity': opacity(0.9) };
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['all', SHAPE, CLOSED],
      paint: { 'fill-color': color, 'fill-opacity': opacity(['case', SELECTED, 0.22, byQuiet(0.06, 0.12)]) },
    },
    {
      id: `${source}-hatch`,
      type: 'fill',
      source,
      filter: ['all', SHAPE, CLOSED, ofFamily('exclusion'), ['!', QUIET]],
      paint: { 'fill-pattern': `${HATCH_IMAGE}${colors.exclusion}`, 'fill-opacity': opacity(0.4) },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['all', SHAPE, ['!', ofFamily('slow')]],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: line,
    },
    {
      id: `${source}-dash`,
      type: 'line',
      source,
      filter: ['all', SHAPE, ofFamily('slow')],
      paint: { ...line, 'line-dasharray': [2, 1.5] },
    },
  ];
}

/** 8, 12 and 20 px (requirements 9.map). */
const iconSize: ExpressionSpecification = [
  'step',
  ['zoom'],
  stationIconFarPx.value / GLYPH_PX,
  10,
  stationIconPx.value / GLYPH_PX,
  14,
  stationIconNearPx.value / GLYPH_PX,
];

/** Radius of an area's marker at a zoom, as it is drawn. */
const markerPx = (zoom: number): number =>
  (zoom < 10 ? stationIconFarPx : zoom < 14 ? stationIconPx : stationIconNearPx).value / 2;

function markerStyles(source: string, tokens: MapTokens): Record<'others' | 'selected', LayerSpecification> {
  const colors = areaColors(tokens);
  const image: ExpressionSpecification = [
    'concat',
    AREA_IMAGE,
    ['get', 'family'],
    [
      'match',
      ['get', 'family'],
      'station',
      colors.station,
      'exclusion',
      colors.exclusion,
      'slow',
      colors.slow,
      colors.place,
    ],
  ];
  const marker = (id: string, filter: ExpressionSpecification, isAlways: boolean): LayerSpecification => ({
    id,
    type: 'symbol',
    source,
    filter,
    layout: {
      'icon-image': image,
      'icon-size': iconSize,
      'icon-allow-overlap': isAlways,
      'icon-padding': 1,
      'text-field': ['step', ['zoom'], '', 12, byQuiet('', ['get', 'text']), 14, ['get', 'text']],
      'text-font': [MEDIUM],
      'text-size': 11,
      'text-anchor': 'top',
      'text-offset': [0, 1.1],
      'text-max-width': 12,
      'text-optional': true,
      'symbol-sort-key': ['-', 0, ['get', 'units']],
    },
    paint: {
      'icon-opacity': opacity(byQuiet(0.75, 1)),
      'text-color': byQuiet(tokens.maplabel, tokens.ink),
      'text-halo-color': tokens.panel,
      'text-halo-width': 1.6,
      'text-opacity': opacity(1),
    },
  });
  return {
    others: marker(source, ['all', MARKER, ['!', SELECTED]], false),
    selected: marker(`${source}-selected`, ['all', MARKER, SELECTED], true),
  };
}

/** "1 Asset", "N Assets" (requirements 2.map). */
export const assetsText = (count: number): string => countOf(count, 'Asset');

/** A circle is a ring on the ground. */
const drawnShape = ({ lat, lng, radiusM, geometry }: MapArea): Geometry =>
  geometry ? (geometry as unknown as Geometry) : { type: 'Polygon', coordinates: [circleRing({ lat, lng }, radiusM)] };

/**
 * Areas, below all else that stands on the map: a shape on the ground by its family (an exclusion hatched, a slow zone
 * dashed), and a marker with the name and how many assets are there. Inactive ones are dimmed.
 */
export const areaLayer: MapLayer<MapArea> = {
  kind: 'area',
  cardSide: 'below',
  styles: (source, tokens) => [...shapeStyles(source, tokens), markerStyles(source, tokens).others],
  // What is looked at must not lie under a unit that stands there.
  above: (source, tokens) => [markerStyles(source, tokens).selected],
  feature: (row, { selected, faint }) => {
    const { id, family, active, units, name, lat, lng, quiet = false } = row;
    const look = { id, family, active, selected, faint, quiet: quiet && !selected };
    const text = units > 0 ? `${name}\n${assetsText(units)}` : name;
    return [
      { type: 'Feature', geometry: drawnShape(row), properties: { ...look, shape: true } } satisfies Feature,
      { type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties: { ...look, units, text } },
    ];
  },
  place: ({ lat, lng }) => ({ lat, lng }),
  distancePx: (row, at, { zoom, perLng, perLat }) => {
    const px = Math.hypot(lngDelta(row.lng, at.lng) * perLng, (row.lat - at.lat) * perLat) - markerPx(zoom);
    return px > 0 && row.contains(at) ? 0 : px;
  },
  rank: ({ active }) => (active ? 1 : 0),
};
