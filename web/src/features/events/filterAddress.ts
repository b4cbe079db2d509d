import { LOCATION_TIMES, USUAL_TIME } from '~/model/locationFilter';
import { choice, followFilters, searchText } from '~/section/filterAddress';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { eventsView, patchView } from './view';

/** Keeps the time filter, the search and the address of the section the same; returns the way to end that. */
export const followAddress = followFilters({ view: eventsView, patch: patchView }, LIST_PATH, kept, {
  q: searchText,
  time: choice('time', LOCATION_TIMES, USUAL_TIME),
});
