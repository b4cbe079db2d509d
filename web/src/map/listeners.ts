import { notify } from '~/lib/notify';
import type { MapEvents } from './types';

type Sets = { [E in keyof MapEvents]: Set<(payload: MapEvents[E]) => void> };

/** Who listens to the map. */
export class Listeners {
  readonly #sets: Sets = {
    assetclick: new Set(),
    rowclick: new Set(),
    cardlink: new Set(),
    mapclick: new Set(),
    assethover: new Set(),
    view: new Set(),
    middle: new Set(),
    followend: new Set(),
    ready: new Set(),
  };

  on<E extends keyof MapEvents>(event: E, listener: (payload: MapEvents[E]) => void): () => void {
    const listeners: Set<(payload: MapEvents[E]) => void> = this.#sets[event];
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit<E extends keyof MapEvents>(event: E, payload: MapEvents[E]): void {
    const listeners: Set<(payload: MapEvents[E]) => void> = this.#sets[event];
    notify(listeners, payload);
  }
}
