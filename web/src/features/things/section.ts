import { Radio } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

// The screens come with the section: the sign-in must not wait for them.
const LiveScreen = lazy(chunk(() => import('./LiveScreen').then(module => ({ default: module.LiveScreen }))));
const ThingDetail = lazy(chunk(() => import('./ThingDetail').then(module => ({ default: module.ThingDetail }))));
const ThingEdit = lazy(chunk(() => import('./ThingEdit').then(module => ({ default: module.ThingEdit }))));
const AccessEditScreen = lazy(
  chunk(() => import('./AccessEditScreen').then(module => ({ default: module.AccessEditScreen }))),
);

/** Live: the assets of the organization. */
export const things: SectionRow = {
  id: 'things',
  look: { icon: Radio, label: () => 'Live', countsAssets: true },
  frame: 'map',
  routes: sectionRoutes(
    'things',
    {
      List: LiveScreen,
      Detail: ThingDetail,
      edits: { requires: 'EDIT_THING', screens: { profile: ThingEdit, associations: AccessEditScreen } },
    },
    kept.keep,
  ),
  address: chunk(() => import('./filterAddress').then(module => module.followAddress)),
  map: chunk(() => import('./layer').then(module => module.liveOnMap)),
};
