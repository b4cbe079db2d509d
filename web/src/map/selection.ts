import type { AssetsMapLayer } from './assets/layer';
import { SELECTED } from './assets/table';
import type { Navigator } from './navigator';
import type { MapState } from './types';

export interface SelectionHost {
  readonly layer: Pick<AssetsMapLayer, 'table' | 'invalidate'>;
  readonly navigator: Pick<Navigator, 'panTo' | 'turnTo'>;
  state(): MapState;
  patch(change: Partial<MapState>): void;
  /** Another one is selected, or none. */
  changed(): void;
  followEnds(): void;
}

/** What is selected on the map, and whether the camera follows it. */
export class Selection {
  readonly #host: SelectionHost;

  constructor(host: SelectionHost) {
    this.#host = host;
  }

  select(id: string | null, pan: boolean): void {
    const { layer, navigator, state, patch, changed } = this.#host;
    const before = state().selected;
    if (before !== id) {
      const { table } = layer;
      if (before) table.mark(table.rowOf(before), SELECTED, false);
      if (id) table.mark(table.rowOf(id), SELECTED, true);
      patch({ selected: id, ...(id === null && { following: false }) });
      layer.invalidate();
      changed();
    }
    if (id && pan) navigator.panTo(id);
  }

  follow(on: boolean): void {
    const { navigator, state, patch, followEnds } = this.#host;
    const { selected, following } = state();
    if (on === following || (on && !selected)) return;
    patch({ following: on });
    if (on && selected) navigator.turnTo(selected);
    if (!on) followEnds();
  }
}
