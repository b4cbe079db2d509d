import { useStore } from '~/lib/store';
import type { ClosureFilter } from '~/model/closureFilter';
import { DEFAULT_CLOSURES } from '~/model/closureFilter';
import { createView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export interface ClosuresView extends ClosureFilter {
  /** the closure whose line is being drawn: its own line gives way */
  draft: string | null;
}

export const closuresView = createView<ClosuresView>({ ...DEFAULT_CLOSURES, draft: null });

export const useClosuresView = <S>(select: (view: ClosuresView) => S): S => useStore(closuresView, select);

export function patchView(part: Partial<ClosuresView>): void {
  closuresView.set(now => ({ ...now, ...part }));
}
