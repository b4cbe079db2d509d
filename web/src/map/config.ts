import type { LatLngBounds, MapConfig, MapProvider, MapRole } from './types';

/** What holds before (or without) an answer of GET /api/map/config: the embedded base alone. */
export const DEFAULT_CONFIG: MapConfig = {
  base: {
    tiles: '/map/base/{z}/{x}/{y}.mvt',
    maxZoom: 7,
    attribution: 'GeoNames (CC BY 4.0), Natural Earth, US Census',
  },
  region: null,
  providers: [],
};

export const REGION_ATTRIBUTION = '© OpenStreetMap contributors';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;
const count = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;
/** The box of a region; null when it has none. */
function boundsOf(region: Fields): LatLngBounds | null {
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = [
    region.min_lat,
    region.min_lng,
    region.max_lat,
    region.max_lng,
  ].map(value => count(value, Number.NaN));
  return south <= north && west <= east ? { south, west, north, east } : null;
}

const ROLES: readonly MapRole[] = ['roadmap', 'satellite', 'hybrid'];

function parseProvider(value: unknown): MapProvider | null {
  if (!isFields(value)) return null;
  const role = ROLES.find(known => known === value.map_type);
  const kind = value.kind === 'style' || value.kind === 'raster' ? value.kind : null;
  const url = text(value.url, '');
  if (!role || !kind || url === '') return null;
  return {
    id: text(value.id, `${role}:${url}`),
    title: text(value.title, ''),
    kind,
    role,
    url,
    attribution: text(value.attribution, ''),
    maxZoom: count(value.max_zoom, 19),
    tileSize: value.tile_size === 512 ? 512 : 256,
  };
}

/**
 * Reads the body of GET /api/map/config (bare or inside `data`). A part that is
 * missing or malformed falls back to the embedded base: a map is always shown.
 */
export function parseMapConfig(body: unknown): MapConfig {
  const outer = isFields(body) && isFields(body.data) ? body.data : body;
  if (!isFields(outer)) return DEFAULT_CONFIG;
  const base = isFields(outer.base) ? outer.base : {};
  const region = isFields(outer.region) ? outer.region : null;
  const providers = Array.isArray(outer.providers) ? outer.providers : [];
  return {
    base: {
      tiles: text(base.tiles, DEFAULT_CONFIG.base.tiles),
      maxZoom: count(base.max_zoom, DEFAULT_CONFIG.base.maxZoom),
      attribution: text(base.attribution, DEFAULT_CONFIG.base.attribution),
    },
    region: region && {
      tiles: text(region.tiles, '/map/region/{z}/{x}/{y}.mvt'),
      maxZoom: count(region.max_zoom, 14),
      attribution: text(region.attribution, REGION_ATTRIBUTION),
      bounds: boundsOf(region),
    },
    providers: providers.map(parseProvider).filter(provider => provider !== null),
  };
}
