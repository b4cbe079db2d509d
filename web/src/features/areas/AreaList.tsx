import limits from '@catalog/limits.json';
import { type Area, areaTypeOptions, passesArea } from '~/model/area';
import { AddOnMap } from '~/section/AddOnMap';
import { KindFilter } from '~/section/ChoiceFilter';
import { ListScreen } from '~/section/ListScreen';
import { type Listing, useListed } from '~/section/listing';
import { nothingOf } from '~/section/NothingFound';
import { useCan } from '~/session';
import { AreaMenu } from './AreaMenu';
import { AreaRow } from './AreaRow';
import { useAddShown } from './access';
import { AREAS } from './noun';
import { type AreasView, areasSection, patchView, useAreasView, useOnStage } from './view';

/** The areas that the section shows. */
const SHOWN: Listing<'area', AreasView> = {
  type: 'area',
  section: areasSection,
  ids: (rows, view) => rows.filter(area => passesArea(area, view)).map(area => area.id),
  turn: () => '',
};

const TYPES = areaTypeOptions().map(({ name, label }) => ({ id: name, label }));
const typeOf = (area: Area) => area.typeName;

/** The list screen of the section. */
export function AreaList() {
  const types = useAreasView(view => view.types);
  const listed = useListed(AREAS, SHOWN);
  const isAddShown = useAddShown();
  const mayAdd = useCan('ADD_AREA');
  useOnStage();
  return (
    <ListScreen
      listed={listed}
      px={limits.lists.areaRowPx.value}
      Row={AreaRow}
      detail={AREAS.detail}
      searchLabel="Search for an Area..."
      tools={
        <>
          <KindFilter
            label="Area Types"
            all={TYPES}
            chosen={types}
            onChange={chosen => patchView({ types: chosen })}
            rows={listed.all}
            kindOf={typeOf}
          />
          {isAddShown && <AddOnMap to={AREAS.create} mayAdd={mayAdd} />}
        </>
      }
      menu={<AreaMenu />}
      nothing={nothingOf(
        listed,
        {
          none: 'Your organization has no areas. Points of interest, stations, and exclusion zones appear here.',
          searched: 'Try another part of the name.',
          filtered: 'There are areas of other types.',
        },
        [types && ['Show all types', () => patchView({ types: null })]],
      )}
    />
  );
}
