import limits from '@catalog/limits.json';
import { useCallback, useMemo } from 'react';
import { useTextScale } from '~/lib/textScale';
import { liveStore, useIsLoaded, useRows } from '~/live';
import { passesArea } from '~/model/area';
import { countOf, countText, NONE } from '~/model/format';
import { searchOf } from '~/model/search';
import looks from '~/section/filter.module.css';
import { ListFailed, ListWaiting } from '~/section/ListStates';
import list from '~/section/list.module.css';
import { useListSearch } from '~/section/listSearch';
import { useGo } from '~/section/paths';
import { RowList } from '~/section/RowList';
import screen from '~/section/screen.module.css';
import { useNoneSelected } from '~/section/view';
import { announce, SearchField } from '~/ui';
import { AddArea } from './AddArea';
import { AreaMenu } from './AreaMenu';
import { AreaRow } from './AreaRow';
import { NothingFound } from './NothingFound';
import { detailPath } from './paths';
import { TypeFilter } from './TypeFilter';
import { areasView, patchView, useAreasView, useOnStage } from './view';

const ROW_PX = limits.lists.areaRowPx.value;
const KEPT = limits.lists.liveAreas.value;
const NO_HEADS: readonly number[] = [];
const exists = (id: string) => liveStore.of('area').get(id) !== undefined;

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

/** The list screen of the section. */
export function AreaList() {
  const go = useGo();
  const scale = useTextScale();
  const isLoaded = useIsLoaded();
  const all = useRows('area');
  const search = useAreasView(view => view.search);
  const types = useAreasView(view => view.types);
  const filter = useMemo(() => ({ search, types }), [search, types]);
  const { field, list: rows, returning, clear } = useListSearch(search, applySearch);
  useNoneSelected();
  useOnStage();
  const ids = useMemo(() => all.filter(area => passesArea(area, filter)).map(area => area.id), [all, filter]);
  const layout = useCallback(
    (keys: readonly string[]) => ({ keys, heights: keys.map(() => Math.ceil(ROW_PX * scale)), heads: NO_HEADS }),
    [scale],
  );
  const open = useCallback((id: string) => go(detailPath(id)), [go]);
  // Whose an area is matters once there are several.
  const isSeveral = useMemo(() => all.some(area => area.organizationId !== all[0]?.organizationId), [all]);
  const renderRow = useCallback((id: string) => <AreaRow id={id} isForeign={() => isSeveral} />, [isSeveral]);
  const total = `${countText(all.length)}${all.length >= KEPT ? '+' : ''}`;
  return (
    <section className={screen.screen} aria-labelledby="areas-title">
      <header className={list.head} data-sheet-head>
        <h1 id="areas-title" className={list.title}>
          Areas <small className="num">{isLoaded ? `${countText(ids.length)} / ${total}` : NONE}</small>
        </h1>
        <div className={looks.tools}>
          <TypeFilter />
          <AddArea />
          <AreaMenu />
        </div>
        <SearchField className={list.search ?? ''} label="Search for an Area..." {...field} />
      </header>
      <ListFailed operation="areas.load" />
      {ids.length === 0 && !isLoaded ? (
        <ListWaiting label="Loading areas" px={ROW_PX} />
      ) : (
        <RowList
          ref={rows}
          label="Areas"
          ids={ids}
          exists={exists}
          asked={filter}
          layout={layout}
          renderRow={renderRow}
          onOpen={open}
          empty={<NothingFound onClearSearch={clear} />}
          returning={returning}
        />
      )}
    </section>
  );
}
