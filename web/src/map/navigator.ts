import limits from '@catalog/limits.json';
import type { AssetsMapLayer } from './assets/layer';
import { centerZoom, followZoom } from './camera';
import type { MapEngine } from './engine';
import { boundsOf, nearMeters } from './geometry';
import { GLIDE_MS } from './glide';
import type { MapRows } from './layers/rows';
import type { LatLng, LatLngBounds } from './types';

const map = limits.map;
const TURN_MS = 450;
/** A still asset keeps the picture still. */
const STILL_M = 0.5;

export interface NavigatorHost {
  readonly layer: AssetsMapLayer;
  readonly rows: MapRows;
  /** The map, loaded or not: it can be put in its place before it draws. */
  engine(): MapEngine | null;
  /** Somebody has chosen a place. */
  moves(): void;
}

/** Where the camera goes. A wish before there is a map is kept; the last one wins. */
export class Navigator {
  /** Somebody has chosen a place: no default may move the camera any more. */
  placed = false;
  /** Where the followed asset was when the camera last went there. */
  #kept: LatLng | null = null;
  #wanted: ((engine: MapEngine) => void) | null = null;
  readonly #host: NavigatorHost;

  constructor(host: NavigatorHost) {
    this.#host = host;
  }

  #move(move: (engine: MapEngine) => void): void {
    this.placed = true;
    this.#host.moves();
    const engine = this.#host.engine();
    if (engine) move(engine);
    else this.#wanted = move;
  }

  /** There is a map: does what was wished meanwhile. */
  begin(engine: MapEngine): void {
    this.#wanted?.(engine);
    this.#wanted = null;
  }

  /** The last fix of an asset, or the place of another noun's row: where its mark rests. */
  #targetOf(id: string): LatLng | null {
    const { table } = this.#host.layer;
    const row = table.rowOf(id);
    return this.#host.rows.place(id) ?? (row < 0 ? null : table.placeOf(row));
  }

  panTo(id: string): void {
    const place = this.#targetOf(id);
    if (place) this.goTo(place);
  }

  /** Turns to a followed asset and zooms in to it. */
  turnTo(id: string): void {
    const place = this.#targetOf(id);
    if (!place) return;
    this.#kept = place;
    this.#move(({ camera, map: canvas }) => camera.follow(place, followZoom(canvas.getZoom()), TURN_MS));
  }

  /** Goes on with a followed asset, as long and as evenly as its mark glides. */
  keepUp(id: string): void {
    const place = this.#targetOf(id);
    if (!place) return;
    this.#move(({ camera, map: canvas }) => {
      const last = this.#kept;
      if (last && nearMeters(last.lat, last.lng, place.lat, place.lng) < STILL_M) return;
      this.#kept = place;
      camera.follow(place, followZoom(canvas.getZoom()), GLIDE_MS);
    });
  }

  /** Goes on with a place that moves, as evenly as it does. */
  glideTo(place: LatLng, durationMs: number): void {
    this.#move(({ camera, map: canvas }) => camera.follow(place, followZoom(canvas.getZoom()), durationMs));
  }

  *#displayed(): Generator<LatLng> {
    yield* this.#host.layer.table.shownPlaces();
    yield* this.#host.rows.places();
  }

  showAll(): void {
    const bounds = boundsOf(this.#displayed());
    if (bounds) this.#move(({ camera }) => camera.fit(bounds, map.showAllPaddingPx.value));
  }

  fitBounds(bounds: LatLngBounds): void {
    this.#move(({ camera }) => camera.fit(bounds, map.boundsPaddingPx.value));
  }

  goTo(place: LatLng, zoom?: number): void {
    this.#move(({ camera, map: canvas }) =>
      camera.center({ center: place, zoom: zoom ?? centerZoom(canvas.getZoom()) }),
    );
  }
}
