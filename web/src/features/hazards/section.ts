import { TriangleAlert } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

const screens = chunk(() => import('./screens'));
const HazardList = lazy(() => screens().then(module => ({ default: module.HazardList })));
const HazardDetail = lazy(() => screens().then(module => ({ default: module.HazardDetail })));
const HazardNew = lazy(chunk(() => import('./HazardNew').then(module => ({ default: module.HazardNew }))));
const HazardEdit = lazy(chunk(() => import('./HazardEdit').then(module => ({ default: module.HazardEdit }))));

/** What people, senders, feeds and files report on the road. */
export const hazards: SectionRow = {
  id: 'hazards',
  look: { icon: TriangleAlert, label: () => 'Hazards' },
  frame: 'map',
  routes: sectionRoutes(
    'hazards',
    {
      List: HazardList,
      Detail: HazardDetail,
      add: { requires: 'ADD_HAZARD', Screen: HazardNew },
      edits: { requires: 'EDIT_HAZARD', screens: { '': HazardEdit } },
    },
    kept.keep,
  ),
  address: chunk(() => import('./filterAddress').then(module => module.followAddress)),
  map: chunk(() => import('./layer').then(module => module.hazardsOnMap)),
};
