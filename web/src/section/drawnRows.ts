/** A list as it is drawn: the keys of its rows in order, and how high each of them is in px. */
export interface DrawnRows {
  readonly keys: readonly string[];
  readonly heights: ArrayLike<number>;
  /** the heads of groups, as places in `keys`, ascending */
  readonly heads: readonly number[];
}

/** Px from the top of the list to a row; undefined when it is not in it. */
export function offsetOf({ keys, heights }: DrawnRows, key: string): number | undefined {
  let y = 0;
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === key) return y;
    y += heights[i] as number;
  }
  return undefined;
}

/**
 * The row at a scroll position and how far it is scrolled out: what must stay where it is when the order changes; with
 * it the head of its group. undefined where a head stands there: groups move as they like.
 */
export function anchorAt(
  { keys, heights, heads }: DrawnRows,
  scrollTop: number,
): { key: string; into: number; head: string | undefined } | undefined {
  let y = 0;
  let head = -1;
  for (let i = 0; i < keys.length; i++) {
    const height = heights[i] as number;
    const isHead = heads[head + 1] === i;
    if (y + height > scrollTop)
      return isHead ? undefined : { key: keys[i] as string, into: scrollTop - y, head: keys[heads[head] ?? -1] };
    if (isHead) head++;
    y += height;
  }
  return undefined;
}
