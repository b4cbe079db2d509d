import { type ComponentType, type ReactNode, useCallback, useId, useMemo } from 'react';
import { cx } from '~/lib/cx';
import { useTextScale } from '~/lib/textScale';
import { NOUNS } from '~/live/nouns';
import { atLeast, countText, NONE } from '~/model/format';
import type { Words } from '~/model/organization';
import { SearchField, Segmented, type SegmentedProps } from '~/ui';
import filter from './filter.module.css';
import { ListMenu } from './ListMenu';
import { ListFailed, ListWaiting } from './ListStates';
import list from './list.module.css';
import type { Listed, ListedType } from './listing';
import { type Nothing, NothingFound } from './NothingFound';
import type { RowOf } from './nounRow';
import { useGo } from './paths';
import { RowList } from './RowList';
import screen from './screen.module.css';
import { useNoneSelected } from './view';
import { useWords } from './words';

const NO_HEADS: readonly number[] = [];

export interface ListRowProps {
  id: string;
  words: Words;
  /** there are rows of several organizations: it says whose it is */
  isForeign: boolean;
}

interface ListScreenProps<Type extends ListedType, Segment extends string> {
  listed: Listed<Type>;
  /** how many there are beyond the filters, when that is not the number of rows */
  total?: number;
  /** whether a row may stay in its place while somebody reads; else whether it exists */
  exists?: (id: string) => boolean;
  /** the height of a row in px at the usual size of letters, and of one that is still on its way */
  px: number;
  /** where not all rows are as high; always the same function */
  rowPx?: (row: RowOf<Type>) => number;
  Row: ComponentType<ListRowProps>;
  detail: (id: string) => string;
  /** under the title: how many there are of what */
  counts?: ReactNode;
  /** beside the title: what narrows the list, and what adds a row */
  tools?: ReactNode;
  /** they need a line of their own */
  isWide?: boolean;
  /** the menu beside them, where it has more than the way back from changes */
  menu?: ReactNode;
  searchLabel?: string;
  /** under the search: which rows */
  segments?: Omit<SegmentedProps<Segment>, 'className'>;
  /** what else went wrong */
  notice?: ReactNode;
  /** Rows may still come. */
  isLooking?: boolean;
  /** why the list is empty */
  nothing: Nothing;
}

/** The list screen of a section whose rows the live picture keeps. */
export function ListScreen<Type extends ListedType, Segment extends string>(props: ListScreenProps<Type, Segment>) {
  const { listed, px, rowPx, Row, detail, menu = <ListMenu /> } = props;
  const { type, many, all, rows, ids, isWhole, search } = listed;
  const go = useGo();
  const titleId = useId();
  const scale = useTextScale();
  const words = useWords();
  useNoneSelected();
  const heights = useMemo(() => rowPx && new Map(rows.map(row => [row.id, rowPx(row)])), [rows, rowPx]);
  const layout = useCallback(
    (keys: readonly string[]) => ({
      keys,
      heights: keys.map(id => Math.ceil((heights?.get(id) ?? px) * scale)),
      heads: NO_HEADS,
    }),
    [heights, px, scale],
  );
  const open = useCallback((id: string) => go(detail(id)), [go, detail]);
  const owned = rows as readonly RowOf<ListedType>[];
  const isForeign = useMemo(() => owned.some(row => row.organization_id !== owned[0]?.organization_id), [owned]);
  const row = useCallback((id: string) => <Row id={id} words={words} isForeign={isForeign} />, [Row, words, isForeign]);
  const total = atLeast(props.total ?? all.length, all.length >= NOUNS[type].keep);
  return (
    <section className={screen.screen} aria-labelledby={titleId}>
      <header className={list.head} data-sheet-head>
        <h1 id={titleId} className={list.title}>
          {many} <small className="num">{isWhole ? `${countText(ids.length)} / ${total}` : NONE}</small>
        </h1>
        {props.counts}
        <div className={cx(filter.tools, props.isWide && filter.wide)}>
          {props.tools}
          {menu}
        </div>
        {listed.hasSearch && (
          <SearchField className={list.search ?? ''} label={props.searchLabel ?? ''} {...search.field} />
        )}
        {props.segments && <Segmented className={filter.segments ?? ''} {...props.segments} />}
      </header>
      <ListFailed isWhole={isWhole} />
      {props.notice}
      {ids.length === 0 && (!isWhole || props.isLooking) ? (
        <ListWaiting label={`Loading ${many.toLowerCase()}`} px={px} />
      ) : (
        <RowList
          ref={search.list}
          label={many}
          ids={ids}
          exists={props.exists ?? listed.exists}
          asked={listed.asked}
          layout={layout}
          renderRow={row}
          onOpen={open}
          empty={<NothingFound {...props.nothing} />}
          returning={search.returning}
        />
      )}
    </section>
  );
}
