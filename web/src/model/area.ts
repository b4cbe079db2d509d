import enums from '@catalog/enums.json';
import type { Schemas } from '~/api';
import { type Address, addressOf } from './address';
import { type Timed, timed } from './row';
import { compareNames } from './sort';

type Wire = Schemas['Area'];

export type AreaType = (typeof enums.areaTypes)[number];
/** The types of areas, as forms and filters offer them. */
export const AREA_TYPES: readonly AreaType[] = enums.areaTypes;

const typeOf = (name: string): AreaType | undefined => AREA_TYPES.find(type => type.name === name);

const INSTANTS = ['updated_at'] as const;

/**
 * A point of interest, a station or an exclusion zone. One that is not active is shown dimmed, and nothing is matched
 * with it. `radius_dist` is of a circle, in meters, and 0 for every other shape; `area_geom` is null for a circle.
 */
export interface Area extends Timed<Omit<Wire, 'ez_type'>, (typeof INSTANTS)[number]> {
  typeId: string;
  typeName: string;
  /** its type as people read it */
  typeText: string;
  isStation: boolean;
  isAV: boolean;
  isExclusion: boolean;
  address: Address;
  /** what the search looks through */
  searchKey: string;
}

/** An area of a list row or area message. */
export const areaOfWire = (w: Wire): Area => ({
  ...timed(w, INSTANTS),
  typeId: w.ez_type.id,
  typeName: w.ez_type.db_name,
  typeText: w.ez_type.display_name,
  isStation: w.ez_type.is_station_view,
  isAV: w.ez_type.is_av_type,
  isExclusion: typeOf(w.ez_type.db_name)?.isExclusion ?? false,
  address: addressOf(w),
  searchKey: w.name.toLowerCase(),
});

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
