import limits from '@catalog/limits.json';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { asFailure, type Operation, say, texts } from '~/api';
import { useDebounced } from '~/lib/debounce';
import { countOf } from '~/model/format';
import { useShortcuts } from '~/session';
import {
  type Column,
  EmptyState,
  ErrorNotice,
  OfficePage,
  PageHead,
  SearchField,
  Skeleton,
  SkeletonBar,
  type Sort,
  Table,
  Tools,
} from '~/ui';
import { useBegun } from './draft';

/** What a query gives, as far as pages look at it. */
export interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

export interface LoadedProps<Data> {
  query: Asked<Data>;
  /** Whose texts say why it cannot be had. */
  operation?: Operation;
  /** What is read, for screen readers while it is: "Loading sessions". */
  label?: string;
  /** The height of what will stand here, in px. */
  height?: number;
  /** For an edit: from the first answer on a fresher one changes nothing. */
  begun?: boolean;
  children: (data: Data) => ReactNode;
}

/** What a query gave; its failure with Retry, or its shape while it is on its way. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, operation = 'generic', label, height = 44, children } = props;
  const begun = useBegun(query.data);
  const data = props.begun ? begun : query.data;
  if (data !== undefined) return children(data);
  if (query.error) return <ErrorNotice onRetry={() => void query.refetch()}>{say(operation, query.error)}</ErrorNotice>;
  return (
    <Skeleton {...(label ? { label } : {})}>
      <SkeletonBar height={height} />
    </Skeleton>
  );
}

export interface RowPageProps<Row> {
  query: Asked<Row>;
  /** The link one level up. */
  back: ReactNode;
  /** What it is when it cannot be had: "User". */
  title: string;
  operation?: Operation;
  /** Said where there is none; default: what went wrong. */
  missing?: string;
  /** Whether an edit begins: from then on a fresher answer changes nothing. */
  edits?: boolean;
  children: (row: Row) => ReactNode;
}

/** The page of one row: its shape while it is read, why it cannot be had and the way back. */
export function RowPage<Row>({
  query,
  back,
  title,
  operation = 'generic',
  missing,
  edits,
  children,
}: RowPageProps<Row>) {
  const begun = useBegun(query.data);
  const row = edits ? begun : query.data;
  const { error } = query;
  const text = say(operation, error);
  return (
    <OfficePage narrow>
      {row !== undefined ? (
        children(row)
      ) : error ? (
        <>
          <PageHead back={back} title={title} />
          {asFailure(error).status === 404 ? (
            <EmptyState title={missing ?? text} />
          ) : (
            <ErrorNotice onRetry={() => void query.refetch()}>{text}</ErrorNotice>
          )}
        </>
      ) : (
        <Skeleton label={`Loading ${title.toLowerCase()}`}>
          <SkeletonBar width={260} height={26} />
          <br />
          <SkeletonBar width={180} />
          <br />
          <SkeletonBar height={160} />
        </Skeleton>
      )}
    </OfficePage>
  );
}

/** What only those may use who have the right; the others read that they may not. */
export const Permitted = ({ may, children }: { may: boolean; children: ReactNode }) =>
  may ? children : <EmptyState title={texts.chrome.forbidden} />;

export interface ListPageProps<Row> {
  title: string;
  sentence: ReactNode;
  actions?: ReactNode;
  query: Asked<readonly Row[]>;
  operation?: Operation;
  columns: readonly Column<Row>[];
  initialSort?: Sort;
  /** What the search looks through. */
  words?: (row: Row) => readonly string[];
  /** Other ways to narrow the list, and whether they let a row through. */
  filters?: ReactNode;
  keeps?: (row: Row) => boolean;
  /** "user", "users": counted at the end of the tools, and named by the search. */
  noun: readonly [one: string, many: string];
  /** What to do where nothing is found, and where nothing is at all. */
  hints?: readonly [found: string, any?: string];
  /** In place of "No results found." where nothing is at all. */
  none?: string;
  /** What stands above the rows: what must be known about them. */
  notice?: ReactNode;
  children?: ReactNode;
}

/** A list: what it is for, search and filters, the rows; what stands in for them while they come, fail or are none. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { query, columns, words, filters, keeps, noun, hints = [''] } = props;
  const [one, many] = noun;
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => search.current?.focus() });
  const [text, setText] = useState('');
  const sought = useDebounced(text, limits.ui.searchDebounceMs.value).trim().toLowerCase();
  const all = query.data;
  const rows = useMemo(
    () =>
      all?.filter(
        row =>
          (keeps?.(row) ?? true) && (sought === '' || words?.(row).some(known => known.toLowerCase().includes(sought))),
      ),
    [all, words, keeps, sought],
  );
  const count = all && countOf(all.length, one, many);
  return (
    <OfficePage>
      <PageHead title={props.title} sentence={props.sentence} actions={props.actions} />
      {(words || filters) && (
        <Tools end={all && rows && rows.length < all.length ? `${rows.length} of ${all.length}` : count}>
          {words && (
            <SearchField label={`Search ${many}`} value={text} onChange={setText} shortcut="/" inputRef={search} />
          )}
          {filters}
        </Tools>
      )}
      {props.notice}
      <Table
        label={props.title}
        columns={columns}
        rows={rows}
        rowKey={row => row.id}
        {...(props.initialSort ? { initialSort: props.initialSort } : {})}
        error={query.error ? say(props.operation ?? 'generic', query.error) : undefined}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState title={all?.length || !props.none ? 'No results found.' : props.none}>
            {all?.length ? hints[0] : (hints[1] ?? hints[0])}
          </EmptyState>
        }
      />
      {props.children}
    </OfficePage>
  );
}
