import type { HazardFilter } from '~/model/hazardFilter';
import { sectionView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export const {
  view: hazardsView,
  use: useHazardsView,
  patch: patchView,
} = sectionView<HazardFilter>({ types: null, ended: false });
