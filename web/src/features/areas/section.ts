import { MapPinned } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

const AreaList = lazy(chunk(() => import('./AreaList').then(module => ({ default: module.AreaList }))));
const AreaDetail = lazy(chunk(() => import('./AreaDetail').then(module => ({ default: module.AreaDetail }))));

const AreaNew = lazy(chunk(() => import('./AreaNew').then(module => ({ default: module.AreaNew }))));
const AreaEdit = lazy(chunk(() => import('./AreaEdit').then(module => ({ default: module.AreaEdit }))));

/** Points of interest, stations and exclusion zones. */
export const areas: SectionRow = {
  id: 'areas',
  look: { icon: MapPinned, label: () => 'Areas' },
  frame: 'map',
  routes: sectionRoutes(
    'areas',
    {
      List: AreaList,
      Detail: AreaDetail,
      add: { requires: 'ADD_AREA', Screen: AreaNew },
      edits: { requires: 'EDIT_AREA', screens: { '': AreaEdit } },
      deskOnly: true,
    },
    kept.keep,
  ),
  address: chunk(() => import('./filterAddress').then(module => module.followAddress)),
  map: chunk(() => import('./layer').then(module => module.areasOnMap)),
};
