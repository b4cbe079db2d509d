import limits from '@catalog/limits.json';
import { useVirtualizer } from '@tanstack/react-virtual';
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
import { rowsFor, stepTo } from './listKeys';
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
  /** Shown instead of rows when there are none. */
  empty?: ReactNode;
  overscan?: number;
  className?: string;
  ref?: Ref<VirtualListHandle>;
}

/** Scrolled further than this (px), the list offers a way back to the top. */
const TOP_BUTTON_AFTER = 600;

/**
 * A list that holds only the rows in sight: any number of rows, each of its own height. Arrows, Home, End, Page Up
 * and Page Down move the current row, Enter opens it. It is a grid to screen readers, so that rows may hold controls.
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
  const virtual = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey,
    overscan,
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
    if (by === undefined && (event.key !== 'Enter' || current === undefined)) return;
    event.preventDefault();
    if (by !== undefined) step(by);
    else if (current !== undefined) onOpen?.(current);
  };

  const currentIndex = current === undefined ? -1 : keys.indexOf(current);
  const rows = virtual.getVirtualItems();
  const isInDom = rows.some(row => row.index === currentIndex);
  return (
    <div className={`${styles.frame} ${className ?? ''}`}>
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be virtual with absolute rows */}
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={keys.length}
        aria-activedescendant={isInDom ? `${id}-${currentIndex}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {keys.length === 0 ? (
          empty && (
            // biome-ignore lint/a11y/useSemanticElements: as above
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
                // biome-ignore lint/a11y/useSemanticElements: as above
                // biome-ignore lint/a11y/useFocusableInteractive: the grid holds focus, rows are its active descendants
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid opens the current row
                <div
                  key={row.key}
                  id={`${id}-${row.index}`}
                  role="row"
                  aria-rowindex={row.index + 1}
                  aria-selected={key === selectedKey}
                  data-current={key === current || undefined}
                  className={styles.row}
                  style={{ height: row.size, transform: `translateY(${row.start}px)` }}
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
