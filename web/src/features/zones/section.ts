import { Hexagon } from 'lucide-react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

/** Places that become active while an alerting asset stands in them. */
export const zones: SectionRow = filteredSection({
  id: 'zones',
  look: { icon: Hexagon, label: () => 'Zones' },
  screens: {
    List: lazyPart(() => import('./screens'), 'ZoneList'),
    Detail: lazyPart(() => import('./screens'), 'ZoneDetail'),
    add: { requires: 'ADD_ZONE', Screen: lazyPart(() => import('./ZoneEdit'), 'ZoneNew') },
    edits: { requires: 'EDIT_ZONE', screens: { '': lazyPart(() => import('./ZoneEdit'), 'ZoneEdit') } },
    deskOnly: true,
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.zonesOnMap)),
});
