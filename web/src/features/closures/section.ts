import { Construction } from 'lucide-react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

/** Work zones: lanes of a road that are closed, or may be, and until when. */
export const closures: SectionRow = filteredSection({
  id: 'closures',
  look: { icon: Construction, label: () => 'Closures' },
  screens: {
    List: lazyPart(() => import('./screens'), 'ClosureList'),
    Detail: lazyPart(() => import('./screens'), 'ClosureDetail'),
    add: {
      requires: 'ADD_CLOSURE',
      onPhone: 'ADD_CLOSURE_MOBILE',
      Screen: lazyPart(() => import('./ClosureNew'), 'ClosureNew'),
    },
    edits: {
      requires: 'EDIT_CLOSURE',
      onPhone: 'EDIT_CLOSURE_MOBILE',
      screens: { '': lazyPart(() => import('./ClosureEdit'), 'ClosureEdit') },
    },
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.closuresOnMap)),
});
