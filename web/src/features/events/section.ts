import { CircleAlert } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

const EventList = lazy(chunk(() => import('./EventList').then(module => ({ default: module.EventList }))));
const EventDetail = lazy(chunk(() => import('./EventDetail').then(module => ({ default: module.EventDetail }))));
const EventEdit = lazy(chunk(() => import('./EventEdit').then(module => ({ default: module.EventEdit }))));

/** Events, or Incidents: where assets of the organization stand with their lights on. */
export const events: SectionRow = {
  id: 'events',
  look: { icon: CircleAlert, label: words => words.events, countsActive: 'location' },
  frame: 'map',
  routes: sectionRoutes(
    'events',
    { List: EventList, Detail: EventDetail, edits: { requires: 'EDIT_EVENT', screens: { '': EventEdit } } },
    kept.keep,
  ),
  address: chunk(() => import('./filterAddress').then(module => module.followAddress)),
  map: chunk(() => import('./layer').then(module => module.eventsOnMap)),
};
