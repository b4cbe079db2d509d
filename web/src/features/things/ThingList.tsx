import { RefreshCw } from 'lucide-react';
import {
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
import { useTextScale } from '~/lib/textScale';
import { liveStore, useFilter, useVisibleIds } from '~/live';
import type { Thing } from '~/model/thing';
import { useGo } from '~/section/paths';
import { selection } from '~/section/view';
import { useWords } from '~/section/words';
import { useIsPhone, useOrganization, usePreference } from '~/session';
import { Button, VirtualList, type VirtualListHandle } from '~/ui';
import { GroupHead } from './GroupHead';
import styles from './list.module.css';
import { NothingFound } from './NothingFound';
import { detailPath } from './paths';
import { anchorAt, isGroupKey, listRows, offsetOf } from './rows';
import { ThingRow } from './ThingRow';
import { useHeldOrder } from './useHeldOrder';
import { toggleFold, useThingsView } from './view';

/** What keys of the page ask of the list. */
export interface ThingListHandle {
  /** Moves the current row and puts the focus on the list, so that Enter opens it. */
  step(n: number): void;
  /** Puts the focus on the list, at its first asset. */
  enter(): void;
  /** Opens the first asset, if there is one. */
  openFirst(): void;
}

/** Reads the assets of an order: all at once where it is that of the live picture. */
function readerOf(ids: readonly string[]): (id: string, index: number) => Thing | undefined {
  const visible = liveStore.visibleAssets();
  if (ids !== visible.ids) return liveStore.thing;
  const { things } = visible;
  return (_, index) => things[index];
}

const exists = (id: string) => liveStore.thing(id) !== undefined;

interface ThingListProps {
  ref?: Ref<ThingListHandle>;
  /** the asset that was open before the list came; the list goes to its row, and empties it */
  returning: RefObject<string | null>;
  onClearSearch: () => void;
}

/** The list of displayed assets. It renders when the order changes, never for a message. */
export function ThingList({ ref, returning, onClearSearch }: ThingListProps) {
  const go = useGo();
  const words = useWords();
  const organization = useOrganization();
  const isPhone = useIsPhone();
  const scale = useTextScale();
  const isGrouped = usePreference('groupView');
  const folded = useThingsView(view => view.folded);
  const last = useStore(selection, view => view.last);
  const filter = useFilter();
  const { order, reading, release } = useHeldOrder(useVisibleIds(), exists, filter);
  const subscribed = isGrouped ? organization : null;
  const rows = useMemo(
    () => listRows({ ids: order.ids, get: readerOf(order.ids), subscribed, folded, isPhone, scale }),
    [order.ids, subscribed, folded, isPhone, scale],
  );

  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualListHandle>(null);
  useKeptPlace(frame, rows, filter);
  useEffect(() => {
    const opened = returning.current;
    if (!opened) return;
    returning.current = null;
    list.current?.scrollTo(opened);
    // Back from a detail, whose focus is gone with it.
    if (document.activeElement === document.body) list.current?.focus();
  }, [returning]);

  const open = useCallback(
    (key: string) => {
      if (isGroupKey(key)) toggleFold(key);
      else go(detailPath(key));
    },
    [go],
  );
  const firstAsset = () => rows.keys.find(key => !isGroupKey(key));
  useImperativeHandle(ref, () => ({
    enter: () => {
      const first = firstAsset() ?? rows.keys[0];
      if (first) list.current?.scrollTo(first);
      list.current?.focus();
    },
    openFirst: () => {
      const first = firstAsset();
      if (first) open(first);
    },
    step: n => {
      list.current?.step(n);
      list.current?.focus();
    },
  }));

  const isUnfolded = (key: string) => (isGroupKey(key) ? !folded.has(key) : undefined);
  const rowHeight = useCallback((_: string, index: number) => rows.heights[index] ?? 0, [rows]);
  const renderRow = useCallback(
    (key: string) => {
      const group = rows.groups.get(key);
      return group ? (
        <GroupHead group={group} isFolded={folded.has(key)} words={words} />
      ) : (
        <ThingRow id={key} words={words} />
      );
    },
    [rows, folded, words],
  );
  return (
    <div ref={frame} className={styles.listFrame} {...reading}>
      <VirtualList
        ref={list}
        label="Assets"
        keys={rows.keys}
        rowHeight={rowHeight}
        renderRow={renderRow}
        onOpen={open}
        heads={rows.heads}
        isUnfolded={isUnfolded}
        selectedKey={last ?? undefined}
        empty={<NothingFound onClearSearch={onClearSearch} />}
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
function useKeptPlace(
  frame: RefObject<HTMLDivElement | null>,
  rows: ReturnType<typeof listRows>,
  asked: unknown,
): void {
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
