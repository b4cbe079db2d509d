import {
  createExpression,
  type FilterSpecification,
  featureFilter,
  validateStyleMin,
} from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_CONFIG, parseMapConfig } from './config';
import { ROOM_IMAGE, ROOM_PX } from './imageNames';
import { DRAWING, LABELS, overlayLayers, ROOM, STACKS, withOverlay } from './overlay';
import { attributions, buildStyle, PROVIDER_SOURCE } from './style';
import { shieldText } from './style-labels';
import type { MapConfig, MapProvider, MapRole, ThemeName } from './types';

const ORIGIN = 'http://localhost:8080';
const REGION: MapConfig = parseMapConfig({
  data: {
    region: {
      tiles: '/map/region/{z}/{x}/{y}.mvt?v=abc',
      max_zoom: 14,
      attribution: '© OpenStreetMap contributors',
      min_lat: 38.4,
      min_lng: -75.8,
      max_lat: 39.9,
      max_lng: -74.9,
    },
    base: { tiles: '/map/base/{z}/{x}/{y}.mvt?v=def', max_zoom: 7, attribution: 'GeoNames' },
    providers: [],
  },
});
const IMAGERY: MapProvider = {
  id: 'usgs',
  title: 'Satellite',
  kind: 'raster',
  role: 'satellite',
  url: 'https://tiles.example/{z}/{y}/{x}',
  attribution: 'USGS',
  maxZoom: 16,
};
const THEMES: readonly ThemeName[] = ['dark', 'light'];

const style = (theme: ThemeName, config: MapConfig, role: MapRole = 'roadmap', raster: MapProvider | null = null) =>
  buildStyle({ theme, config, origin: ORIGIN, role, raster });

describe('the styles', () => {
  const variants: [string, MapConfig, MapRole, MapProvider | null][] = [
    ['base alone', DEFAULT_CONFIG, 'roadmap', null],
    ['region', REGION, 'roadmap', null],
    ['satellite', REGION, 'satellite', IMAGERY],
    ['hybrid', REGION, 'hybrid', { ...IMAGERY, role: 'hybrid' }],
  ];
  for (const theme of THEMES) {
    for (const [name, config, role, raster] of variants) {
      it(`${name}, ${theme}: valid by the MapLibre style specification, with our overlay`, () => {
        const full = withOverlay(style(theme, config, role, raster), theme, ORIGIN);
        expect(validateStyleMin(full).map(error => error.message)).toEqual([]);
        expect(new Set(full.layers.map(layer => layer.id)).size).toBe(full.layers.length);
      });
    }
  }

  it('draws text from shipped files only: no glyph server, no sprite, nothing of another origin', () => {
    const full = withOverlay(style('dark', REGION), 'dark', ORIGIN);
    expect(full.glyphs).toBeUndefined();
    expect(full.sprite).toBeUndefined();
    const addresses = JSON.stringify(full).match(/https?:\/\/[^"]+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) expect(address.startsWith(`${ORIGIN}/`)).toBe(true);
  });

  it('has the same layers and sources in both themes, so that a change of theme is a change of colors', () => {
    const shape = (theme: ThemeName) =>
      style(theme, REGION).layers.map(({ id, type, minzoom }) => ({ id, type, minzoom }));
    expect(shape('dark')).toEqual(shape('light'));
    expect(style('dark', REGION).sources).toEqual(style('light', REGION).sources);
    expect(overlayLayers('dark').map(layer => layer.id)).toEqual(overlayLayers('light').map(layer => layer.id));
  });

  it('draws the region above the base world and names above roads', () => {
    const ids = style('dark', REGION).layers.map(layer => layer.id);
    const at = (id: string) => ids.indexOf(id);
    for (const id of [
      'base-land',
      'water',
      'road-street-case',
      'road-street',
      'road-motorway',
      'name-street',
      'shield',
    ]) {
      expect(at(id), id).toBeGreaterThanOrEqual(0);
    }
    expect(at('base-land')).toBeLessThan(at('park'));
    expect(at('water')).toBeLessThan(at('road-street-case'));
    expect(at('road-motorway-case')).toBeLessThan(at('road-street'));
    expect(at('road-street')).toBeLessThan(at('road-motorway'));
    expect(at('road-motorway')).toBeLessThan(at('name-street'));
  });

  it('places the room of marks, signs, and closed roads before any name: the layer on top comes first', () => {
    // The shape that is being drawn stands above it, and names nothing.
    const layers = overlayLayers('dark').filter(({ id }) => !id.startsWith(DRAWING));
    const ids = layers.map(layer => layer.id);
    const selected = (noun: string) => [`app-${noun}-ring`, `app-${noun}-selected`];
    expect(ids.indexOf(ROOM)).toBe(ids.length - 1);
    expect(ids.slice(ids.indexOf(LABELS))).toEqual([
      LABELS,
      'app-area-selected',
      ...selected('zone'),
      ...selected('closure'),
      'app-location-badge',
      'app-location-count',
      ...selected('hazard'),
      `${STACKS}-disc`,
      STACKS,
      'app-zone-room',
      'app-closure-room',
      'app-closure-line-room',
      'app-hazard-room',
      ROOM,
    ]);
    for (const one of layers.filter(({ id }) => id.endsWith('-room'))) {
      expect(one).toMatchObject({ layout: { 'icon-image': ROOM_IMAGE, 'icon-allow-overlap': true } });
      expect(JSON.stringify(one)).not.toContain('icon-ignore-placement'); // it would no longer keep names away
    }
    const room = layers.at(-1);
    expect(room).toMatchObject({ source: LABELS, layout: { 'icon-allow-overlap': true } });
    // The count of an incident stands before the names are placed, with room for its disc.
    const count = layers.find(({ id }) => id === 'app-location-count');
    expect(count).toMatchObject({ layout: { 'text-allow-overlap': true, 'text-padding': 5 } });
    expect(JSON.stringify(count)).not.toContain('text-ignore-placement');
    // The number of a stack stands whatever lies there, and keeps nothing away.
    expect(layers.find(({ id }) => id === STACKS)).toMatchObject({
      layout: { 'text-allow-overlap': true, 'text-ignore-placement': true },
    });
  });

  it.each([
    ['I 95', 'I-95'],
    ['I 95;US 202', 'I-95'],
    ['US 13', 'US 13'],
    ['DE 141;DE 2', 'DE 141'],
    ['I Street', 'I Street'],
  ])('writes %j on a shield as %j, like every other text', (ref, text) => {
    const { result, value } = createExpression(shieldText, 'layers.shield.layout.text-field');
    if (result !== 'success') throw new Error(JSON.stringify(value));
    const of = { type: 'LineString' as const, properties: { ref }, geometry: [] };
    expect(value.evaluate({ zoom: 12 } as never, of as never)).toBe(text);
  });

  it('leaves a line of text no room between two steps along a closed road', () => {
    const along = overlayLayers('dark').find(({ id }) => id === 'app-closure-line-room');
    if (along?.type !== 'symbol') throw new Error('no room along lines');
    const { 'symbol-spacing': spacing = 0, 'icon-size': size = 0 } = along.layout ?? {};
    const px = Number(size) * ROOM_PX;
    // As MapLibre parts them: a quarter of the spacing at least is left, and twice as much before the next zoom.
    const step = Math.max(Number(spacing), px + Number(spacing) / 4);
    expect(2 * step - px).toBeLessThan(15);
    // The thin ones behind the live sections leave the names of roads alone.
    expect(JSON.stringify(along.filter)).toContain('["!",["==",["get","quiet"],true]]');
  });

  it('names the cities around a region from the base until the region’s own names begin', () => {
    const { layers } = style('dark', REGION);
    const own = layers.find(layer => layer.id === 'place');
    const base = layers.find(layer => layer.id === 'base-place');
    if (base?.type !== 'symbol') throw new Error('no names of the base');
    const { filter } = featureFilter(base.filter as FilterSpecification, 'layers.base-place.filter');
    const inside = { type: 1 as const, properties: { rank: 1 }, geometry: [] };
    const shown = (zoom: number, canonical: { z: number; x: number; y: number }) =>
      filter({ zoom } as never, { ...inside, geometry: [[{ x: 4096, y: 4096 }]] } as never, canonical as never);
    expect(own?.minzoom).toBe(9);
    // The middle of each of these tiles lies in the box of the region.
    expect(shown(8, { z: 8, x: 74, y: 97 })).toBe(true);
    expect(shown(9, { z: 9, x: 148, y: 195 })).toBe(false);
  });

  it('without a region asks for no region tiles', () => {
    const { sources, layers } = style('light', DEFAULT_CONFIG);
    expect(Object.keys(sources)).toEqual(['base']);
    expect(layers.every(layer => !('source' in layer) || layer.source === 'base')).toBe(true);
  });

  it('puts streets and names over imagery in a hybrid, imagery alone in satellite', () => {
    const hybrid = style('dark', REGION, 'hybrid', IMAGERY).layers.map(layer => layer.id);
    expect(hybrid.indexOf('provider-raster')).toBeLessThan(hybrid.indexOf('road-street'));
    expect(hybrid).toContain('name-street');
    expect(hybrid).not.toContain('building');
    const satellite = style('dark', REGION, 'satellite', IMAGERY);
    expect(satellite.layers.map(layer => layer.id)).not.toContain('road-street');
    expect(satellite.sources[PROVIDER_SOURCE]).toMatchObject({ tileSize: 256, maxzoom: 16 });
  });
});

describe('a change of style', () => {
  it('keeps the data of our overlay', () => {
    const first = withOverlay(style('dark', REGION), 'dark', ORIGIN);
    const data = { type: 'FeatureCollection' as const, features: [] };
    const shown = { ...first, sources: { ...first.sources, 'app-location': { type: 'geojson' as const, data } } };
    const next = withOverlay(style('light', REGION), 'light', ORIGIN, shown);
    expect(next.sources['app-location']).toBe(shown.sources['app-location']);
  });

  it('shows new colors at once to somebody who wants less motion', () => {
    expect(withOverlay(style('dark', REGION), 'dark', ORIGIN).transition).toBeUndefined();
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(prefers-reduced-motion: reduce)' }));
    try {
      expect(withOverlay(style('dark', REGION), 'dark', ORIGIN).transition).toEqual({ duration: 0, delay: 0 });
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('attribution', () => {
  it('names OpenStreetMap with the region, the base data without, the provider instead of both', () => {
    expect(attributions(REGION, null, 'roadmap')).toEqual(['© OpenStreetMap contributors', 'GeoNames']);
    expect(attributions(DEFAULT_CONFIG, null, 'roadmap')).toEqual([DEFAULT_CONFIG.base.attribution]);
    expect(attributions(REGION, IMAGERY, 'satellite')).toEqual(['USGS']);
    expect(attributions(REGION, IMAGERY, 'hybrid')).toEqual(['USGS', '© OpenStreetMap contributors', 'GeoNames']);
  });
});
