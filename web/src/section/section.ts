import type { AnyRoute, AnyRouter } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { LatLng } from '~/map/types';
import type { Words } from '~/model/organization';
import type { Requirement } from '~/session';
import type { FoundRow } from './find';
import type { SectionLayer } from './layer';
import type { MapNoun } from './map';

/**
 * A section of the dashboard: what its folder gives to the table of sections (app/sections.ts). Requirement, order and
 * whether it works on a phone are the catalog's (`sections` of permissions.json), by id.
 */
export interface SectionRow {
  /** its id in the catalog and the first word of its addresses below /dashboard */
  readonly id: string;
  /** how it stands in the navigation; without, it stands in none */
  readonly look?: SectionLook;
  /** "map": in the drawer over the map, which stays while sections change; "page": it has the whole stage */
  readonly frame: 'map' | 'page';
  /** Its own navigation, which stands in place of the dashboard's while the section is open. */
  readonly Nav?: ComponentType;
  /** Its addresses below /dashboard. Screens are lazy: the first load must not carry them. */
  readonly routes: (parent: AnyRoute) => readonly AnyRoute[];
  /** What of its view its addresses say, such as filters: they are kept the same until the returned way to stop. */
  readonly address?: () => Promise<(router: AnyRouter) => () => void>;
  /** What it brings to the map; loaded with the map. */
  readonly map?: () => Promise<SectionMap>;
}

export interface SectionLook {
  readonly icon: LucideIcon;
  /** Events or Incidents as the organization says. */
  readonly label: (words: Words) => string;
  /** It says how many assets are shown. */
  readonly countsAssets?: boolean;
  /** It says how many rows of this noun are active. */
  readonly countsActive?: 'location';
}

/** Something that begins at a place of the map. */
export interface PlaceAction {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly requires: Requirement;
  /** on a small screen, where that is something else */
  readonly onPhone?: Requirement;
  /** It changes something: it is for those who act for the organization that is looked at. */
  readonly isChange?: boolean;
  /** The card of a place that was searched for or asked about offers it as well. */
  readonly isOfPins?: boolean;
  /** the address that it leads to; `placeWord` writes the place */
  readonly path: (place: LatLng) => string;
}

export interface SectionMap {
  readonly nouns: readonly MapNoun[];
  /** over the map: what its filters hide there */
  readonly Chip?: ComponentType;
  /** what stands of it behind the assets of the live sections */
  readonly layer?: SectionLayer;
  /** what can be done at a place of any map, by its context menu */
  readonly here?: PlaceAction;
  /** The rows that a search of the map finds by their names (the text as `searchOf` makes it); they stand before places. */
  readonly find?: (search: string) => readonly FoundRow[];
  /** Its map is one of those: the layers stand on it. */
  readonly showsLayers?: boolean;
}
