import { Construction } from 'lucide-react';
import { lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { filteredSection } from '~/section/routes';
import type { SectionRow } from '~/section/section';

const screens = chunk(() => import('./screens'));
const ClosureList = lazy(() => screens().then(module => ({ default: module.ClosureList })));
const ClosureDetail = lazy(() => screens().then(module => ({ default: module.ClosureDetail })));

const ClosureNew = lazy(chunk(() => import('./ClosureNew').then(module => ({ default: module.ClosureNew }))));
const ClosureEdit = lazy(chunk(() => import('./ClosureEdit').then(module => ({ default: module.ClosureEdit }))));

/** Work zones: lanes of a road that are closed, or may be, and until when. */
export const closures: SectionRow = filteredSection({
  id: 'closures',
  look: { icon: Construction, label: () => 'Closures' },
  screens: {
    List: ClosureList,
    Detail: ClosureDetail,
    add: { requires: 'ADD_CLOSURE', onPhone: 'ADD_CLOSURE_MOBILE', Screen: ClosureNew },
    edits: { requires: 'EDIT_CLOSURE', onPhone: 'EDIT_CLOSURE_MOBILE', screens: { '': ClosureEdit } },
  },
  filters: chunk(() => import('./view')),
  map: chunk(() => import('./layer').then(module => module.closuresOnMap)),
});
