import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { reconnectDelay } from '~/live/backoff';
import type { MapEngine } from './engine';

/** What a mount needs of the map around it. */
export interface MapMountHost {
  /** Makes the engine of the loaded module; throws only for faults of ours. */
  build(engines: typeof import('./engine'), container: HTMLElement): MapEngine;
  /** An engine stands on the page; returns the undo. */
  adopted(engine: MapEngine): () => void;
  /** loading: an attempt is under way; unloaded: it failed and another one follows. */
  phase(phase: 'loading' | 'unloaded'): void;
  seen(visible: boolean): void;
  online(): void;
  /** Something that no network explains. */
  fault(error: unknown): void;
}

export interface MapMountParts {
  load(): Promise<typeof import('./engine')>;
  /** Whether the server gives out the worker's file; false while it cannot be reached. */
  served(): Promise<boolean>;
  random(): number;
}

/** An answer of 5xx is a server that restarts, not a fault of the page. */
async function served(): Promise<boolean> {
  try {
    return (await fetch(workerUrl, { method: 'HEAD', cache: 'no-store' })).status < 500;
  } catch {
    return false;
  }
}

const PARTS: MapMountParts = { load: () => import('./engine'), served, random: Math.random };
/** How Chromium, Firefox, Safari and the bundler say that a script or a style of a module did not come. */
const NOT_FETCHED = /dynamically imported module|module script failed|preload CSS/i;
/** So many failures in a row that the network does not explain are a fault of ours. */
const UNEXPLAINED_MAX = 2;

/**
 * The place of a map on a page. MapLibre and its worker come over the network when they are first needed: what cannot
 * be loaded is tried again (backoff, network back, tab shown, by hand) until there is a map, and the page stays.
 */
export class MapMount {
  readonly #host: MapMountHost;
  readonly #parts: MapMountParts;
  #container: HTMLElement | null = null;
  #leave: (() => void) | null = null;
  /** Grows with each attempt: what an older one still answers counts no more. */
  #turn = 0;
  #waiting = false;
  #failures = 0;
  #unexplained = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: MapMountHost, parts: MapMountParts = PARTS) {
    this.#host = host;
    this.#parts = parts;
  }

  /** Puts a map into an element; returns the undo. */
  attach(container: HTMLElement): () => void {
    this.#container = container;
    const watch = new AbortController();
    const { signal } = watch;
    const { document } = globalThis;
    document.addEventListener('visibilitychange', () => this.#seen(!document.hidden), { signal });
    window.addEventListener('online', () => this.#online(), { signal });
    this.#start();
    return () => {
      watch.abort();
      this.#container = null;
      this.#clear();
      this.#waiting = false;
      this.#failures = 0;
      this.#host.phase('loading');
    };
  }

  /** Tries at once what is waiting for its next attempt. */
  retry(): void {
    if (this.#waiting) this.#start();
  }

  /** The map has everything it needs. */
  ready(): void {
    this.#failures = 0;
    this.#unexplained = 0;
  }

  /** The worker of the engine that stands could not be loaded: that engine will never draw. */
  lost(error: unknown): void {
    const turn = this.#turn;
    // MapLibre is in the middle of telling: it is taken down when it has finished.
    queueMicrotask(() => this.#failed(turn, error));
  }

  #seen(visible: boolean): void {
    if (visible) this.retry();
    this.#host.seen(visible);
  }

  #online(): void {
    this.retry();
    this.#host.online();
  }

  #clear(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#leave?.();
    this.#leave = null;
  }

  #start(): void {
    this.#clear();
    this.#waiting = false;
    this.#host.phase('loading');
    const turn = this.#turn;
    void this.#parts.load().then(
      engines => {
        if (turn === this.#turn && this.#container) {
          this.#leave = this.#host.adopted(this.#host.build(engines, this.#container));
        }
      },
      (error: unknown) => this.#failed(turn, error),
    );
  }

  #failed(turn: number, error: unknown): void {
    if (turn !== this.#turn) return;
    this.#clear();
    this.#waiting = true;
    this.#host.phase('unloaded');
    this.#timer = setTimeout(() => this.retry(), reconnectDelay(this.#failures++, this.#parts.random()));
    void this.#explain(error);
  }

  /** A network that is cut is weather; a server that gives out what the browser then cannot use is our fault. */
  async #explain(error: unknown): Promise<void> {
    if (NOT_FETCHED.test(String(error)) || !(await this.#parts.served())) this.#unexplained = 0;
    else if (++this.#unexplained === UNEXPLAINED_MAX) this.#host.fault(error);
  }
}
