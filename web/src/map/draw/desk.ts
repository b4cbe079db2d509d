import { chunk } from '~/lib/chunk';
import { createStore } from '~/lib/store';
import type { MapEngine } from '../engine';
import { freeRoom, isInside } from '../placing';
import type { Insets, LatLng } from '../types';
import type { Drawing, DrawOptions } from './drawing';

export const loadKit = chunk(() => import('./kit'));

export interface DeskHost {
  engine(): MapEngine | null;
  insets(): Insets;
  goTo(place: LatLng): void;
  aim(at: 'middle' | null): void;
}

/** Where shapes are drawn: one at a time, on whatever map there is. What draws them is loaded with the first one. */
export class DrawingDesk {
  /** The shape that is being drawn. */
  readonly open = createStore<Drawing | null>(null);
  readonly #host: DeskHost;
  #show: ((drawing: Drawing, engine: MapEngine) => () => void) | null = null;
  #hide: (() => void) | null = null;

  constructor(host: DeskHost) {
    this.#host = host;
  }

  /** Begins a shape; another one that is being drawn ends. Rejects with a `ChunkError` when the kit does not come. */
  async begin(options: DrawOptions): Promise<Drawing> {
    const { begin, show } = await loadKit();
    this.open.get()?.destroy();
    const drawing = begin(options, {
      middle: () => this.middle(),
      reveal: place => this.#reveal(place),
      aim: on => this.#host.aim(on ? 'middle' : null),
      closed: () => this.#closed(drawing),
    });
    this.#show = show;
    this.open.set(drawing);
    this.arrived();
    return drawing;
  }

  /** There is a map. */
  arrived(): void {
    const drawing = this.open.get();
    const engine = this.#host.engine();
    if (drawing && engine && this.#show && !this.#hide) this.#hide = this.#show(drawing, engine);
  }

  /** The map goes; the shape stays. */
  leaves(): void {
    this.#hide?.();
    this.#hide = null;
  }

  #closed(drawing: Drawing): void {
    if (this.open.get() !== drawing) return;
    this.leaves();
    this.open.set(null);
  }

  /** The middle of what panels leave of the map. */
  middle(): LatLng | null {
    const map = this.#host.engine()?.map;
    if (!map) return null;
    const room = this.#room(map);
    const { lat, lng } = map.unproject([(room.left + room.right) / 2, (room.top + room.bottom) / 2]);
    return { lat, lng };
  }

  #reveal(place: LatLng): void {
    const map = this.#host.engine()?.map;
    if (!map) return;
    const { x, y } = map.project([place.lng, place.lat]);
    if (!isInside(x, y, this.#room(map))) this.#host.goTo(place);
  }

  #room(map: MapEngine['map']) {
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    return freeRoom({ width, height }, this.#host.insets());
  }
}
