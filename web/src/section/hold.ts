/** How long after the last sign of reading the list may put itself in order again. */
export const HOLD_MS = 4000;

/** An order as it is shown, and what waits behind it. */
export interface HeldOrder {
  ids: readonly string[];
  /** ids that the fresh order has and the shown one does not */
  waiting: readonly string[];
  /** true when the fresh order differs from what is shown */
  differs: boolean;
}

/**
 * What a list shows while it is read: the rows keep their places. Assets that no longer exist go at once (a row must
 * not show what is gone); assets that the filter would no longer show stay, and new ones wait, until the list is let go.
 */
export function holdOrder(
  held: readonly string[],
  fresh: readonly string[],
  exists: (id: string) => boolean,
): HeldOrder {
  const ids = held.every(exists) ? held : held.filter(exists);
  const shown = new Set(ids);
  const waiting = fresh.filter(id => !shown.has(id));
  const differs = waiting.length > 0 || ids.length !== fresh.length || ids.some((id, i) => id !== fresh[i]);
  return { ids, waiting, differs };
}

/** An order that nobody reads is the fresh one. */
export function freeOrder(fresh: readonly string[]): HeldOrder {
  return { ids: fresh, waiting: [], differs: false };
}
