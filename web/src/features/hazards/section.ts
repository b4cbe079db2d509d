import { TriangleAlert } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

const screens = chunk(() => import('./screens'));
const HazardList = lazy(() => screens().then(module => ({ default: module.HazardList })));
const HazardDetail = lazy(() => screens().then(module => ({ default: module.HazardDetail })));
const HazardNew = lazy(chunk(() => import('./HazardNew').then(module => ({ default: module.HazardNew }))));
const HazardEdit = lazy(chunk(() => import('./HazardEdit').then(module => ({ default: module.HazardEdit }))));

/** What people, senders, feeds and files report on the road. */
export const hazards: SectionRow = filteredSection({
  id: 'hazards',
  look: { icon: TriangleAlert, label: () => 'Hazards' },
  screens: {
    List: HazardList,
    Detail: HazardDetail,
    add: { requires: 'ADD_HAZARD', Screen: HazardNew },
    edits: { requires: 'EDIT_HAZARD', screens: { '': HazardEdit } },
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.hazardsOnMap)),
});
