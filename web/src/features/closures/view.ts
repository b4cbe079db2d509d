import type { ClosureFilter } from '~/model/closureFilter';
import { DEFAULT_CLOSURES } from '~/model/closureFilter';
import { sectionView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
interface ClosuresView extends ClosureFilter {
  /** the closure whose line is being drawn: its own line gives way */
  draft: string | null;
}

export const {
  view: closuresView,
  use: useClosuresView,
  patch: patchView,
} = sectionView<ClosuresView>({ ...DEFAULT_CLOSURES, draft: null });
