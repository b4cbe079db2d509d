import type { FilterSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { fontFaces } from './fonts';
import { baseLabels, regionLabels } from './style-labels';
import { roadLayers } from './style-roads';
import { type MapTokens, TOKENS } from './tokens';
import type { MapConfig, MapProvider, MapRole, ThemeName } from './types';

export interface StyleOptions {
  readonly theme: ThemeName;
  readonly config: MapConfig;
  /** Origin of the page: tiles and fonts need absolute addresses inside the worker. */
  readonly origin: string;
  readonly role: MapRole;
  /** A raster provider drawn below (or instead of) the built-in map; null: the built-in map alone. */
  readonly raster: MapProvider | null;
}

/** Source id of a provider's raster tiles: its errors are counted by this name. */
export const PROVIDER_SOURCE = 'provider';

const absolute = (url: string, origin: string): string => (url.startsWith('/') ? origin + url : url);

function sources({ config, origin, raster }: StyleOptions): Record<string, SourceSpecification> {
  const all: Record<string, SourceSpecification> = {
    base: {
      type: 'vector',
      tiles: [absolute(config.base.tiles, origin)],
      minzoom: 0,
      maxzoom: config.base.maxZoom,
      attribution: config.base.attribution,
    },
  };
  if (config.region) {
    const { bounds, tiles, maxZoom, attribution } = config.region;
    all.region = {
      type: 'vector',
      tiles: [absolute(tiles, origin)],
      minzoom: 0,
      maxzoom: maxZoom,
      attribution,
      ...(bounds && {
        bounds: [bounds.west, bounds.south, bounds.east, bounds.north] as [number, number, number, number],
      }),
    };
  }
  if (raster) {
    all[PROVIDER_SOURCE] = {
      type: 'raster',
      tiles: [absolute(raster.url, origin)],
      tileSize: 256,
      maxzoom: raster.maxZoom,
      attribution: raster.attribution,
    };
  }
  return all;
}

function ground(tokens: MapTokens): LayerSpecification[] {
  return [
    { id: 'background', type: 'background', paint: { 'background-color': tokens.water } },
    { id: 'base-land', type: 'fill', source: 'base', 'source-layer': 'land', paint: { 'fill-color': tokens.land } },
    { id: 'base-lake', type: 'fill', source: 'base', 'source-layer': 'lake', paint: { 'fill-color': tokens.water } },
  ];
}

const fill = (
  id: string,
  layer: string,
  color: string,
  minzoom: number,
  filter?: FilterSpecification,
): LayerSpecification => ({
  id,
  type: 'fill',
  source: 'region',
  'source-layer': layer,
  minzoom,
  ...(filter && { filter }),
  paint: { 'fill-color': color },
});

const classIn = (...classes: string[]): FilterSpecification => ['in', ['get', 'class'], ['literal', classes]];

function regionGround(tokens: MapTokens): LayerSpecification[] {
  return [
    fill(
      'landuse-built',
      'landuse',
      tokens.built,
      13,
      classIn('industrial', 'commercial', 'retail', 'school', 'hospital', 'airport', 'military'),
    ),
    fill('landuse-green', 'landuse', tokens.park, 8, classIn('wood', 'grass')),
    fill('park', 'park', tokens.park, 6, ['==', ['geometry-type'], 'Polygon']),
    fill('water', 'water', tokens.water, 4, ['!=', ['get', 'class'], 'wetland']),
    {
      id: 'waterway',
      type: 'line',
      source: 'region',
      'source-layer': 'waterway',
      minzoom: 8,
      filter: ['all', ['!=', ['get', 'class'], 'coastline'], ['!', ['has', 'tunnel']]],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': tokens.water,
        'line-width': [
          'interpolate',
          ['exponential', 1.4],
          ['zoom'],
          8,
          0.6,
          14,
          ['match', ['get', 'class'], ['river', 'canal'], 3, 1.2],
          18,
          ['match', ['get', 'class'], ['river', 'canal'], 12, 5],
        ],
      },
    },
    {
      id: 'aeroway',
      type: 'line',
      source: 'region',
      'source-layer': 'aeroway',
      minzoom: 10,
      paint: {
        'line-color': tokens.runway,
        'line-width': [
          'interpolate',
          ['exponential', 1.6],
          ['zoom'],
          10,
          1,
          14,
          ['match', ['get', 'class'], 'runway', 9, 2.5],
          17,
          ['match', ['get', 'class'], 'runway', 50, 14],
        ],
      },
    },
    {
      id: 'building',
      type: 'fill',
      source: 'region',
      'source-layer': 'building',
      minzoom: 13.5,
      paint: {
        'fill-color': tokens.building,
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 13.5, 0, 14.5, 1],
      },
    },
  ];
}

function border(
  id: string,
  layer: string,
  tokens: MapTokens,
  minzoom: number,
  width: number,
  dash?: number[],
): LayerSpecification {
  return {
    id,
    type: 'line',
    source: 'base',
    'source-layer': layer,
    minzoom,
    maxzoom: 13,
    paint: {
      'line-color': tokens.border,
      'line-width': ['interpolate', ['linear'], ['zoom'], minzoom, width * 0.6, 9, width],
      ...(dash && { 'line-dasharray': dash }),
    },
  };
}

function borders(tokens: MapTokens): LayerSpecification[] {
  return [
    border('base-county', 'county', tokens, 6, 0.5, [2, 2]),
    border('base-state', 'state', tokens, 2.5, 0.9, [4, 2]),
    border('base-country', 'country', tokens, 0, 1.2),
  ];
}

function raster(opaque: boolean): LayerSpecification {
  return {
    id: 'provider-raster',
    type: 'raster',
    source: PROVIDER_SOURCE,
    paint: { 'raster-opacity': opaque ? 1 : 0.95 },
  };
}

function layers(options: StyleOptions): LayerSpecification[] {
  const { theme, config, role } = options;
  const tokens = TOKENS[theme];
  const bounds = config.region?.bounds ?? null;
  const region = config.region !== null;
  if (options.raster && role !== 'hybrid') return [...ground(tokens), raster(true)];
  const overImage = options.raster !== null;
  return [
    ...ground(tokens),
    ...(overImage ? [raster(false)] : []),
    ...(region && !overImage ? regionGround(tokens) : []),
    ...(region ? roadLayers(tokens, overImage) : []),
    ...borders(tokens),
    ...baseLabels(tokens, bounds),
    ...(region ? regionLabels(tokens, theme) : []),
  ];
}

/**
 * The built-in style, or a raster provider inside it. Layer ids do not depend on
 * the theme: changing it is a diff of colors that keeps every tile.
 */
export function buildStyle(options: StyleOptions): StyleSpecification {
  return {
    version: 8,
    name: `lightbar-${options.theme}`,
    'font-faces': fontFaces(options.origin),
    sources: sources(options),
    layers: layers(options),
  };
}

/** What the attribution line must say, in order, without repeats. */
export function attributions(config: MapConfig, provider: MapProvider | null, role: MapRole): string[] {
  const builtIn = provider === null || role === 'hybrid';
  const parts = [
    provider?.attribution ?? '',
    builtIn && config.region ? config.region.attribution : '',
    builtIn ? config.base.attribution : '',
  ];
  return [...new Set(parts.filter(part => part !== ''))];
}
