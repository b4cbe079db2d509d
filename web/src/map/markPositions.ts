import { MARK_STATUSES } from '~/model/batch';
import type { AssetsMapLayer } from './assets/layer';
import { markPx } from './assets/stack';
import { MAP_LAYERS } from './layers';
import type { Hit, MapRows } from './layers/rows';
import type { CardSide } from './placing';
import type { LatLng, MarkStatus } from './types';

/** Where the marks stand now: what is drawn beside them follows them. */
export class MarkPositions {
  readonly #layer: AssetsMapLayer;
  readonly #rows: MapRows;

  constructor(layer: AssetsMapLayer, rows: MapRows) {
    this.#layer = layer;
    this.#rows = rows;
  }

  /** Where the mark of an asset or of another noun's row stands; null when it is not displayed. */
  placeOf(id: string): LatLng | null {
    const row = this.#layer.table.rowOf(id);
    return row < 0 ? this.#rows.place(id) : this.#layer.positionOf(row);
  }

  statusOf(assetId: string): MarkStatus | null {
    const { table } = this.#layer;
    const row = table.rowOf(assetId);
    return row < 0 ? null : (MARK_STATUSES[table.statusOf(row)] ?? null);
  }

  /** What stands under a place, for a reach in px beyond its drawing; assets lie on top of all else. */
  hit(place: LatLng, zoom: number, reachPx: number, nearest: boolean): Hit | null {
    const asset = this.#layer.table.idOf(this.#layer.pick(place, markPx(zoom) / 2 + reachPx, nearest));
    return asset ? { kind: 'asset', id: asset } : this.#rows.pick(place, zoom, reachPx);
  }

  /** On which side of its mark the card of a noun stands. */
  sideOf(kind: string): CardSide {
    return MAP_LAYERS.find(layer => layer.kind === kind)?.cardSide ?? 'beside';
  }
}
