import type { FeatureCollection } from 'geojson';
import type { AssetsMapLayer } from './assets/layer';
import { densityCells } from './density';
import type { MapEngine } from './engine';
import { growBounds, lineFeature } from './geometry';
import { labelFeatures } from './labels';
import { sourceOf } from './layers/layer';
import { markedFeatures } from './layers/marked';
import { type DrawnRows, drawnDiff, type MapRows } from './layers/rows';
import { DENSITY, LABELS, MARKED, STACKS, TRAIL } from './overlay';
import { stackFeatures } from './stacks';
import type { LatLng, MapState, MarkedLine } from './types';

const NO_ROWS: DrawnRows = new Map();
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
  #marked: readonly MarkedLine[] = [];
  /** what the map shows of each noun now */
  readonly #drawn = new Map<string, DrawnRows>();

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
    this.#drawn.clear();
    this.drawRows();
    this.setTrail(this.#trail);
    this.setMarked(this.#marked);
  }

  /** Draws the rows of one noun again, or of all: of thousands, only those that look otherwise are sent to MapLibre. */
  drawRows(of: readonly { readonly kind: string }[] = this.#host.rows.layers): void {
    const { rows, layer: assets } = this.#host;
    const { selected, phase } = this.#host.state();
    const engine = this.#host.engine();
    if (!engine || phase !== 'ready') return;
    for (const layer of rows.layers) {
      if (!of.some(({ kind }) => kind === layer.kind)) continue;
      const before = this.#drawn.get(layer.kind);
      const now = rows.drawn(layer, selected, assets.dimmed, before ?? NO_ROWS);
      this.#drawn.set(layer.kind, now);
      const { remove, add } = drawnDiff(before ?? NO_ROWS, now);
      if (!before) engine.setData(sourceOf(layer), { type: 'FeatureCollection', features: add });
      else if (remove.length + add.length > 0 && !engine.updateData(sourceOf(layer), { remove, add })) {
        this.#drawn.delete(layer.kind); // all of it is set the next time
      }
    }
  }

  setTrail(points: readonly LatLng[] | null): void {
    this.#trail = points;
    this.#host.engine()?.setData(TRAIL, points && points.length > 1 ? lineFeature(points) : NOTHING);
  }

  setMarked(lines: readonly MarkedLine[]): void {
    this.#marked = lines;
    this.#host.engine()?.setData(MARKED, markedFeatures(lines));
  }
}
