import { CircleAlert } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

const EventList = lazy(chunk(() => import('./EventList').then(module => ({ default: module.EventList }))));
const EventDetail = lazy(chunk(() => import('./EventDetail').then(module => ({ default: module.EventDetail }))));
const EventEdit = lazy(chunk(() => import('./EventEdit').then(module => ({ default: module.EventEdit }))));

/** Events, or Incidents: where assets of the organization stand with their lights on. */
export const events: SectionRow = filteredSection({
  id: 'events',
  look: { icon: CircleAlert, label: words => words.events, countsActive: 'location' },
  screens: { List: EventList, Detail: EventDetail, edits: { requires: 'EDIT_EVENT', screens: { '': EventEdit } } },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.eventsOnMap)),
});
