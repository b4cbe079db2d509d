import { isObject, type Schemas, type Unchecked, unchecked } from '~/api';
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
  hasWords: false,
  hasRoads: false,
};

export const REGION_ATTRIBUTION = '© OpenStreetMap contributors';

const text = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;
const count = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;
/** The box of a region; null when it has none. */
function boundsOf(region: Unchecked<Schemas['MapRegion']>): LatLngBounds | null {
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = [
    region.min_lat,
    region.min_lng,
    region.max_lat,
    region.max_lng,
  ].map(value => count(value, Number.NaN));
  return south <= north && west <= east ? { south, west, north, east } : null;
}

const ROLES: readonly MapRole[] = ['roadmap', 'satellite', 'hybrid'];

function parseProvider(one: unknown): MapProvider | null {
  const value = unchecked<Schemas['MapProvider']>(one);
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
  };
}

/**
 * Reads the body of GET /api/map/config. A part that is
 * missing or malformed falls back to the embedded base: a map is always shown.
 */
export function parseMapConfig(body: unknown): MapConfig {
  const config = unchecked<Schemas['MapConfig']>(unchecked<Schemas['OneMapConfig']>(body).data);
  const base = unchecked<Schemas['MapSource']>(config.base);
  const region = isObject(config.region) ? unchecked<Schemas['MapRegion']>(config.region) : null;
  const providers = Array.isArray(config.providers) ? config.providers : [];
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
    hasWords: config.what3words === true,
    hasRoads: config.search === true,
  };
}
