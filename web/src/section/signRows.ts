import type { MapLayer } from '~/map/layers/layer';
import type { MapControl } from '~/map/types';

/** What ends by itself leaves the map within this. */
const CHECK_MS = 1000;

/**
 * Keeps a noun's signs on the map: now, after each change that `subscribes` tell of, and each second, because rows end
 * by themselves. `read` gives the same object for a row that looks the same; the map draws only the others again. Where
 * there are thousands, `turn` says when time alone may change what is read: only then is it read again.
 */
export function followSigns<Sign extends { readonly id: string }>(
  map: MapControl,
  layer: MapLayer<Sign>,
  read: () => readonly Sign[],
  changed: () => void,
  subscribes: readonly ((listener: () => void) => () => void)[],
  turn?: () => string,
): () => void {
  let drawn: readonly Sign[] = [];
  let turned: string | undefined;
  const show = () => {
    turned = turn?.(); // before reading: what ends in between is read once more
    const next = read();
    if (next.length === drawn.length && next.every((row, i) => row === drawn[i])) return;
    drawn = next;
    map.setRows(layer, next);
    changed();
  };
  show();
  const timer = setInterval(() => {
    if (!turn || turn() !== turned) show();
  }, CHECK_MS);
  const offs = subscribes.map(subscribe => subscribe(show));
  return () => {
    clearInterval(timer);
    for (const off of offs) off();
  };
}

/** Makes a sign of a row once for each of its looks, as long as the row is the same. */
export function signCache<Row extends object, Sign>(make: (row: Row, isActive: boolean) => Sign) {
  const known = new WeakMap<Row, { isActive: boolean; sign: Sign }>();
  return (row: Row, isActive: boolean): Sign => {
    const was = known.get(row);
    if (was?.isActive === isActive) return was.sign;
    const sign = make(row, isActive);
    known.set(row, { isActive, sign });
    return sign;
  };
}
