import limits from '@catalog/limits.json';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useDebounced } from '~/lib/debounce';
import { IconButton } from './IconButton';
import { headAt, rowsFor, stepTo } from './listKeys';
import styles from './VirtualList.module.css';

export interface VirtualListHandle {
  /** Brings a row into sight (nearest edge) and makes it the current one. */
  scrollTo(key: string): void;
  scrollToTop(): void;
  /** Moves the current row by n (skipping what `isSkipped`), brings it into sight and returns its key. */
  step(n: number): string | undefined;
  /** The current row's key. */
  current(): string | undefined;
  focus(): void;
}

export interface VirtualListProps {
  /** The accessible name of the list. */
  label: string;
  /** Row keys in order. Keep the array's identity while nothing changes. */
  keys: readonly string[];
  /** Height of a row in px. Pass a new function when heights have changed, the same one while they have not. */
  rowHeight: (key: string, index: number) => number;
  /** The row; it fills the given height. Subscribe to live values inside, so that the list itself stays still. */
  renderRow: (key: string, index: number) => ReactNode;
  /** Enter or a press on a row. */
  onOpen?: (key: string) => void;
  selectedKey?: string | undefined;
  /** Rows that j/k and arrows pass over (group heads without a command). */
  isSkipped?: (key: string) => boolean;
  /** The heads of groups, as places in `keys`, ascending: the one whose rows are in sight stays at the top edge. */
  heads?: readonly number[];
  /** Whether the rows of a head are there, which `onOpen` turns; undefined for any other row. */
  isUnfolded?: (key: string) => boolean | undefined;
  /** Shown instead of rows when there are none. */
  empty?: ReactNode;
  overscan?: number;
  className?: string;
  ref?: Ref<VirtualListHandle>;
}

const NO_HEADS: readonly number[] = [];

/** What a row of a grouped list says of itself: a head whether its rows are there, any other that it is below one. */
const levelOf = (unfolded: boolean | undefined) =>
  unfolded === undefined ? { 'aria-level': 2 } : { 'aria-level': 1, 'aria-expanded': unfolded };

/** Scrolled further than this (px), the list offers a way back to the top. */
const TOP_BUTTON_AFTER = 600;

/**
 * A list that holds only the rows in sight: any number of rows, each of its own height. Arrows, Home, End, Page Up
 * and Page Down move the current row, Enter opens it. It is a grid to screen readers, so that rows may
 * hold controls, and a tree, so that heads may fold.
 */
export function VirtualList(props: VirtualListProps) {
  const {
    label,
    keys,
    rowHeight,
    renderRow,
    onOpen,
    selectedKey,
    isSkipped,
    heads = NO_HEADS,
    isUnfolded,
    empty,
    overscan = 8,
    className,
    ref,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  const [far, setFar] = useState(false);
  const isFar = useDebounced(far, limits.ui.scrollDebounceMs.value);
  const id = useId();
  // A new function makes the virtualizer lay out every row again: these change only with the rows themselves.
  const estimateSize = useCallback((index: number) => rowHeight(keys[index] ?? '', index), [keys, rowHeight]);
  // Another function for the keys makes it do the same, and rows are laid out by their heights alone: once is enough.
  const getItemKey = useMemo(() => {
    void rowHeight;
    return (index: number) => keys[index] ?? index;
  }, [keys, rowHeight]);
  // The head at the top edge is among the rows that are drawn, however far above them it stands.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const head = headAt(heads, range.startIndex);
      const inRange = defaultRangeExtractor(range);
      return head === undefined || head >= (inRange[0] ?? 0) ? inRange : [head, ...inRange];
    },
    [heads],
  );
  const virtual = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey,
    overscan,
    rangeExtractor,
    scrollPaddingStart: heads.length > 0 ? rowHeight(keys[heads[0] ?? 0] ?? '', heads[0] ?? 0) : 0,
    onChange: instance => setFar((instance.scrollOffset ?? 0) > TOP_BUTTON_AFTER),
  });

  const goTo = (index: number) => {
    const key = keys[index];
    if (key === undefined) return undefined;
    setCurrent(key);
    virtual.scrollToIndex(index, { align: 'auto' });
    return key;
  };
  const here = () => keys.indexOf(current ?? selectedKey ?? '');
  const step = (n: number) => goTo(stepTo(here(), n, keys.length, index => isSkipped?.(keys[index] ?? '') ?? false));

  useImperativeHandle(ref, () => ({
    scrollTo: key => void goTo(keys.indexOf(key)),
    scrollToTop: () => virtual.scrollToOffset(0),
    step,
    current: () => current ?? selectedKey,
    focus: () => scroller.current?.focus(),
  }));

  const onKeyDown = (event: KeyboardEvent) => {
    // Keys pressed on a control inside a row belong to that control.
    if (event.target !== scroller.current) return;
    const page = Math.max(1, virtual.range ? virtual.range.endIndex - virtual.range.startIndex : 1);
    const by = rowsFor(event.key, page, keys.length);
    if (by === undefined && (current === undefined || !opens(event.key, current))) return;
    event.preventDefault();
    if (by !== undefined) step(by);
    else if (current !== undefined) onOpen?.(current);
  };
  /** Enter opens any row; a head is unfolded by the arrow to the right and folded by the one to the left. */
  const opens = (pressed: string, key: string) => {
    if (pressed === 'Enter') return true;
    return pressed === 'ArrowRight'
      ? isUnfolded?.(key) === false
      : pressed === 'ArrowLeft' && isUnfolded?.(key) === true;
  };
  // The one ring stands on a row: without a current one it would have to go around the whole list.
  const onFocus = () => {
    const first = keys.includes(selectedKey ?? '') ? selectedKey : keys[0];
    setCurrent(now => (now !== undefined && keys.includes(now) ? now : first));
  };

  const stuck = headAt(heads, virtual.range?.startIndex ?? 0);
  const currentIndex = current === undefined ? -1 : keys.indexOf(current);
  const rows = virtual.getVirtualItems();
  const isInDom = rows.some(row => row.index === currentIndex);
  return (
    <div className={`${styles.frame} ${className ?? ''}`}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="treegrid"
        data-empty={keys.length === 0 || undefined}
        aria-label={label}
        aria-rowcount={keys.length}
        aria-activedescendant={isInDom ? `${id}-${currentIndex}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        {keys.length === 0 ? (
          empty && (
            // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual with absolute rows
            // biome-ignore lint/a11y/useFocusableInteractive: the grid holds focus
            <div role="row">
              {/* biome-ignore lint/a11y/useSemanticElements: as above */}
              {/* biome-ignore lint/a11y/useFocusableInteractive: the grid holds focus */}
              <div role="gridcell">{empty}</div>
            </div>
          )
        ) : (
          <div className={styles.canvas} style={{ height: virtual.getTotalSize() }} role="presentation">
            {rows.map(row => {
              const key = keys[row.index] ?? '';
              return (
                // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual with absolute rows
                // biome-ignore lint/a11y/useFocusableInteractive: the grid holds focus, rows are its active descendants
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid opens the current row
                <div
                  key={row.key}
                  id={`${id}-${row.index}`}
                  role="row"
                  aria-rowindex={row.index + 1}
                  aria-selected={key === selectedKey}
                  {...(heads.length > 0 && levelOf(isUnfolded?.(key)))}
                  data-current={key === current || undefined}
                  className={row.index === stuck ? styles.stuck : styles.row}
                  style={{
                    height: row.size,
                    ...(row.index !== stuck && { transform: `translateY(${row.start}px)` }),
                  }}
                  onClick={() => {
                    setCurrent(key);
                    onOpen?.(key);
                  }}
                >
                  {/* biome-ignore lint/a11y/useSemanticElements: as above */}
                  {/* biome-ignore lint/a11y/useFocusableInteractive: the grid holds focus */}
                  <div role="gridcell" className={styles.cell}>
                    {renderRow(key, row.index)}
                  </div>
                </div>
              );
            })}
          </div>
        )}
      </div>
      {isFar && keys.length > 0 && (
        <div className={styles.top}>
          <IconButton label="Scroll to top" float onPress={() => virtual.scrollToOffset(0)}>
            <ArrowUp size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  );
}
