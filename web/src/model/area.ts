import enums from '@catalog/enums.json';
import type { Schemas } from '~/api';
import { type Address, addressOf } from './address';
import { type Instant, instantOf } from './instant';
import { compareNames } from './sort';

export type AreaType = (typeof enums.areaTypes)[number];
/** The types of areas, as forms and filters offer them. */
export const AREA_TYPES: readonly AreaType[] = enums.areaTypes;

const typeOf = (name: string): AreaType | undefined => AREA_TYPES.find(type => type.name === name);

/** A point of interest, a station or an exclusion zone. Units: degrees, meters, milliseconds. */
export interface Area {
  id: string;
  organizationId: string;
  organizationName: string;
  thingId: string;
  name: string;
  desc: string;
  typeId: string;
  typeName: string;
  /** its type as people read it */
  typeText: string;
  isStation: boolean;
  isAV: boolean;
  isExclusion: boolean;
  /** false: shown dimmed, and nothing is matched with it */
  isActive: boolean;
  lat: number;
  lng: number;
  /** of a circle; 0 for every other shape */
  radius: number;
  /** GeoJSON; null for a circle */
  geometry: Record<string, unknown> | null;
  address: Address;
  updatedAt: Instant;
  version: number;
  /** what the search looks through */
  searchKey: string;
}

/** An area of a list row or area message. */
export function areaOfWire(w: Schemas['Area']): Area {
  const type = typeOf(w.ez_type.db_name);
  return {
    id: w.id,
    organizationId: w.organization_id,
    organizationName: w.organization_name,
    thingId: w.thing_id ?? '',
    name: w.name,
    desc: w.desc,
    typeId: w.ez_type.id,
    typeName: w.ez_type.db_name,
    typeText: w.ez_type.display_name,
    isStation: w.ez_type.is_station_view,
    isAV: w.ez_type.is_av_type,
    isExclusion: type?.isExclusion ?? false,
    isActive: w.is_active,
    lat: w.lat,
    lng: w.lng,
    radius: w.radius_dist,
    geometry: w.area_geom,
    address: addressOf(w),
    updatedAt: instantOf(w.updated_at),
    version: w.version,
    searchKey: w.name.toLowerCase(),
  };
}

/** A type as lists and filters say it: '^' marks those that are shown as stations (requirements 2.areas). */
export const areaTypeText = ({ typeText, isStation }: Pick<Area, 'typeText' | 'isStation'>): string =>
  isStation ? `${typeText} ^` : typeText;

/** The types with '^', by the order of the catalog. */
export const areaTypeOptions = (): { id: string; name: string; label: string }[] =>
  AREA_TYPES.map(({ id, name, displayName, isStationView }) => ({
    id,
    name,
    label: areaTypeText({ typeText: displayName, isStation: isStationView }),
  }));

/** What a list of areas shows. */
export interface AreaFilter {
  /** as `searchOf` makes it */
  search: string;
  /** names of types; null = all */
  types: ReadonlySet<string> | null;
}

/** Whether a filter shows an area: its type, then a case-insensitive substring of its name. */
export const passesArea = (area: Area, { search, types }: AreaFilter): boolean =>
  (types === null || types.has(area.typeName)) && (search === '' || area.searchKey.includes(search));

/** Areas stand in the order of their names. */
export const compareAreas = (a: Area, b: Area): number => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1);
