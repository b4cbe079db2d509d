import { useStore } from '~/lib/store';
import type { MapSign } from '~/map/types';
import type { ZoneFilter } from '~/model/zoneFilter';
import { createView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export interface ZonesView extends ZoneFilter {
  /** the zone that is being drawn: its own row gives way to those of its shapes that are not drawn at the moment */
  draft: { readonly id: string; readonly row: MapSign | null } | null;
}

export const zonesView = createView<ZonesView>({ search: '', types: null, status: null, draft: null });

export const useZonesView = <S>(select: (view: ZonesView) => S): S => useStore(zonesView, select);

export function patchView(part: Partial<ZonesView>): void {
  zonesView.set(now => ({ ...now, ...part }));
}
