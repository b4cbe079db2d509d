import type { Instant } from './instant';

/**
 * The first instant after `now` at which one of the rows ends by itself; 0 for none. As long as it stays the same, and
 * the rows do, what stands now is what stood before.
 */
export function nextEnd<Row>(rows: readonly Row[], endOf: (row: Row) => Instant, now: Instant): Instant {
  let next = 0;
  for (const row of rows) {
    const end = endOf(row);
    if (end > now && (next === 0 || end < next)) next = end;
  }
  return next;
}
