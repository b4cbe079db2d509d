import { Radio } from 'lucide-react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

// The screens come with the section: the sign-in must not wait for them.
const LiveScreen = lazyPart(() => import('./LiveScreen'), 'LiveScreen');
const ThingDetail = lazyPart(() => import('./ThingDetail'), 'ThingDetail');
const ThingEdit = lazyPart(() => import('./ThingEdit'), 'ThingEdit');
const AccessEditScreen = lazyPart(() => import('./AccessEditScreen'), 'AccessEditScreen');

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
