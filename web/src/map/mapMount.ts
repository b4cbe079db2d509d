import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { reconnectDelay } from '~/live/backoff';
import type { MapEngine } from './engine';
import { probeSupport } from './support';

/**
 * loading: an attempt is under way; unloaded: it failed, stopped: the browser took the map's graphics away, and another
 * attempt follows; unsupported: the browser has no graphics for a map; lost: it had, and gives none any more.
 */
export type MountPhase = 'loading' | 'unloaded' | 'stopped' | 'unsupported' | 'lost';

/** What a mount needs of the map around it. */
export interface MapMountHost {
  /** Makes the engine of the loaded module; throws only for faults of ours. */
  build(engines: typeof import('./engine'), container: HTMLElement): MapEngine;
  /** An engine stands on the page; returns the undo. */
  adopted(engine: MapEngine): () => void;
  phase(phase: MountPhase): void;
  seen(visible: boolean): void;
  online(): void;
  /** Something that no network explains. */
  fault(error: unknown): void;
}

export interface MapMountParts {
  load(): Promise<typeof import('./engine')>;
  /** Whether the server gives out the worker's file; false while it cannot be reached. */
  served(): Promise<boolean>;
  /** Whether the browser has graphics for a map just now. */
  supported(): boolean;
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

const PARTS: MapMountParts = {
  load: () => import('./engine'),
  served,
  supported: () => probeSupport(document) === 'ok',
  random: Math.random,
};
/** Browsers that give lost graphics back do it within this time. */
export const DARK_MS = 3000;
/** A map that has stood for this long is sound: what happens to it then is the first of its kind. */
export const SOUND_MS = 60_000;
/** How Chromium, Firefox, Safari and the bundler say that a script or a style of a module did not come. */
const NOT_FETCHED = /dynamically imported module|module script failed|preload CSS/i;
/** So many failures in a row that the network does not explain are a fault of ours. */
const UNEXPLAINED_MAX = 2;

/**
 * The place of a map on a page. MapLibre and its worker come over the network when they are first needed: what cannot
 * be loaded is tried again (backoff, network back, tab shown, by hand) until there is a map, and the page stays. So is a
 * map whose graphics the browser took away and does not give back. A hidden tab waits until it is seen.
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
  #sound: ReturnType<typeof setTimeout> | undefined;
  /** The engine that stands has lost its graphics. */
  #isDark = false;
  #darkTimer: ReturnType<typeof setTimeout> | undefined;
  /** The browser has had graphics for a map here. */
  #hadGraphics = false;

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
      this.#hadGraphics = false;
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
    this.#unexplained = 0;
    // Not at once: a map that comes and goes would be built again and again.
    this.#sound = setTimeout(() => {
      this.#failures = 0;
    }, SOUND_MS);
  }

  /** The worker of the engine that stands could not be loaded: that engine will never draw. */
  lost(error: unknown): void {
    const turn = this.#turn;
    // MapLibre is in the middle of telling: it is taken down when it has finished.
    queueMicrotask(() => this.#failed(turn, error));
  }

  /** The graphics of the engine that stands are lost, or are back. Not back in time, it is replaced. */
  graphics(isLost: boolean): void {
    this.#isDark = isLost;
    this.#watchDark();
  }

  #watchDark(): void {
    clearTimeout(this.#darkTimer);
    if (this.#isDark && !document.hidden) this.#darkTimer = setTimeout(() => this.#stopped(), DARK_MS);
  }

  #stopped(): void {
    // The first time there is no reason to wait.
    if (this.#failures++ === 0) this.#start();
    else this.#later('stopped', this.#failures - 2);
  }

  #seen(visible: boolean): void {
    if (visible) this.retry();
    this.#watchDark();
    this.#host.seen(visible);
  }

  #online(): void {
    this.retry();
    this.#host.online();
  }

  #clear(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    clearTimeout(this.#sound);
    clearTimeout(this.#darkTimer);
    this.#isDark = false;
    this.#leave?.();
    this.#leave = null;
  }

  #start(): void {
    this.#clear();
    if (!this.#parts.supported()) {
      this.#unsupported();
      return;
    }
    this.#hadGraphics = true;
    this.#waiting = false;
    this.#host.phase('loading');
    const turn = this.#turn;
    void this.#parts.load().then(
      engines => {
        if (turn === this.#turn && this.#container) this.#build(engines, this.#container);
      },
      (error: unknown) => this.#failed(turn, error),
    );
  }

  #build(engines: typeof import('./engine'), container: HTMLElement): void {
    try {
      this.#leave = this.#host.adopted(this.#host.build(engines, container));
    } catch (error) {
      container.replaceChildren(); // what an engine leaves that did not come to be
      if (this.#parts.supported()) {
        this.#host.fault(error);
        this.#later('unloaded', this.#failures++);
      } else this.#unsupported();
    }
  }

  /** Without graphics from the start, only what its user does can help; what a browser took away it may give again. */
  #unsupported(): void {
    if (this.#hadGraphics) this.#later('lost', this.#failures++);
    else {
      this.#waiting = true;
      this.#host.phase('unsupported');
    }
  }

  /** Tries again after the `n`th failure. */
  #later(phase: MountPhase, n: number): void {
    this.#clear();
    this.#waiting = true;
    this.#host.phase(phase);
    this.#timer = setTimeout(
      () => {
        if (!document.hidden) this.retry();
      },
      reconnectDelay(n, this.#parts.random()),
    );
  }

  #failed(turn: number, error: unknown): void {
    if (turn !== this.#turn) return;
    this.#later('unloaded', this.#failures++);
    void this.#explain(error);
  }

  /** A network that is cut is weather; a server that gives out what the browser then cannot use is our fault. */
  async #explain(error: unknown): Promise<void> {
    if (NOT_FETCHED.test(String(error)) || !(await this.#parts.served())) this.#unexplained = 0;
    else if (++this.#unexplained === UNEXPLAINED_MAX) this.#host.fault(error);
  }
}
