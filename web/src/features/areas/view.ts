import { useEffect } from 'react';
import { useStore } from '~/lib/store';
import type { MapArea } from '~/map/types';
import type { AreaFilter } from '~/model/area';
import { createView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export interface AreasView extends AreaFilter {
  /** the area that is being drawn: its own row gives way, to what is not drawn of it at the moment or to nothing */
  draft: { readonly id: string; readonly row: MapArea | null } | null;
  /** how many screens of the section stand: while one does, the map shows what its list shows */
  screens: number;
}

export const areasView = createView<AreasView>({ search: '', types: null, draft: null, screens: 0 }, ({ screens }) => ({
  screens,
}));

export const useAreasView = <S>(select: (view: AreasView) => S): S => useStore(areasView, select);

export function patchView(part: Partial<AreasView>): void {
  areasView.set(now => ({ ...now, ...part }));
}

/** While a screen of the section stands, the map shows what its list shows. */
export function useOnStage(): void {
  useEffect(() => {
    patchView({ screens: areasView.get().screens + 1 });
    return () => patchView({ screens: areasView.get().screens - 1 });
  }, []);
}
