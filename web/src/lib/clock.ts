/** A clock that follows somebody else's time: instants are milliseconds since the epoch. */
export interface Clock {
  /** The other side's present instant, as well as it is known. */
  now(): number;
  /** Tells the clock what the other side's time was when this is called. */
  learn(theirs: number): void;
}

/**
 * Makes a clock that starts at the local time. A reading ahead of what is believed is taken at once (an answer can
 * only be late, never early); one behind is taken only when it is more than `toleranceMs` off, so that coarse
 * sources (a Date header has whole seconds) do not make time jitter.
 */
export function createClock(local: () => number, toleranceMs = 1500): Clock {
  let offset: number | undefined;
  return {
    now: () => local() + (offset ?? 0),
    learn(theirs) {
      if (!Number.isFinite(theirs)) return;
      const seen = theirs - local();
      if (offset === undefined || seen > offset || offset - seen > toleranceMs) offset = seen;
    },
  };
}

/** The server's time: learned from answers, stream pings and `as_of`. */
export const serverClock = createClock(() => Date.now());
