import limits from '@catalog/limits.json';
import { useCallback, useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { useTextScale } from '~/lib/textScale';
import { liveStore, useIsLoaded, useRows } from '~/live';
import { splitClosures } from '~/model/closureFilter';
import { countOf, countText, NONE } from '~/model/format';
import { searchOf } from '~/model/search';
import { AddOnMap } from '~/section/AddOnMap';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListFailed, ListWaiting } from '~/section/ListStates';
import list from '~/section/list.module.css';
import { useListSearch } from '~/section/listSearch';
import { useGo } from '~/section/paths';
import { RowList } from '~/section/RowList';
import screen from '~/section/screen.module.css';
import { useNoneSelected } from '~/section/view';
import { currentWords, useWords } from '~/section/words';
import { announce, SearchField, Segmented } from '~/ui';
import { ClosureFilters } from './ClosureFilters';
import { ClosureRow } from './ClosureRow';
import { useClosureCounts } from './counts';
import { NothingFound } from './NothingFound';
import { detailPath, NEW_PATH } from './paths';
import { useMayAdd } from './quick';
import { dayOf, heardAt, useShownIds } from './shown';
import { closuresView, patchView, useClosuresView } from './view';
import { TIME_CHOICES } from './words';

const { closureRowPx, closureRowOutOfServicePx, liveAreas } = limits.lists;
const KEPT = liveAreas.value;
const NO_HEADS: readonly number[] = [];
const exists = (id: string) => liveStore.of('closure').get(id) !== undefined;

function applySearch(text: string): void {
  const search = searchOf(text);
  if (search === closuresView.get().search) return;
  patchView({ search });
  const day = dayOf(serverClock.now(), currentWords().timeZone);
  const { length } = splitClosures(liveStore.of('closure').list(), closuresView.get(), day, heardAt).shown;
  announce(`${countOf(length, 'closure')} shown`);
}

/** The list screen of the section. */
export function ClosureList() {
  const go = useGo();
  const words = useWords();
  const scale = useTextScale();
  const isLoaded = useIsLoaded();
  const all = useRows('closure');
  const { ids, hidden } = useShownIds();
  const counts = useClosureCounts();
  const asked = useClosuresView(view => view);
  const { field, list: rows, returning, clear } = useListSearch(asked.search, applySearch);
  useNoneSelected();
  const layout = useMemo(() => {
    const px = (isIn: boolean) => Math.ceil((isIn ? closureRowPx : closureRowOutOfServicePx).value * scale);
    const heights = new Map(all.map(row => [row.id, px(row.inService)]));
    return (keys: readonly string[]) => ({
      keys,
      heights: keys.map(id => heights.get(id) ?? px(true)),
      heads: NO_HEADS,
    });
  }, [all, scale]);
  const open = useCallback((id: string) => go(detailPath(id)), [go]);
  const isSeveral = useMemo(() => all.some(row => row.organizationId !== all[0]?.organizationId), [all]);
  const renderRow = useCallback(
    (id: string) => <ClosureRow id={id} words={words} isForeign={isSeveral} />,
    [words, isSeveral],
  );
  const count = (n: number | undefined) => (n === undefined ? NONE : countText(n));
  const total = `${countText(all.length)}${all.length >= KEPT ? '+' : ''}`;
  return (
    <section className={screen.screen} aria-labelledby="closures-title">
      <header className={list.head} data-sheet-head>
        <h1 id="closures-title" className={list.title}>
          Closures <small className="num">{isLoaded ? `${countText(ids.length)} / ${total}` : NONE}</small>
        </h1>
        <div className={`${list.counts} num`}>
          <span className={counts && counts.statuses.active > 0 ? 's-active' : ''}>
            Active <b>{count(counts?.statuses.active)}</b>
          </span>
          <span>
            Hidden by filters <b>{count(isLoaded ? hidden : undefined)}</b>
          </span>
        </div>
        <div className={filter.tools}>
          <ClosureFilters counts={counts} />
          <Add />
          <ListMenu />
        </div>
        <SearchField className={list.search ?? ''} label="Search for a Closure..." {...field} />
        <Segmented
          className={filter.segments ?? ''}
          label="When"
          value={asked.time}
          onChange={time => patchView({ time })}
          options={TIME_CHOICES}
        />
      </header>
      <ListFailed operation="closures.load" />
      {ids.length === 0 && !isLoaded ? (
        <ListWaiting label="Loading closures" px={closureRowPx.value} />
      ) : (
        <RowList
          ref={rows}
          label="Closures"
          ids={ids}
          exists={exists}
          asked={asked}
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

/** The way to a new closure, for those who may make one at this width. */
function Add() {
  return useMayAdd() ? <AddOnMap to={NEW_PATH} mayAdd onPhone /> : null;
}
