import { useStore } from '~/lib/store';
import type { HazardFilter } from '~/model/hazardFilter';
import { createView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export const hazardsView = createView<HazardFilter>({ types: null, ended: false });

export const useHazardsView = <S>(select: (view: HazardFilter) => S): S => useStore(hazardsView, select);

export function patchView(part: Partial<HazardFilter>): void {
  hazardsView.set(now => ({ ...now, ...part }));
}
