import { useStore } from '~/lib/store';
import type { Status } from '~/model/status';
import { createView } from '~/section/view';

/** What is looked at right now in the Live section, beyond what every section has. */
export interface ThingsView {
  /** group heads that are folded */
  folded: ReadonlySet<string>;
  filtersOpen: boolean;
  /** the statuses that come back after "Alerting only" */
  beforeAlerting: ReadonlySet<Status> | null;
}

export const thingsView = createView<ThingsView>({ folded: new Set(), filtersOpen: false, beforeAlerting: null });

export const useThingsView = <S>(select: (view: ThingsView) => S): S => useStore(thingsView, select);

/** Changes a part of the view. */
export function patchView(part: Partial<ThingsView>): void {
  thingsView.set(now => ({ ...now, ...part }));
}

/** Folds or unfolds a group of the list. */
export function toggleFold(key: string): void {
  thingsView.set(now => {
    const folded = new Set(now.folded);
    if (!folded.delete(key)) folded.add(key);
    return { ...now, folded };
  });
}
