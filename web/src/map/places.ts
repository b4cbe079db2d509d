import type { MapEngine } from './engine';
import type { Hit, MapRows } from './layers/rows';
import { freeRoom } from './placing';
import type { Insets, LatLng, MapState } from './types';

/** More of them are no help to anyone who goes from one to the next. */
const PLACES_MAX = 50;

export interface PlacesHost {
  readonly rows: MapRows;
  /** The map, once it is ready. */
  engine(): Pick<MapEngine, 'map'> | null;
  insets(): Insets;
  state(): MapState;
  patch(change: Partial<MapState>): void;
}

/** What stands in view beside the assets, for those who do not point: kept up to date in the state (`places`). */
export class Places {
  readonly #host: PlacesHost;

  constructor(host: PlacesHost) {
    this.#host = host;
  }

  refresh(): void {
    const { rows, state, patch } = this.#host;
    const isShown = this.#isShown();
    const places: Hit[] = isShown ? rows.listed(isShown).slice(0, PLACES_MAX) : [];
    const before = state().places;
    const isSame = places.length === before.length && places.every(({ id }, i) => id === before[i]?.id);
    if (!isSame) patch({ places });
  }

  #isShown(): ((place: LatLng) => boolean) | null {
    const map = this.#host.engine()?.map;
    if (!map) return null;
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    const room = freeRoom({ width, height }, this.#host.insets());
    // North is up: the room is a box on the ground too. Thousands of places need no way to the screen.
    const a = map.unproject([room.left, room.top]);
    const b = map.unproject([room.right, room.bottom]);
    const [south, north] = [Math.min(a.lat, b.lat), Math.max(a.lat, b.lat)];
    return ({ lat, lng }) => lat >= south && lat <= north && lng >= a.lng && lng <= b.lng;
  }
}
