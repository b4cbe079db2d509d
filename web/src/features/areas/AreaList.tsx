import limits from '@catalog/limits.json';
import { passesArea } from '~/model/area';
import looks from '~/section/filter.module.css';
import { ListScreen } from '~/section/ListScreen';
import { type Listing, useListed } from '~/section/listing';
import { AddArea } from './AddArea';
import { AreaMenu } from './AreaMenu';
import { AreaRow } from './AreaRow';
import { AREAS } from './noun';
import { TypeFilter } from './TypeFilter';
import { type AreasView, areasSection, patchView, useAreasView, useOnStage } from './view';

/** The areas that the section shows. */
const SHOWN: Listing<'area', AreasView> = {
  type: 'area',
  section: areasSection,
  ids: (rows, view) => rows.filter(area => passesArea(area, view)).map(area => area.id),
  turn: () => '',
};

const NO_AREAS = 'Your organization has no areas. Points of interest, stations, and exclusion zones appear here.';

/** The list screen of the section. */
export function AreaList() {
  const types = useAreasView(view => view.types);
  const listed = useListed(AREAS, SHOWN);
  const hasAny = listed.all.length > 0;
  useOnStage();
  return (
    <ListScreen
      listed={listed}
      px={limits.lists.areaRowPx.value}
      Row={AreaRow}
      detail={AREAS.detail}
      searchLabel="Search for an Area..."
      head={
        <div className={looks.tools}>
          <TypeFilter />
          <AddArea />
          <AreaMenu />
        </div>
      }
      nothing={{
        why: hasAny ? (listed.clear ? 'Try another part of the name.' : 'There are areas of other types.') : NO_AREAS,
        ways: hasAny ? [listed.clear, types && ['Show all types', () => patchView({ types: null })]] : [],
      }}
    />
  );
}
