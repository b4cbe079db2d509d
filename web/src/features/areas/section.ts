import { MapPinned } from 'lucide-react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

/** Points of interest, stations and exclusion zones. */
export const areas: SectionRow = filteredSection({
  id: 'areas',
  look: { icon: MapPinned, label: () => 'Areas' },
  screens: {
    List: lazyPart(() => import('./AreaList'), 'AreaList'),
    Detail: lazyPart(() => import('./AreaDetail'), 'AreaDetail'),
    add: { requires: 'ADD_AREA', Screen: lazyPart(() => import('./AreaEdit'), 'AreaNew') },
    edits: { requires: 'EDIT_AREA', screens: { '': lazyPart(() => import('./AreaEdit'), 'AreaEdit') } },
    deskOnly: true,
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.areasOnMap)),
});
