import type { MapArea } from '~/map/types';
import { AREA_TYPES, type AreaFilter } from '~/model/area';
import { filteredView, kinds, searchText } from '~/section/filterAddress';
import { type OnStage, useScreenOf } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export interface AreasView extends AreaFilter, OnStage {
  /** the area that is being drawn: its own row gives way, to what is not drawn of it at the moment or to nothing */
  draft: { readonly id: string; readonly row: MapArea | null } | null;
}

export const areasSection = filteredView<AreasView>(
  { search: '', types: null, draft: null, screens: 0 },
  {
    q: searchText,
    type: kinds(
      'types',
      AREA_TYPES.map(type => type.name),
    ),
  },
  ({ screens }) => ({ screens }),
);
export const { view: areasView, use: useAreasView, patch: patchView, follow } = areasSection;

/** While a screen of the section stands, the map shows what its list shows. */
export const useOnStage = (): void => useScreenOf(areasView);
