import { MapPinned } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

const AreaList = lazy(chunk(() => import('./AreaList').then(module => ({ default: module.AreaList }))));
const AreaDetail = lazy(chunk(() => import('./AreaDetail').then(module => ({ default: module.AreaDetail }))));

const forms = chunk(() => import('./AreaEdit'));
const AreaNew = lazy(() => forms().then(module => ({ default: module.AreaNew })));
const AreaEdit = lazy(() => forms().then(module => ({ default: module.AreaEdit })));

/** Points of interest, stations and exclusion zones. */
export const areas: SectionRow = filteredSection({
  id: 'areas',
  look: { icon: MapPinned, label: () => 'Areas' },
  screens: {
    List: AreaList,
    Detail: AreaDetail,
    add: { requires: 'ADD_AREA', Screen: AreaNew },
    edits: { requires: 'EDIT_AREA', screens: { '': AreaEdit } },
    deskOnly: true,
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.areasOnMap)),
});
