import limits from '@catalog/limits.json';
import { isBehind, isLoaded, type StreamState } from '~/live';

/** Who did not see the picture for longer is told what has changed meanwhile. */
export const AWAY_MS = limits.ui.awayAfterMs.value;

interface Watched<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

export interface GapParts {
  stream: Watched<StreamState>;
  /** whether the screen is locked */
  locked: Watched<boolean>;
  /** local time in milliseconds, which goes on while a computer sleeps */
  now: () => number;
  /** The picture is live again, and somebody can look: nobody could since this server instant. */
  onBack: (since: number) => void;
  /** Another picture has begun: what was told is of another one. */
  onBegin: () => void;
}

/**
 * Notices when nobody could see the picture as it was: the wire was cut, the tab was frozen, the computer slept or the
 * screen was locked. All but the last show in one thing: a live picture says every few seconds as of when it is, and
 * then for a while it did not. Returns the way to stop.
 */
export function watchGaps({ stream, locked, now, onBack, onBegin }: GapParts): () => void {
  let asOf = stream.get().asOf;
  let heardAt = now();
  let lockedAt = { asOf, at: heardAt };
  let since: number | undefined;
  const note = (from: number, at: number) => {
    if (from > 0 && now() - at > AWAY_MS) since = Math.min(since ?? from, from);
  };
  const back = () => {
    const state = stream.get();
    if (since === undefined || locked.get() || isBehind(state) || !isLoaded(state)) return;
    const from = since;
    since = undefined;
    onBack(from);
  };
  const hear = () => {
    const next = stream.get().asOf;
    if (next !== asOf) {
      if (isLoaded({ asOf: next })) note(asOf, heardAt);
      else {
        since = undefined;
        onBegin();
      }
      asOf = next;
      heardAt = now();
    }
    back();
  };
  const lock = () => {
    if (locked.get()) lockedAt = { asOf, at: now() };
    else note(lockedAt.asOf, lockedAt.at);
    back();
  };
  const stops = [stream.subscribe(hear), locked.subscribe(lock)];
  return () => {
    for (const stop of stops) stop();
  };
}
