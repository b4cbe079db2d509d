import { useStore } from '~/lib/store';
import type { AreaFilter } from '~/model/area';
import { createView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export const areasView = createView<AreaFilter>({ search: '', types: null });

export const useAreasView = <S>(select: (view: AreaFilter) => S): S => useStore(areasView, select);

export function patchView(part: Partial<AreaFilter>): void {
  areasView.set(now => ({ ...now, ...part }));
}
