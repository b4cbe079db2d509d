/** Calls `act` at most once in `ms`, at the leading edge; calls in between are dropped. */
export function throttle(act: () => void, ms: number, now: () => number): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const instant = now();
    if (instant - last < ms) return;
    last = instant;
    act();
  };
}
