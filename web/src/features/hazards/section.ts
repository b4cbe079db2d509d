import { TriangleAlert } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

const screens = chunk(() => import('./screens'));
const HazardList = lazy(() => screens().then(module => ({ default: module.HazardList })));
const HazardDetail = lazy(() => screens().then(module => ({ default: module.HazardDetail })));

/** What senders, feeds and files report on the road. */
export const hazards: SectionRow = {
  id: 'hazards',
  look: { icon: TriangleAlert, label: () => 'Hazards' },
  frame: 'map',
  routes: sectionRoutes('hazards', { List: HazardList, Detail: HazardDetail }, kept.keep),
  address: chunk(() => import('./filterAddress').then(module => module.followAddress)),
  map: chunk(() => import('./layer').then(module => module.hazardsOnMap)),
};
