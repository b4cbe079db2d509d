import limits from '@catalog/limits.json';
import { useMemo } from 'react';
import { liveStore, useRows } from '~/live';
import { passesArea } from '~/model/area';
import { countOf } from '~/model/format';
import { searchOf } from '~/model/search';
import looks from '~/section/filter.module.css';
import { ListScreen } from '~/section/ListScreen';
import { useListSearch } from '~/section/listSearch';
import { announce } from '~/ui';
import { AddArea } from './AddArea';
import { AreaMenu } from './AreaMenu';
import { AreaRow } from './AreaRow';
import { AREAS } from './noun';
import { TypeFilter } from './TypeFilter';
import { areasView, patchView, useAreasView, useOnStage } from './view';

function applySearch(text: string): void {
  const search = searchOf(text);
  if (search === areasView.get().search) return;
  patchView({ search });
  const found = liveStore
    .of('area')
    .list()
    .filter(area => passesArea(area, areasView.get()));
  announce(`${countOf(found.length, 'area')} shown`);
}

const NO_AREAS = 'Your organization has no areas. Points of interest, stations, and exclusion zones appear here.';

const renderRow = (id: string, isForeign: boolean) => <AreaRow id={id} isForeign={() => isForeign} />;

/** The list screen of the section. */
export function AreaList() {
  const all = useRows('area');
  const asked = useAreasView(view => view.search);
  const types = useAreasView(view => view.types);
  const filter = useMemo(() => ({ search: asked, types }), [asked, types]);
  const search = useListSearch(asked, applySearch);
  useOnStage();
  return (
    <ListScreen
      type="area"
      title="Areas"
      keep={limits.lists.liveAreas.value}
      operation="areas.load"
      ids={useMemo(() => all.filter(area => passesArea(area, filter)).map(area => area.id), [all, filter])}
      asked={filter}
      px={limits.lists.areaRowPx.value}
      renderRow={renderRow}
      pathOf={AREAS.detail}
      search={search}
      searchLabel="Search for an Area..."
      rows={search.list}
      returning={search.returning}
      head={
        <div className={looks.tools}>
          <TypeFilter />
          <AddArea />
          <AreaMenu />
        </div>
      }
      nothing={hasAny => ({
        why: hasAny ? (asked === '' ? 'There are areas of other types.' : 'Try another part of the name.') : NO_AREAS,
        ways: hasAny
          ? [
              asked !== '' && ['Clear search', search.clear],
              types && ['Show all types', () => patchView({ types: null })],
            ]
          : [],
      })}
    />
  );
}
