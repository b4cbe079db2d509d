import { TriangleAlert } from 'lucide-react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

/** What people, senders, feeds and files report on the road. */
export const hazards: SectionRow = filteredSection({
  id: 'hazards',
  look: { icon: TriangleAlert, label: () => 'Hazards' },
  screens: {
    List: lazyPart(() => import('./screens'), 'HazardList'),
    Detail: lazyPart(() => import('./screens'), 'HazardDetail'),
    add: { requires: 'ADD_HAZARD', Screen: lazyPart(() => import('./HazardNew'), 'HazardNew') },
    edits: { requires: 'EDIT_HAZARD', screens: { '': lazyPart(() => import('./HazardEdit'), 'HazardEdit') } },
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.hazardsOnMap)),
});
