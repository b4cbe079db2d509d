import { type ReactNode, type RefObject, useCallback, useId, useMemo } from 'react';
import type { Operation } from '~/api';
import { useTextScale } from '~/lib/textScale';
import { liveStore, useIsLoaded, useRows } from '~/live';
import type { CollectionOf } from '~/live/nouns';
import { countText, NONE } from '~/model/format';
import { SearchField } from '~/ui';
import { ListFailed, ListWaiting } from './ListStates';
import list from './list.module.css';
import type { ListSearch } from './listSearch';
import { type Nothing, NothingFound } from './NothingFound';
import { useGo } from './paths';
import { RowList, type RowListHandle } from './RowList';
import screen from './screen.module.css';
import { useNoneSelected } from './view';

const NO_HEADS: readonly number[] = [];

type ListedType = 'area' | 'closure' | 'hazard' | 'zone';
type RowOf<Type extends ListedType> = ReturnType<CollectionOf<Type>['list']>[number];

interface ListScreenProps<Type extends ListedType> {
  type: Type;
  /** "Zones" */
  title: string;
  /** how many there are beyond the filters, when that is not the number of rows */
  total?: number;
  /** the live picture keeps no more rows than so many */
  keep: number;
  /** the operation whose texts say why the list cannot be had */
  operation: Operation;
  /** what the filters show, in order */
  ids: readonly string[];
  /** all that somebody asked for (search, filters) */
  asked: unknown;
  /** whether a row may stay in its place while somebody reads; else whether it exists */
  exists?: (id: string) => boolean;
  /** the height of a row in px at the usual size of letters, and of one that is still on its way */
  px: number;
  /** where not all rows are as high; always the same function */
  rowPx?: (row: RowOf<Type>) => number;
  /** a row; `isForeign`: whose it is matters, because there are several. The same function while that is the same. */
  renderRow: (id: string, isForeign: boolean) => ReactNode;
  pathOf: (id: string) => string;
  /** what stands under the title: counts, filters, tools */
  head: ReactNode;
  /** the search; lists without one give their handle alone */
  search?: ListSearch;
  searchLabel?: string;
  rows: RefObject<RowListHandle | null>;
  returning: RefObject<string | null>;
  /** what stands under the search */
  segments?: ReactNode;
  /** why the list is empty; `hasAny`: there are rows beyond the filters */
  nothing: (hasAny: boolean) => Nothing;
}

/** The list screen of a section whose rows the live picture keeps. */
export function ListScreen<Type extends ListedType>(props: ListScreenProps<Type>) {
  const { type, title, ids, px, rowPx, renderRow, pathOf, search } = props;
  const go = useGo();
  const titleId = useId();
  const scale = useTextScale();
  const isLoaded = useIsLoaded();
  const all: readonly RowOf<Type>[] = useRows(type);
  useNoneSelected();
  const heights = useMemo(() => rowPx && new Map(all.map(row => [row.id, rowPx(row)])), [all, rowPx]);
  const layout = useCallback(
    (keys: readonly string[]) => ({
      keys,
      heights: keys.map(id => Math.ceil((heights?.get(id) ?? px) * scale)),
      heads: NO_HEADS,
    }),
    [heights, px, scale],
  );
  const open = useCallback((id: string) => go(pathOf(id)), [go, pathOf]);
  const owned = all as readonly RowOf<ListedType>[];
  const isSeveral = useMemo(() => owned.some(row => row.organizationId !== owned[0]?.organizationId), [owned]);
  const row = useCallback((id: string) => renderRow(id, isSeveral), [renderRow, isSeveral]);
  const exists = useCallback((id: string) => liveStore.of(type).get(id) !== undefined, [type]);
  const total = `${countText(props.total ?? all.length)}${all.length >= props.keep ? '+' : ''}`;
  return (
    <section className={screen.screen} aria-labelledby={titleId}>
      <header className={list.head} data-sheet-head>
        <h1 id={titleId} className={list.title}>
          {title} <small className="num">{isLoaded ? `${countText(ids.length)} / ${total}` : NONE}</small>
        </h1>
        {props.head}
        {search && <SearchField className={list.search ?? ''} label={props.searchLabel ?? ''} {...search.field} />}
        {props.segments}
      </header>
      <ListFailed operation={props.operation} />
      {ids.length === 0 && !isLoaded ? (
        <ListWaiting label={`Loading ${title.toLowerCase()}`} px={px} />
      ) : (
        <RowList
          ref={props.rows}
          label={title}
          ids={ids}
          exists={props.exists ?? exists}
          asked={props.asked}
          layout={layout}
          renderRow={row}
          onOpen={open}
          empty={<NothingFound {...props.nothing(all.length > 0)} />}
          returning={props.returning}
        />
      )}
    </section>
  );
}
