import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '~/lib/cx';
import { Button } from './Button';
import { ErrorNotice, Notice } from './ErrorNotice';
import { Skeleton, SkeletonBar } from './Skeleton';
import styles from './Table.module.css';

/** One column; the first one names the row and holds its link. */
export interface Column<Row> {
  id: string;
  title: string;
  /** Hides the title for eyes; screen readers and cards keep it (a column of buttons). */
  hideTitle?: boolean;
  /** CSS width ("24%", "190px"); the rest is shared. */
  width?: string;
  cell: (row: Row) => ReactNode;
  /** What the column sorts by; without it the column does not sort. Texts compare without regard to case. */
  sortBy?: (row: Row) => string | number;
  align?: 'end';
}

/** Which column sorts, and whether from the far end. */
export interface Sort {
  column: string;
  descending: boolean;
}

export interface TableProps<Row> {
  /** The accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  initialSort?: Sort;
  /** Stands in place of the rows when there are none (an `EmptyState`). */
  empty: ReactNode;
  /** The failure's text with Retry: in place of the rows, or above those of an earlier answer, which may be out of date. */
  error?: string | undefined;
  onRetry?: () => void;
  /** Rows drawn at first and added by each press; default 100. */
  step?: number;
}

/** Orders rows by a column; equal ones keep their place. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | undefined): Row[] {
  const by = columns.find(column => column.id === sort?.column)?.sortBy;
  if (!by) return [...rows];
  const sign = sort?.descending ? -1 : 1;
  const words = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
  return rows.toSorted((a, b) => sign * compare(by(a), by(b)));
}

/**
 * Rows in columns: sorts, sticks its head to the sheet, becomes cards where it is narrow, and stands in for its rows
 * while they load, when there are none and when they cannot be had. Long lists are drawn in steps.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, empty, error, onRetry, step = 100 } = props;
  const [sort, setSort] = useState(props.initialSort);
  const [drawn, setDrawn] = useState(step);
  if (error !== undefined && !rows)
    return (
      <div className={cx(styles.frame, styles.error)}>
        <ErrorNotice {...(onRetry ? { onRetry } : {})}>{error}</ErrorNotice>
      </div>
    );
  if (!rows) return <TableSkeleton columns={columns.length} />;
  const stale = error !== undefined && <Stale error={error} onRetry={onRetry} />;
  if (rows.length === 0)
    return (
      <>
        {stale}
        <div className={styles.frame}>{empty}</div>
      </>
    );
  const shown = sorted(rows, columns, sort);
  return (
    <>
      {stale}
      <div className={styles.frame}>
        <table className={styles.table} aria-label={label}>
          <colgroup>
            {columns.map(column => (
              <col key={column.id} style={column.width ? { width: column.width } : {}} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map(column => (
                <HeadCell key={column.id} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, drawn).map(row => (
              <tr key={rowKey(row)}>
                {columns.map(column => (
                  <td
                    key={column.id}
                    className={column.align === 'end' ? styles.end : ''}
                    data-title={column.hideTitle ? undefined : column.title}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length > drawn && (
          <div className={styles.more}>
            <span className="num">
              {drawn} of {shown.length}
            </span>
            <Button size="small" onPress={() => setDrawn(drawn + step)}>
              Show {Math.min(step, shown.length - drawn)} more
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

/** Rows of an earlier answer stay in sight, and are said to be that. */
function Stale({ error, onRetry }: { error: string; onRetry: (() => void) | undefined }) {
  const retry = onRetry && (
    <Button size="small" onPress={onRetry}>
      Retry
    </Button>
  );
  return (
    <div role="status" className={styles.stale}>
      <Notice tone="warn" action={retry}>
        This may be out of date. {error}
      </Notice>
    </div>
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const on = sort?.column === column.id;
  const order = on ? (sort.descending ? 'descending' : 'ascending') : undefined;
  const Arrow = on ? (sort.descending ? ArrowDown : ArrowUp) : ArrowUpDown;
  const end = column.align === 'end' ? styles.end : '';
  if (!column.sortBy)
    return (
      <th scope="col" className={end}>
        {column.hideTitle ? <span className="visually-hidden">{column.title}</span> : column.title}
      </th>
    );
  return (
    <th scope="col" className={end} {...(order ? { 'aria-sort': order } : {})}>
      <button
        type="button"
        className={styles.sort}
        data-on={on || undefined}
        onClick={() => onSort({ column: column.id, descending: on && !sort.descending })}
      >
        {column.title}
        <Arrow className={on ? '' : styles.rest} size={13} strokeWidth={2} aria-hidden="true" />
      </button>
    </th>
  );
}

/** The actions at the end of a row, above the row's own link. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** The second, quieter line of a cell. */
export function Sub({ children }: { children: ReactNode }) {
  return <div className={styles.sub}>{children}</div>;
}

/** A row's name, which is its link, with pills beside it and a second, quieter line. */
export const Named = ({ children, sub }: { children: ReactNode; sub?: ReactNode }) => (
  <Two sub={sub}>
    <span className={styles.name}>{children}</span>
  </Two>
);

/** A word for machines, such as an id; "–" for none. */
export const Mono = ({ children }: { children: string }) => <span className="mono">{children || '–'}</span>;

/** A cell of two lines; the second may be empty. */
export function Two({ children, sub }: { children: ReactNode; sub?: ReactNode }) {
  return (
    <div>
      {children}
      {sub && <Sub>{sub}</Sub>}
    </div>
  );
}

function TableSkeleton({ columns }: { columns: number }) {
  const cells = Array.from({ length: columns }, (_, index) => index);
  return (
    <Skeleton>
      <div className={styles.frame}>
        <table className={styles.table}>
          <tbody>
            {['a', 'b', 'c', 'd', 'e'].map((row, r) => (
              <tr key={row}>
                {cells.map(cell => (
                  <td key={cell}>
                    <SkeletonBar width={cell === 0 ? `${70 - r * 5}%` : '55%'} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Skeleton>
  );
}
