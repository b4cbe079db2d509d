import { RefreshCw } from 'lucide-react';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useStore } from '~/lib/store';
import { Button, VirtualList, type VirtualListHandle } from '~/ui';
import { anchorAt, type DrawnRows, offsetOf } from './drawnRows';
import styles from './list.module.css';
import { useHeldOrder } from './useHeldOrder';
import { selection } from './view';

/** What keys of the page ask of a list. */
export interface RowListHandle {
  /** Moves the current row and puts the focus on the list, so that Enter opens it. */
  step(n: number): void;
  /** Puts the focus on the list, at its first row. */
  enter(): void;
  /** Opens the first row, if there is one; heads of groups are none. */
  openFirst(): void;
}

interface RowListProps<Rows extends DrawnRows> {
  ref?: Ref<RowListHandle> | undefined;
  /** the accessible name of the list */
  label: string;
  /** what the filter displays, in order; another array when the order has changed */
  ids: readonly string[];
  exists: (id: string) => boolean;
  /** all that somebody asked for (search, filters): an order that they asked for is never held back */
  asked: unknown;
  /** The list as it is drawn; the same function while ids alone change. */
  layout: (ids: readonly string[]) => Rows;
  /** a row, by the list that it stands in; the same function while that list says all */
  renderRow: (key: string, rows: Rows) => ReactNode;
  /** Enter or a press on a row, or on a head */
  onOpen: (key: string) => void;
  /** whether the rows of a head are there; undefined for any other row */
  isUnfolded?: (key: string) => boolean | undefined;
  empty: ReactNode;
  /** the row that was open before the list came; the list goes to it, and empties it */
  returning: RefObject<string | null>;
}

/** The list of a section's rows: it keeps its places while somebody reads, and leads back to what was open. */
export function RowList<Rows extends DrawnRows>(props: RowListProps<Rows>) {
  const { ref, label, ids, exists, asked, layout, renderRow, onOpen, isUnfolded, empty, returning } = props;
  const last = useStore(selection, view => view.last);
  const { order, reading, release } = useHeldOrder(ids, exists, asked);
  const rows = useMemo(() => layout(order.ids), [layout, order.ids]);
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualListHandle>(null);
  useKeptPlace(frame, rows, asked);
  useEffect(() => {
    const opened = returning.current;
    if (!opened) return;
    returning.current = null;
    list.current?.scrollTo(opened);
    // Back from a detail, whose focus is gone with it.
    if (document.activeElement === document.body) list.current?.focus();
  }, [returning]);

  const first = () => rows.keys.find((_, index) => !rows.heads.includes(index));
  useImperativeHandle(ref, () => ({
    enter: () => {
      const key = first() ?? rows.keys[0];
      if (key) list.current?.scrollTo(key);
      list.current?.focus();
    },
    openFirst: () => {
      const key = first();
      if (key) onOpen(key);
    },
    step: n => {
      list.current?.step(n);
      list.current?.focus();
    },
  }));
  const rowHeight = useCallback((_: string, index: number) => rows.heights[index] ?? 0, [rows]);
  return (
    <div ref={frame} className={styles.listFrame} {...reading}>
      <VirtualList
        ref={list}
        label={label}
        keys={rows.keys}
        rowHeight={rowHeight}
        renderRow={useCallback((key: string) => renderRow(key, rows), [renderRow, rows])}
        onOpen={onOpen}
        heads={rows.heads}
        {...(isUnfolded && { isUnfolded })}
        selectedKey={last ?? undefined}
        empty={empty}
      />
      {order.differs && (
        <div className={styles.pill}>
          <Button
            size="small"
            float
            icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden="true" />}
            onPress={release}
          >
            {order.waiting.length > 0 ? `${order.waiting.length} more` : 'Update list'}
          </Button>
        </div>
      )}
    </div>
  );
}

/** When the order changes, the row at the top edge stays where it is; a list at its top stays at its top. */
function useKeptPlace(frame: RefObject<HTMLDivElement | null>, rows: DrawnRows, asked: unknown): void {
  const before = useRef({ rows, asked });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { rows, asked };
    const scroller = frame.current?.querySelector('[role="treegrid"]');
    if (!scroller || was.rows === rows) return;
    if (was.asked !== asked) {
      scroller.scrollTop = 0;
      return;
    }
    const anchor = scroller.scrollTop > 0 ? anchorAt(was.rows, scroller.scrollTop) : undefined;
    const offset = anchor && offsetOf(rows, anchor.key);
    if (anchor && offset !== undefined) scroller.scrollTop = offset + anchor.into;
    // Its group was folded: the head that stood above it stays in sight.
    else if (anchor?.head) scroller.scrollTop = offsetOf(rows, anchor.head) ?? scroller.scrollTop;
  }, [frame, rows, asked]);
}
