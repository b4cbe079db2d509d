import { useEffect, useMemo, useState } from 'react';
import { useStore } from '~/lib/store';
import { speedIn } from '~/model/format';
import { useWords } from '~/section/words';
import { useTheme } from '~/session';
import { clock } from '../clock';
import type { TripColor } from '../palette';
import type { PreparedThing } from '../prepared';
import { shownTrips } from '../shown';
import { type Columns, columnsOf } from './scale';
import styles from './timeline.module.css';
import { useWidth } from './useWidth';

const HEIGHT = 44;
/** A curve of less (m/s) would make a mountain of nothing. */
const LEAST_TOP = 10;

interface Drawing {
  readonly color: TripColor;
  readonly columns: Columns;
}

/** How fast: the asset of the chosen trip, else all. Where there are no points, there is no line. */
export function Curve({ things }: { things: readonly PreparedThing[] }) {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const width = useWidth(canvas);
  const theme = useTheme();
  const { speedUnit } = useWords();
  const from = useStore(clock, state => state.from);
  const to = useStore(clock, state => state.to);
  const chosen = useStore(shownTrips, shown => shown?.selected?.thingId);
  // The tracks stay the same while the lines of the map get ready.
  const tracks = useSame(things.filter(({ id }) => !chosen || id === chosen));
  const drawings = useMemo(
    (): Drawing[] =>
      width > 0 && to > from
        ? tracks.map(({ track, color }) => ({ color, columns: columnsOf(track, from, to, width) }))
        : [],
    [tracks, width, from, to],
  );
  const top = useMemo(() => topOf(drawings), [drawings]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colors
  useEffect(() => {
    if (canvas) draw(canvas, width, drawings, top);
  }, [canvas, width, drawings, top, theme]);
  return (
    <div className={styles.curve}>
      <span className={styles.curveLabel}>
        Speed
        <small>
          up to {speedIn(speedUnit, top)} {speedUnit}
        </small>
      </span>
      <canvas ref={setCanvas} className={styles.canvas} role="img" aria-label="Speed over time" />
    </div>
  );
}

/** The same list as long as its assets have the same tracks and colors. */
function useSame(things: readonly PreparedThing[]): readonly PreparedThing[] {
  const [kept, setKept] = useState(things);
  const isSame =
    kept.length === things.length &&
    kept.every((one, i) => one.track === things[i]?.track && one.color === things[i]?.color);
  if (!isSame) setKept(things);
  return isSame ? kept : things;
}

function topOf(drawings: readonly Drawing[]): number {
  let top = LEAST_TOP;
  for (const { columns } of drawings) for (const value of columns.most) if (value > top) top = value;
  return top;
}

function draw(canvas: HTMLCanvasElement, width: number, drawings: readonly Drawing[], top: number): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  canvas.width = width * ratio;
  canvas.height = HEIGHT * ratio;
  context.scale(ratio, ratio);
  context.lineWidth = 1.25;
  context.lineJoin = 'round';
  const style = getComputedStyle(canvas);
  for (const { color, columns } of drawings) {
    context.strokeStyle = style.getPropertyValue(`--trip-${color + 1}`);
    context.beginPath();
    trace(context, columns, value => HEIGHT - 1 - (value / top) * (HEIGHT - 3));
    context.stroke();
  }
}

/** A line through the columns, up and down in each; not over a gap. */
function trace(
  context: CanvasRenderingContext2D,
  { least, most, joined }: Columns,
  y: (value: number) => number,
): void {
  for (let x = 0; x < least.length; x++) {
    const [low, high] = [least[x] as number, most[x] as number];
    if (Number.isNaN(low)) continue;
    if (joined[x]) context.lineTo(x + 0.5, y(high));
    else context.moveTo(x + 0.5, y(high));
    // A column of one speed alone would be no line, and not be seen.
    context.lineTo(x + 0.5, y(low) + (low === high ? 0.6 : 0));
  }
}
