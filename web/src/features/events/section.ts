import { CircleAlert } from 'lucide-react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

/** Events, or Incidents: where assets of the organization stand with their lights on. */
export const events: SectionRow = filteredSection({
  id: 'events',
  look: { icon: CircleAlert, label: words => words.events, countsActive: 'location' },
  screens: {
    List: lazyPart(() => import('./EventList'), 'EventList'),
    Detail: lazyPart(() => import('./EventDetail'), 'EventDetail'),
    edits: { requires: 'EDIT_EVENT', screens: { '': lazyPart(() => import('./EventEdit'), 'EventEdit') } },
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.eventsOnMap)),
});
