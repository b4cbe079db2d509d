import { Hexagon } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

const screens = chunk(() => import('./screens'));
const ZoneList = lazy(() => screens().then(module => ({ default: module.ZoneList })));
const ZoneDetail = lazy(() => screens().then(module => ({ default: module.ZoneDetail })));

const forms = chunk(() => import('./forms'));
const ZoneNew = lazy(() => forms().then(module => ({ default: module.ZoneNew })));
const ZoneEdit = lazy(() => forms().then(module => ({ default: module.ZoneEdit })));

/** Places that become active while an alerting asset stands in them. */
export const zones: SectionRow = {
  id: 'zones',
  look: { icon: Hexagon, label: () => 'Zones' },
  frame: 'map',
  routes: sectionRoutes(
    'zones',
    {
      List: ZoneList,
      Detail: ZoneDetail,
      add: { requires: 'ADD_ZONE', Screen: ZoneNew },
      edits: { requires: 'EDIT_ZONE', screens: { '': ZoneEdit } },
      deskOnly: true,
    },
    kept.keep,
  ),
  address: chunk(() => import('./filterAddress').then(module => module.followAddress)),
  map: chunk(() => import('./layer').then(module => module.zonesOnMap)),
};
