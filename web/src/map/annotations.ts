import type { FeatureCollection } from 'geojson';
import type { AssetsMapLayer } from './assets/layer';
import { densityCells } from './density';
import type { MapEngine } from './engine';
import { growBounds, lineFeature } from './geometry';
import { labelFeatures } from './labels';
import { sourceOf } from './layers/layer';
import type { MapRows } from './layers/rows';
import { DENSITY, LABELS, STACKS, TRAIL } from './overlay';
import { stackFeatures } from './stacks';
import type { LatLng, MapState } from './types';

const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

export interface AnnotationsHost {
  readonly layer: AssetsMapLayer;
  readonly rows: MapRows;
  engine(): MapEngine | null;
  state(): MapState;
  /** Server time, ms since the epoch. */
  now(): number;
}

/** What MapLibre draws around the marks: names, density, the other nouns, the trail of the selected asset. */
export class Annotations {
  readonly #host: AnnotationsHost;
  #trail: readonly LatLng[] | null = null;

  constructor(host: AnnotationsHost) {
    this.#host = host;
  }

  /** Names, numbers of stacks and density: at most once a second, and after the camera rests. */
  refresh(): void {
    const engine = this.#host.engine();
    const { phase, density } = this.#host.state();
    if (!engine || phase !== 'ready') return;
    const { bounds, zoom } = engine.view();
    const { table, fill, dimmed } = this.#host.layer;
    const now = dimmed ? Number.POSITIVE_INFINITY : this.#host.now(); // names are as old as their marks
    engine.setData(LABELS, labelFeatures(table, fill, bounds, zoom, now));
    engine.setData(STACKS, stackFeatures(table, fill, zoom));
    engine.setData(DENSITY, density ? densityCells(table, growBounds(bounds, 0.25)) : NOTHING);
  }

  /** The other nouns, and the trail again, for a map that has just become ready. */
  ready(): void {
    this.drawRows();
    this.setTrail(this.#trail);
  }

  /** Draws the rows of one noun again, or of all. */
  drawRows(of: readonly { readonly kind: string }[] = this.#host.rows.layers): void {
    const { rows, layer: assets } = this.#host;
    const { selected } = this.#host.state();
    for (const layer of rows.layers) {
      if (!of.some(({ kind }) => kind === layer.kind)) continue;
      this.#host.engine()?.setData(sourceOf(layer), rows.features(layer, selected, assets.dimmed));
    }
  }

  setTrail(points: readonly LatLng[] | null): void {
    this.#trail = points;
    this.#host.engine()?.setData(TRAIL, points && points.length > 1 ? lineFeature(points) : NOTHING);
  }
}
