import type { Feature } from 'geojson';
import type { LatLng } from '../types';
import type { MapLayer, MapRow, PxScale } from './layer';

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

  *places(): Generator<LatLng> {
    for (const layer of this.layers) for (const row of this.#of(layer).values()) yield layer.place(row);
  }

  /** The rows at the places that are asked for: the topmost layer first, there the highest rank, from west to east. */
  listed(isWanted: (place: LatLng) => boolean): Hit[] {
    return this.layers.toReversed().flatMap(layer =>
      [...this.#of(layer).values()]
        .filter(row => isWanted(layer.place(row)))
        .map(row => ({ id: row.id, rank: layer.rank(row), place: layer.place(row) }))
        .sort((a, b) => b.rank - a.rank || a.place.lng - b.place.lng)
        .map(({ id }) => ({ kind: layer.kind, id })),
    );
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

  /** What is drawn of a noun, row by row. What was drawn of a row that looks the same stays the same object. */
  drawn(layer: MapLayer<MapRow>, selected: string | null, faint: boolean, before: DrawnRows): DrawnRows {
    const all = new Map<string, DrawnRow>();
    for (const [id, row] of this.#of(layer)) {
      const isSelected = id === selected;
      const was = before.get(id);
      const isSame = was?.row === row && was.isSelected === isSelected && was.faint === faint;
      all.set(id, isSame ? was : drawnRow(layer, row, isSelected, faint));
    }
    return all;
  }
}

/** What is drawn of a row; each of its features has an id of its own. */
interface DrawnRow {
  readonly row: MapRow;
  readonly isSelected: boolean;
  readonly faint: boolean;
  readonly features: readonly Feature[];
}

export type DrawnRows = ReadonlyMap<string, DrawnRow>;

function drawnRow(layer: MapLayer<MapRow>, row: MapRow, isSelected: boolean, faint: boolean): DrawnRow {
  const features = [layer.feature(row, { selected: isSelected, faint })].flat();
  return { row, isSelected, faint, features: features.map((one, i) => ({ ...one, id: `${row.id}/${i}` })) };
}

/** What MapLibre must take away and add to draw the one instead of the other. */
export function drawnDiff(before: DrawnRows, now: DrawnRows): { remove: string[]; add: Feature[] } {
  const changed = [...now].filter(([id, row]) => before.get(id) !== row);
  const gone = [...before].filter(([id, row]) => now.get(id) !== row);
  return {
    remove: gone.flatMap(([, { features }]) => features.map(one => String(one.id))),
    add: changed.flatMap(([, { features }]) => features),
  };
}
