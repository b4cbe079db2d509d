import type { MapSign } from '~/map/types';
import { ZONE_STATUSES, type ZoneFilter } from '~/model/zoneFilter';
import { choice, filteredView, kinds, searchText } from '~/section/filterAddress';
import { ZONE_TYPES } from './words';

/** What is looked at right now in the section, beyond what every section has. */
export interface ZonesView extends ZoneFilter {
  /** the zone that is being drawn: its own row gives way to those of its shapes that are not drawn at the moment */
  draft: { readonly id: string; readonly row: MapSign | null } | null;
}

export const zonesSection = filteredView<ZonesView>(
  { search: '', types: null, status: null, draft: null },
  {
    q: searchText,
    type: kinds(
      'types',
      ZONE_TYPES.map(type => type.id),
    ),
    status: choice('status', ZONE_STATUSES, null),
  },
);
export const { view: zonesView, use: useZonesView, patch: patchView, follow } = zonesSection;
