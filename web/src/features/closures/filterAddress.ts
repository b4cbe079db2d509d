import { CLOSURE_STATUSES, CLOSURE_TYPES } from '~/model/closure';
import { CLOSURE_TIMES, DEFAULT_CLOSURES, DEFAULT_STATUSES } from '~/model/closureFilter';
import { choice, followFilters, kinds, searchText, toggle } from '~/section/filterAddress';
import { kept } from './keptSearch';
import { CLOSURES } from './noun';
import { closuresView, patchView } from './view';

/** Keeps the filters, the search and the address of the section the same; returns the way to end that. */
export const followAddress = followFilters({ view: closuresView, patch: patchView }, CLOSURES.list, kept, {
  q: searchText,
  type: kinds('types', CLOSURE_TYPES),
  status: kinds('statuses', CLOSURE_STATUSES, DEFAULT_STATUSES),
  oos: toggle('outOfService', 'show'),
  time: choice('time', CLOSURE_TIMES, DEFAULT_CLOSURES.time),
});
