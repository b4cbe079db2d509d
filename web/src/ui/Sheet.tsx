import {
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import styles from './Sheet.module.css';
import { nearestStop, type SheetStop, sheetHeight, sheetStops } from './sheetStops';

export interface SheetProps {
  label: string;
  stop: SheetStop;
  onStop: (stop: SheetStop) => void;
  /** Height of the room the sheet may use, in px. */
  available: number;
  children: ReactNode;
}

/** The sheet that holds a component; undefined where there is none (larger screens). */
export interface SheetControl {
  stop: SheetStop;
  setStop: (stop: SheetStop) => void;
}

const SheetContext = createContext<SheetControl | undefined>(undefined);
export const useSheet = (): SheetControl | undefined => useContext(SheetContext);

/** What is filled in needs the whole sheet; afterwards it rests where it did. */
export function useFullSheet(): void {
  const found = useRef(useSheet());
  useEffect(() => {
    const sheet = found.current;
    sheet?.setStop('full');
    return () => sheet?.setStop(sheet.stop);
  }, []);
}

/**
 * A phone's sheet over the map with three stops: peek, half and full. Drag the handle, press it to go one stop
 * further, or use the arrow keys on it.
 */
export function Sheet({ label, stop, onStop, available, children }: SheetProps) {
  const [height, setHeight] = useState<number>();
  const drag = useRef<{ y: number; from: number; moved: boolean; at: number } | undefined>(undefined);
  const resting = sheetHeight(stop, available);

  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { y: event.clientY, from: resting, moved: false, at: event.timeStamp };
  };
  const onPointerMove = (event: PointerEvent) => {
    const held = drag.current;
    if (!held) return;
    const moved = held.y - event.clientY;
    if (Math.abs(moved) > 4) held.moved = true;
    if (held.moved) setHeight(Math.min(available, Math.max(24, held.from + moved)));
  };
  const onPointerUp = (event: PointerEvent) => {
    const held = drag.current;
    drag.current = undefined;
    setHeight(undefined);
    if (!held) return;
    if (!held.moved) return onStop(sheetStops[(sheetStops.indexOf(stop) + 1) % sheetStops.length] ?? 'half');
    const moved = held.y - event.clientY;
    // A flick counts for the distance it would still have gone.
    const perMs = moved / Math.max(1, event.timeStamp - held.at);
    onStop(nearestStop(held.from + moved + perMs * 120, available));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const next = by && sheetStops[sheetStops.indexOf(stop) + by];
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onStop(sheetStops[(sheetStops.indexOf(stop) + 1) % sheetStops.length] ?? 'half');
    } else if (next) {
      event.preventDefault();
      onStop(next);
    }
  };

  return (
    <section
      className={styles.sheet}
      aria-label={label}
      style={{ height: height ?? resting }}
      data-dragging={height !== undefined || undefined}
    >
      <button
        type="button"
        className={styles.grab}
        aria-label="Resize panel"
        aria-expanded={stop !== 'peek'}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
      />
      <SheetContext value={{ stop, setStop: onStop }}>
        <div className={styles.body}>{children}</div>
      </SheetContext>
    </section>
  );
}
