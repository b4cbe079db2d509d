import limits from '@catalog/limits.json';
import type { BaseStyle } from './baseStyle';
import type { MapEngine } from './engine';
import type { Navigator } from './navigator';
import type { LatLng, MapState } from './types';

export interface StartView {
  readonly center: LatLng;
  readonly zoom: number;
}

export interface FirstPlaceHost {
  /** The map, loaded or not. */
  engine(): Pick<MapEngine, 'camera'> | null;
  readonly base: Pick<BaseStyle, 'config' | 'firstView'>;
  readonly navigator: Pick<Navigator, 'placed'>;
  state(): MapState;
  patch(change: Partial<MapState>): void;
}

/** Where the map stands before somebody has chosen a place. Nobody sees it go from one such place to the next. */
export class FirstPlace {
  readonly #host: FirstPlaceHost;
  /** Where the map stood when its page was left. */
  #last: StartView | null = null;

  constructor(host: FirstPlaceHost) {
    this.#host = host;
  }

  /** Where a map begins: where the last one ended, else where the base says; null when nobody knows. */
  start(): StartView | null {
    return this.#last ?? this.#host.base.firstView();
  }

  left({ center, zoom }: StartView): void {
    this.#last = { center, zoom };
  }

  ready(): void {
    this.#uncover();
    this.showRegion();
  }

  /** Whether a first place is on its way: until it is there, the map stays covered. */
  expect(on: boolean): void {
    const { navigator, state, patch } = this.#host;
    const isExpected = on && !navigator.placed;
    if (isExpected !== state().expectsPlace) patch({ expectsPlace: isExpected });
    this.#uncover();
  }

  /** The map is seen from here on: from now on it moves so that the eye can follow. */
  #uncover(): void {
    const { phase, expectsPlace } = this.#host.state();
    const engine = this.#host.engine();
    if (phase === 'ready' && !expectsPlace && engine) engine.camera.isHidden = false;
  }

  /** Until somebody chose a place, an imported region is the best one: whole, where no panel covers it. */
  showRegion(): void {
    const { base, navigator, engine } = this.#host;
    const bounds = base.config.region?.bounds;
    if (bounds && !this.#last && !navigator.placed) {
      engine()?.camera.fit(bounds, limits.map.boundsPaddingPx.value, false);
    }
  }
}
