/**
 * The index reached from `from` (-1: nothing yet) by `n` rows among `count`, clamped to the ends and landing only on
 * rows that are not skipped; -1 when there is none. A landing on a skipped row moves on in the same direction, and at
 * an end back to the nearest row that counts.
 */
export function stepTo(from: number, n: number, count: number, isSkipped: (index: number) => boolean): number {
  if (count === 0 || n === 0) return from;
  const direction = n > 0 ? 1 : -1;
  // From nothing the way begins before the first row, or behind the last: so End and Home reach the ends at once.
  const begin = from >= 0 ? from : n > 0 ? -1 : count;
  const start = Math.min(count - 1, Math.max(0, begin + n));
  for (let index = start; index >= 0 && index < count; index += direction) if (!isSkipped(index)) return index;
  for (let index = start; index >= 0 && index < count; index -= direction) if (!isSkipped(index)) return index;
  return -1;
}

/** The last head at or before a row: that whose rows begin there; undefined without one. `heads` ascend. */
export function headAt(heads: readonly number[], index: number): number | undefined {
  return heads.findLast(head => head <= index);
}

/** By how many rows a key moves the current row; undefined for keys that do not. */
export function rowsFor(key: string, page: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'PageDown':
      return page;
    case 'PageUp':
      return -page;
    case 'End':
      return count;
    case 'Home':
      return -count;
    default:
      return undefined;
  }
}
