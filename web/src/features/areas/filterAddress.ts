import { AREA_TYPES } from '~/model/area';
import { followFilters, kinds, searchText } from '~/section/filterAddress';
import { kept } from './keptSearch';
import { AREAS } from './noun';
import { areasView, patchView } from './view';

/** Keeps the type filter, the search and the address of the section the same; returns the way to end that. */
export const followAddress = followFilters({ view: areasView, patch: patchView }, AREAS.list, kept, {
  q: searchText,
  type: kinds(
    'types',
    AREA_TYPES.map(type => type.name),
  ),
});
