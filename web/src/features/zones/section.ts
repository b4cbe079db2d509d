import { Hexagon } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

const screens = chunk(() => import('./screens'));
const ZoneList = lazy(() => screens().then(module => ({ default: module.ZoneList })));
const ZoneDetail = lazy(() => screens().then(module => ({ default: module.ZoneDetail })));

const forms = chunk(() => import('./ZoneEdit'));
const ZoneNew = lazy(() => forms().then(module => ({ default: module.ZoneNew })));
const ZoneEdit = lazy(() => forms().then(module => ({ default: module.ZoneEdit })));

/** Places that become active while an alerting asset stands in them. */
export const zones: SectionRow = filteredSection({
  id: 'zones',
  look: { icon: Hexagon, label: () => 'Zones' },
  screens: {
    List: ZoneList,
    Detail: ZoneDetail,
    add: { requires: 'ADD_ZONE', Screen: ZoneNew },
    edits: { requires: 'EDIT_ZONE', screens: { '': ZoneEdit } },
    deskOnly: true,
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.zonesOnMap)),
});
