import type { HazardFilter } from '~/model/hazardFilter';
import { filteredView, kinds, toggle } from '~/section/filterAddress';
import { HAZARD_TYPES } from './words';

const types = kinds(
  'types',
  HAZARD_TYPES.map(type => type.id),
);
/** None of the types is nothing that can be asked for. */
const someTypes = { ...types, read: (said: unknown) => (said === 'none' ? undefined : types.read(said)) };

/** What is looked at right now in the section, beyond what every section has. */
export const hazardsSection = filteredView<HazardFilter>(
  { types: null, ended: false },
  { type: someTypes, show: toggle('ended', 'ended') },
);
export const { view: hazardsView, use: useHazardsView, patch: patchView, follow } = hazardsSection;
