import type { Feature } from 'geojson';
import type { GeoJSONSourceDiff } from 'maplibre-gl';
import type { LatLng } from '../types';
import { HIDDEN, type MapLayer, type MapRow, type PxScale } from './layer';

/** A row under the pointer. */
export interface Hit {
  readonly kind: string;
  readonly id: string;
}

/** CSS px of a world of one tile (MapLibre's). */
const WORLD_PX = 512;

function scaleAt(place: LatLng, zoom: number): PxScale {
  const perLng = (WORLD_PX * 2 ** zoom) / 360;
  return { zoom, perLng, perLat: perLng / Math.cos((place.lat * Math.PI) / 180) };
}

/** What stands on the map beside the assets: the rows of each layer. */
export class MapRows {
  readonly layers: readonly MapLayer<MapRow>[];
  readonly #rows = new Map<string, ReadonlyMap<string, MapRow>>();

  constructor(layers: readonly MapLayer<MapRow>[]) {
    this.layers = layers;
  }

  set<Row extends MapRow>(layer: MapLayer<Row>, rows: readonly Row[]): void {
    this.#rows.set(layer.kind, new Map(rows.map(row => [row.id, row])));
  }

  #of(layer: MapLayer<MapRow>): ReadonlyMap<string, MapRow> {
    return this.#rows.get(layer.kind) ?? new Map();
  }

  layerOf(id: string): MapLayer<MapRow> | undefined {
    return this.layers.find(layer => this.#of(layer).has(id));
  }

  place(id: string): LatLng | null {
    const layer = this.layerOf(id);
    const row = layer && this.#of(layer).get(id);
    return row ? layer.place(row) : null;
  }

  /** Where the rows are that the map is about. */
  *places(): Generator<LatLng> {
    for (const layer of this.layers) for (const row of this.#of(layer).values()) if (!row.quiet) yield layer.place(row);
  }

  /**
   * The rows at the places that are asked for: quiet ones last, else the topmost layer first, there the highest rank,
   * from west to east.
   */
  listed(isWanted: (place: LatLng) => boolean): Hit[] {
    const found = this.layers.toReversed().flatMap(layer =>
      [...this.#of(layer).values()]
        .filter(row => isWanted(layer.place(row)))
        .map(row => ({ row, rank: layer.rank(row), place: layer.place(row) }))
        .sort((a, b) => b.rank - a.rank || a.place.lng - b.place.lng)
        .map(({ row: { id, quiet } }) => ({ kind: layer.kind, id, quiet: quiet === true })),
    );
    return [...found.filter(({ quiet }) => !quiet), ...found.filter(({ quiet }) => quiet)].map(({ kind, id }) => ({
      kind,
      id,
    }));
  }

  /** The row under a place: of the topmost layer, there of the highest rank, there the nearest. */
  pick(at: LatLng, zoom: number, reachPx: number): Hit | null {
    const scale = scaleAt(at, zoom);
    for (const layer of this.layers.toReversed()) {
      let best: { id: string; rank: number; px: number } | null = null;
      for (const row of this.#of(layer).values()) {
        const px = layer.distancePx(row, at, scale);
        if (px > reachPx) continue;
        const rank = layer.rank(row);
        if (!best || rank > best.rank || (rank === best.rank && px < best.px)) best = { id: row.id, rank, px };
      }
      if (best) return { kind: layer.kind, id: best.id };
    }
    return null;
  }

  /** Whether the number of a row says how many assets are at a place. */
  counts(at: LatLng, zoom: number): boolean {
    const scale = scaleAt(at, zoom);
    return this.layers.some(
      layer => layer.counts && [...this.#of(layer).values()].some(row => layer.counts?.(row, at, scale)),
    );
  }

  /**
   * What is drawn of a noun, row by row. What was drawn of a row that looks the same stays the same object; at most so
   * many others are made at once, and what is or was selected: the rest stays as it was drawn before, or waits.
   */
  drawn(
    layer: MapLayer<MapRow>,
    { selected, faint }: { selected: string | null; faint: boolean },
    before: DrawnRows,
    atOnce: number,
  ): { drawn: DrawnRows; isAll: boolean } {
    const drawn = new Map<string, DrawnRow>();
    let made = 0;
    let isAll = true;
    for (const [id, row] of this.#of(layer)) {
      const isSelected = id === selected;
      const was = before.get(id);
      const isSame = was?.row === row && was.isSelected === isSelected && was.faint === faint;
      if (isSame) drawn.set(id, was.isHidden ? { ...was, isHidden: false } : was);
      else if (made < atOnce || isSelected || was?.isSelected) {
        drawn.set(id, drawnRow(layer, row, isSelected, faint));
        made++;
      } else {
        isAll = false;
        if (was) drawn.set(id, was);
      }
    }
    for (const [id, row] of hiddenOf(before, drawn)) drawn.set(id, row);
    return { drawn, isAll };
  }
}

/** So many that go at once go because of a search or a filter. */
const HIDDEN_FROM = 200;
/** More are taken away after all. */
const HIDDEN_MAX = 20_000;

/**
 * What is not drawn any more but stays with MapLibre, hidden: a search takes thousands away and brings them back, and to
 * copy their shapes to the worker again holds up the page.
 */
function hiddenOf(before: DrawnRows, drawn: DrawnRows): [string, DrawnRow][] {
  const gone = [...before].filter(([id]) => !drawn.has(id));
  const hidden = gone.filter(([, row]) => row.isHidden);
  const isMany = gone.length - hidden.length >= HIDDEN_FROM;
  const kept = isMany ? gone : hidden;
  if (kept.length > HIDDEN_MAX) return [];
  return kept.map(([id, row]) => [id, row.isHidden ? row : { ...row, isHidden: true }]);
}

/** What is drawn of a row; each of its features has an id of its own. */
interface DrawnRow {
  readonly row: MapRow;
  readonly isSelected: boolean;
  readonly faint: boolean;
  readonly isHidden: boolean;
  readonly features: readonly Feature[];
}

export type DrawnRows = ReadonlyMap<string, DrawnRow>;

function drawnRow(layer: MapLayer<MapRow>, row: MapRow, isSelected: boolean, faint: boolean): DrawnRow {
  const features = [layer.feature(row, { selected: isSelected, faint })].flat();
  const named = features.map((one, i) => ({ ...one, id: `${row.id}/${i}` }));
  return { row, isSelected, faint, isHidden: false, features: named };
}

const idsOf = ({ features }: DrawnRow): string[] => features.map(one => String(one.id));

/** What MapLibre must take away, add, hide and show to draw the one instead of the other. */
export function drawnDiff(before: DrawnRows, now: DrawnRows): Required<Omit<GeoJSONSourceDiff, 'removeAll'>> {
  const changed = [...now].flatMap(([id, row]) => (before.get(id) === row ? [] : { row, was: before.get(id) }));
  const anew = changed.filter(({ row, was }) => row.features !== was?.features);
  const gone = [...before].flatMap(([id, was]) => (now.has(id) ? [] : was));
  return {
    remove: [...anew.flatMap(({ was }) => was ?? []), ...gone].flatMap(idsOf),
    add: anew.flatMap(({ row }) => row.features),
    update: changed
      .filter(({ row, was }) => row.features === was?.features)
      .flatMap(({ row }) =>
        idsOf(row).map(id => ({ id, addOrUpdateProperties: [{ key: HIDDEN, value: row.isHidden }] })),
      ),
  };
}
