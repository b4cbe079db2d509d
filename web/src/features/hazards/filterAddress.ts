import { followFilters, kinds, toggle } from '~/section/filterAddress';
import { kept } from './keptSearch';
import { HAZARDS } from './noun';
import { hazardsView, patchView } from './view';
import { HAZARD_TYPES } from './words';

const types = kinds(
  'types',
  HAZARD_TYPES.map(type => type.id),
);
/** None of the types is nothing that can be asked for. */
const someTypes = { ...types, read: (said: unknown) => (said === 'none' ? undefined : types.read(said)) };

/** Keeps the filters and the address of the section the same; returns the way to end that. */
export const followAddress = followFilters({ view: hazardsView, patch: patchView }, HAZARDS.list, kept, {
  type: someTypes,
  show: toggle('ended', 'ended'),
});
