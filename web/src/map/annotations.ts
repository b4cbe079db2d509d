import type { FeatureCollection } from 'geojson';
import type { AssetsMapLayer } from './assets/layer';
import { densityCells } from './density';
import type { MapEngine } from './engine';
import { growBounds, lineFeature } from './geometry';
import { labelFeatures } from './labels';
import { type MapLayer, type MapRow, sourceOf } from './layers/layer';
import { markedFeatures } from './layers/marked';
import { type DrawnRows, drawnDiff, type MapRows } from './layers/rows';
import { DENSITY, LABELS, MARKED, STACKS, TRAIL } from './overlay';
import { stackFeatures } from './stacks';
import type { LatLng, MapState, MarkedLine } from './types';

/** So many new or changed rows are sent together. */
const ROWS_A_TURN = 2500;
const TURN_MAX_MS = 1000;
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
  /** the nouns of which a turn is on its way */
  readonly #turns = new Map<string, object>();

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
    const { rows } = this.#host;
    const now = dimmed ? Number.POSITIVE_INFINITY : this.#host.now(); // names are as old as their marks
    engine.setData(LABELS, labelFeatures(table, fill, bounds, zoom, now));
    engine.setData(
      STACKS,
      stackFeatures(table, fill, zoom, place => rows.counts(place, zoom)),
    );
    engine.setData(DENSITY, density ? densityCells(table, growBounds(bounds, 0.25)) : NOTHING);
  }

  /** The other nouns, and the trail again, for a map that has just become ready. */
  ready(): void {
    this.#drawn.clear();
    this.#turns.clear();
    this.drawRows();
    this.setTrail(this.#trail);
    this.setMarked(this.#marked);
  }

  /** Draws the rows of one noun again, or of all: of thousands, only those that look otherwise are sent to MapLibre. */
  drawRows(of: readonly { readonly kind: string }[] = this.#host.rows.layers): void {
    for (const layer of this.#host.rows.layers) if (of.some(({ kind }) => kind === layer.kind)) this.#draw(layer);
  }

  /** Thousands go to the worker in turns, each after the one before has arrived: copying them holds up the page. */
  #draw(layer: MapLayer<MapRow>): void {
    const { rows, layer: assets } = this.#host;
    const { selected, phase } = this.#host.state();
    const engine = this.#host.engine();
    if (!engine || phase !== 'ready' || this.#turns.has(layer.kind)) return;
    const before = this.#drawn.get(layer.kind);
    const { drawn, isAll } = rows.drawn(layer, { selected, faint: assets.dimmed }, before ?? NO_ROWS, ROWS_A_TURN);
    const diff = drawnDiff(before ?? NO_ROWS, drawn);
    if (before && diff.remove.length + diff.add.length + diff.update.length === 0) return;
    const sent = before
      ? engine.updateData(sourceOf(layer), diff)
      : engine.setData(sourceOf(layer), { type: 'FeatureCollection', features: diff.add });
    if (!sent)
      this.#drawn.delete(layer.kind); // all of it is set the next time
    else {
      this.#drawn.set(layer.kind, drawn);
      if (!isAll) this.#goOn(layer, sent);
    }
  }

  #goOn(layer: MapLayer<MapRow>, sent: Promise<void>): void {
    const turn = {};
    this.#turns.set(layer.kind, turn);
    const next = () => {
      if (this.#turns.get(layer.kind) !== turn) return;
      this.#turns.delete(layer.kind);
      this.#draw(layer);
    };
    sent.then(next, next);
    setTimeout(next, TURN_MAX_MS); // a source that goes meanwhile may not answer
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
