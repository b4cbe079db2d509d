import { ZONE_STATUSES } from '~/model/zoneFilter';
import { choice, followFilters, kinds, searchText } from '~/section/filterAddress';
import { kept } from './keptSearch';
import { ZONES } from './noun';
import { patchView, zonesView } from './view';
import { ZONE_TYPES } from './words';

/** Keeps the filters, the search and the address of the section the same; returns the way to end that. */
export const followAddress = followFilters({ view: zonesView, patch: patchView }, ZONES.list, kept, {
  q: searchText,
  type: kinds(
    'types',
    ZONE_TYPES.map(type => type.id),
  ),
  status: choice('status', ZONE_STATUSES, null),
});
