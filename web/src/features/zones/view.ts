import type { MapSign } from '~/map/types';
import type { ZoneFilter } from '~/model/zoneFilter';
import { sectionView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
interface ZonesView extends ZoneFilter {
  /** the zone that is being drawn: its own row gives way to those of its shapes that are not drawn at the moment */
  draft: { readonly id: string; readonly row: MapSign | null } | null;
}

export const {
  view: zonesView,
  use: useZonesView,
  patch: patchView,
} = sectionView<ZonesView>({ search: '', types: null, status: null, draft: null });
