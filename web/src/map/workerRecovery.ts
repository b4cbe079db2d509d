import { reconnectDelay } from '~/live/backoff';

/** A tile of one of our sources. */
export interface TileAt {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Asks again for tiles of a source. */
export type Refresh = (source: string, tiles: TileAt[]) => void;

/**
 * Asks again for tiles that could not be had: MapLibre itself leaves their place empty until the view has been
 * elsewhere. After a growing wait, and at once when the network is back.
 */
export class WorkerRecovery {
  readonly #refresh: Refresh;
  readonly #random: () => number;
  readonly #missing = new Map<string, Map<string, TileAt>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;

  constructor(refresh: Refresh, random: () => number = Math.random) {
    this.#refresh = refresh;
    this.#random = random;
  }

  failed(source: string, tile: TileAt): void {
    const tiles = this.#missing.get(source) ?? new Map<string, TileAt>();
    this.#missing.set(source, tiles);
    tiles.set(keyOf(tile), tile);
    this.#timer ??= setTimeout(() => this.now(), reconnectDelay(this.#tries++, this.#random()));
  }

  /** A tile has come: while none is missing the next failure is the first again. */
  loaded(source: string, tile: TileAt): void {
    const tiles = this.#missing.get(source);
    if (tiles?.delete(keyOf(tile)) && tiles.size === 0) this.#missing.delete(source);
    if (this.#missing.size === 0) this.#tries = 0;
  }

  /** Asks for everything that is missing; what fails again is missing again. */
  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const missing = [...this.#missing];
    this.#missing.clear();
    for (const [source, tiles] of missing) this.#refresh(source, [...tiles.values()]);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#missing.clear();
  }
}

const keyOf = (tile: TileAt): string => `${tile.z}/${tile.x}/${tile.y}`;
