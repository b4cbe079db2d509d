import limits from '@catalog/limits.json';
import type { AssetsMapLayer } from './assets/layer';
import { PINNED, SELECTED } from './assets/table';
import { reducedMotion } from './motion';
import type { Navigator } from './navigator';
import type { Refresher } from './refresher';
import type { AssetBatch, AssetsLayer, MapState } from './types';

const PULSE_MS = limits.map.pulseMs.value;
const PULSING_MAX = 20;

export interface FleetHost {
  readonly layer: AssetsMapLayer;
  readonly navigator: Navigator;
  readonly refresher: Refresher;
  state(): MapState;
  patch(change: Partial<MapState>): void;
  /** Open cards must be described anew. */
  cardsChanged(): void;
  /** The marks have been dimmed, or lit again: what is drawn around them follows. */
  dimmed(): void;
}

/** The assets' side of the map: batches of the live store, filter, pulses of those that come on scene. */
export class Fleet implements AssetsLayer {
  readonly #host: FleetHost;
  #wasHidden = false;

  constructor(host: FleetHost) {
    this.#host = host;
  }

  get size(): number {
    return this.#host.layer.table.size;
  }

  apply(batch: AssetBatch): void {
    const { layer, navigator, refresher } = this.#host;
    const unwatched = document.hidden || this.#wasHidden || reducedMotion();
    this.#wasHidden = document.hidden;
    const applied = layer.apply(batch, unwatched);
    this.#restoreMarks();
    if (applied.newOnScene.length > 0) this.#pulse(applied.newOnScene.map(row => layer.table.idOf(row) ?? ''));
    const { selected, following, cards } = this.#host.state();
    if (following && selected) navigator.keepUp(selected);
    if (applied.visible) refresher.soon();
    if (cards.length > 0) this.#host.cardsChanged();
  }

  /** Rows may be new, after a reset or for an asset that comes (back): flags are set again by id. */
  #restoreMarks(): void {
    const { table } = this.#host.layer;
    const { selected, pinned } = this.#host.state();
    if (selected) table.mark(table.rowOf(selected), SELECTED, true);
    for (const id of pinned) table.mark(table.rowOf(id), PINNED, true);
  }

  setFilter(shows: ((id: string, row: number) => boolean) | null): void {
    const { layer, refresher } = this.#host;
    layer.table.setFilter(shows);
    layer.invalidate();
    refresher.soon();
  }

  setDimmed(dimmed: boolean): void {
    const { layer, refresher } = this.#host;
    if (layer.dimmed === dimmed) return;
    layer.dimmed = dimmed;
    layer.invalidate();
    refresher.soon();
    this.#host.dimmed();
  }

  setBehind(behind: boolean): void {
    const { layer } = this.#host;
    if (layer.behind === behind) return;
    layer.behind = behind;
    layer.invalidate();
  }

  #pulse(ids: readonly string[]): void {
    const others = (): string[] => this.#host.state().pulsing.filter(id => !ids.includes(id));
    this.#host.patch({ pulsing: [...ids, ...others()].slice(0, PULSING_MAX) });
    setTimeout(() => this.#host.patch({ pulsing: others() }), PULSE_MS);
  }

  /** The tab was hidden: what comes now is not watched. */
  hidden(): void {
    this.#wasHidden = true;
  }

  /** The tab is shown again: what happened meanwhile is shown as it is now, not played back. */
  shown(): void {
    this.#host.layer.table.settle();
    this.#host.layer.invalidate();
  }
}
