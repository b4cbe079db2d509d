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

/** A screen wants the sheet at another stop; afterwards it rests where it did. */
function useStopFor(wanted: (stop: SheetStop) => SheetStop): void {
  const found = useRef(useSheet());
  useEffect(() => {
    const sheet = found.current;
    if (!sheet) return;
    const stop = wanted(sheet.stop);
    if (stop === sheet.stop) return;
    sheet.setStop(stop);
    return () => sheet.setStop(sheet.stop);
  }, [wanted]);
}

/** What is filled in needs the whole sheet. */
export const useFullSheet = (): void => useStopFor(toFull);
/** What is looked at beside the map leaves some of it in sight. */
export const useMapInSight = (): void => useStopFor(belowFull);

const toFull = (): SheetStop => 'full';
const belowFull = (stop: SheetStop): SheetStop => (stop === 'full' ? 'half' : stop);

interface Held {
  y: number;
  from: number;
  moved: boolean;
  isHandle: boolean;
  at: number;
}

const further = (stop: SheetStop): SheetStop =>
  sheetStops[(sheetStops.indexOf(stop) + 1) % sheetStops.length] ?? 'half';

/** What is pressed or written in keeps its touch. */
const OWN = 'button:not([data-grab]), a, input, select, textarea, label, [role="button"]';
/** Where a hand takes the sheet: its handle, and what a screen names its head, but for what stands there to be pressed. */
const isHold = (target: EventTarget): boolean =>
  target instanceof Element &&
  target.closest('[data-grab], [data-sheet-head]') !== null &&
  target.closest(OWN) === null;

/**
 * A phone's sheet over the map with three stops: peek, half and full. Drag its head, press the handle to go one stop
 * further, or use the arrow keys on it.
 */
export function Sheet({ label, stop, onStop, available, children }: SheetProps) {
  const [height, setHeight] = useState<number>();
  const drag = useRef<Held | undefined>(undefined);
  const resting = sheetHeight(stop, available);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (!isHold(event.target)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const isHandle = (event.target as Element).closest('[data-grab]') !== null;
    drag.current = { y: event.clientY, from: resting, moved: false, isHandle, at: event.timeStamp };
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
    if (!held.moved) return held.isHandle ? onStop(further(stop)) : undefined;
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
      onStop(further(stop));
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
      data-stop={height === undefined ? stop : undefined}
      data-dragging={height !== undefined || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
    >
      <button
        type="button"
        data-grab
        className={styles.grab}
        aria-label="Resize panel"
        aria-expanded={stop !== 'peek'}
        onKeyDown={onKeyDown}
      />
      <SheetContext value={{ stop, setStop: onStop }}>
        <div className={styles.body}>{children}</div>
      </SheetContext>
    </section>
  );
}
