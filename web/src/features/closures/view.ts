import { CLOSURE_STATUSES, CLOSURE_TYPES } from '~/model/closure';
import { CLOSURE_TIMES, type ClosureFilter, DEFAULT_CLOSURES, DEFAULT_STATUSES } from '~/model/closureFilter';
import { choice, filteredView, kinds, searchText, toggle } from '~/section/filterAddress';

/** What is looked at right now in the section, beyond what every section has. */
export interface ClosuresView extends ClosureFilter {
  /** the closure whose line is being drawn: its own line gives way */
  draft: string | null;
}

export const closuresSection = filteredView<ClosuresView>(
  { ...DEFAULT_CLOSURES, draft: null },
  {
    q: searchText,
    type: kinds('types', CLOSURE_TYPES),
    status: kinds('statuses', CLOSURE_STATUSES, DEFAULT_STATUSES),
    oos: toggle('outOfService', 'show'),
    time: choice('time', CLOSURE_TIMES, DEFAULT_CLOSURES.time),
  },
);
export const { view: closuresView, use: useClosuresView, patch: patchView, follow } = closuresSection;
