import { serverClock } from '~/lib/clock';
import { notify } from '~/lib/notify';

const TICK_MS = 1000;

/**
 * One timer for all ages on the screen, running only while somebody looks. Listeners get no value: they read
 * `serverClock.now()` and render only when what they show has changed.
 */
class Ticker {
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setInterval> | undefined;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.timer ??= setInterval(() => this.tick(), TICK_MS);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  };

  /** Tells everybody now: after a hidden tab came back, ages must be right in the first frame. */
  tick = (): void => {
    notify(this.listeners);
  };
}

export const ticker = new Ticker();

/** Server time in whole seconds, as milliseconds: equal for all that render in the same second. */
export function wholeSecond(): number {
  return Math.floor(serverClock.now() / TICK_MS) * TICK_MS;
}
