import { describe, expect, it } from 'vitest';
import { AssetColumns, MARK_STATUSES, MARK_TYPES } from '~/model/batch';
import type { LatLngBounds, MapAsset } from '../types';
import { DISC_CELL, SELECT_CELL, SHAPE_CELL } from './cells';
import { Fill, type FillView, INSTANCE_BYTES } from './fill';
import { STACK_HOVER, STACK_PINNED, STACK_SELECTED, STATUS_STACK } from './stack';
import { AssetTable, HOVERED, PINNED, SELECTED } from './table';

const NOW = 1_000_000;
const BOX: LatLngBounds = { south: 39, west: -76, north: 40, east: -75 };
const VIEW: FillView = {
  box: BOX,
  origin: { lat: 39.5, lng: -75.5 },
  zoom: 14,
  now: NOW,
  nowMs: 0,
  dimmed: false,
  alertingOnly: false,
  behind: false,
};
const ROWS = 60;
const PLAIN: MapAsset = {
  row: 0,
  id: 'a0',
  lat: 39.5,
  lng: -75.5,
  course: null,
  speed: 0,
  status: 'OFFLINE',
  type: 'fire',
  inService: true,
  at: NOW,
  staleAt: 0,
  shown: true,
  label: '',
};
const ALERTING = ['LOCATION', 'ACTIVE'];

/** A repeatable random whole number below `below`. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What a table should hold, kept the plain way: an object for each asset, and its marks. */
class Model {
  readonly assets = new Map<number, MapAsset>();
  readonly marks = new Map<number, Set<number>>();
  readonly #random: (below: number) => number;
  #ids = 0;

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  #asset(row: number): MapAsset {
    const random = this.#random;
    return {
      row,
      id: this.assets.get(row)?.id ?? `a${this.#ids++}`,
      lat: 38.8 + random(1400) / 1000, // some of them outside the box
      lng: -76.2 + random(1400) / 1000,
      course: random(3) === 0 ? null : random(360),
      speed: random(2) * 10,
      status: MARK_STATUSES[random(MARK_STATUSES.length)] ?? 'OFFLINE',
      type: MARK_TYPES[random(MARK_TYPES.length)] ?? 'other',
      inService: random(5) > 0,
      at: NOW,
      staleAt: [0, NOW - 1, NOW + 1 + random(500)][random(3)] ?? 0,
      shown: random(4) > 0,
      label: `Unit ${row}`,
    };
  }

  /** A random batch: some go, some come, some change. Sometimes everything is new. */
  batch() {
    const random = this.#random;
    const reset = random(12) === 0;
    if (reset) for (const row of [...this.assets.keys()]) this.#forget(row);
    const removed = [...this.assets.keys()].filter(() => random(8) === 0);
    for (const row of removed) this.#forget(row);
    const rows = Array.from({ length: ROWS }, (_, row) => row).filter(() => random(3) === 0);
    const upserted = rows.map(row => this.#asset(row));
    for (const asset of upserted) this.assets.set(asset.row, asset);
    return { upserted: AssetColumns.of(upserted), removed, reset };
  }

  #forget(row: number): void {
    this.assets.delete(row);
    this.marks.delete(row);
  }

  /** Sets or clears a random mark; only one asset is selected at a time. */
  mark(table: AssetTable): void {
    const row = this.#random(ROWS);
    const flag = [PINNED, HOVERED, SELECTED][this.#random(3)] as number;
    if (!this.assets.has(row)) return;
    const flags = this.marks.get(row) ?? new Set();
    this.marks.set(row, flags);
    const on = !flags.has(flag);
    if (on && flag === SELECTED && [...this.marks.values()].some(other => other.has(SELECTED))) return;
    if (on) flags.add(flag);
    else flags.delete(flag);
    table.mark(row, flag, on);
  }

  /** Rows in drawing order, as section 9 says it. */
  order(alertingOnly: boolean): number[] {
    const has = (row: number, flag: number): boolean => this.marks.get(row)?.has(flag) ?? false;
    const level = ({ row, status }: MapAsset): number => {
      if (has(row, SELECTED) && !has(row, HOVERED)) return STACK_SELECTED;
      return (
        (STATUS_STACK[MARK_STATUSES.indexOf(status)] ?? 0) +
        (has(row, PINNED) ? STACK_PINNED : 0) +
        (has(row, HOVERED) ? STACK_HOVER : 0)
      );
    };
    return [...this.assets.values()]
      .filter(({ shown, lat, lng }) => shown && lat >= 39 && lat <= 40 && lng >= -76 && lng <= -75)
      .filter(({ row, status }) => !alertingOnly || ALERTING.includes(status) || has(row, PINNED) || has(row, SELECTED))
      .sort((a, b) => level(a) - level(b) || a.row - b.row)
      .map(({ row }) => row);
  }

  /** A table that has never held anything else. */
  table(): AssetTable {
    const table = new AssetTable();
    table.apply({ upserted: AssetColumns.of([...this.assets.values()]), removed: [] }, 0, true, null);
    for (const [row, flags] of this.marks) for (const flag of flags) table.mark(row, flag, true);
    return table;
  }
}

const orderOf = (fill: Fill): number[] => [...fill.order.subarray(0, fill.visible)];
const bytesOf = (fill: Fill): Uint8Array => new Uint8Array(fill.bytes, 0, fill.instances * INSTANCE_BYTES);

// spec: 9.map.09 9.map.10
describe('a table and a fill that have seen many changes', () => {
  it.each([1, 2, 3])('draw what new ones would draw, in the order of the stacking numbers (%i)', seed => {
    const random = seeded(seed);
    const model = new Model(random);
    const table = new AssetTable();
    const fill = new Fill();
    for (let step = 0; step < 60; step++) {
      const alertingOnly = random(5) === 0;
      table.apply(model.batch(), 0, true, null);
      for (let i = random(4); i > 0; i--) model.mark(table);
      fill.run(table, { ...VIEW, alertingOnly });
      const fresh = new Fill();
      const anew = model.table();
      fresh.run(anew, { ...VIEW, alertingOnly });
      expect(orderOf(fill)).toEqual(model.order(alertingOnly));
      expect(orderOf(fresh)).toEqual(orderOf(fill));
      expect(bytesOf(fresh)).toEqual(bytesOf(fill));
      expect(fill.nextStaleAt).toBe(fresh.nextStaleAt);
      expect([...table.levels]).toEqual([...anew.levels]);
    }
  });

  it('count all assets of each stacking number, displayed or not', () => {
    const table = new AssetTable();
    const model = new Model(seeded(6));
    table.apply(model.batch(), 0, true, null);
    table.setFilter(null);
    expect(table.levels.reduce((sum, count) => sum + count, 0)).toBe(model.assets.size);
    table.apply({ upserted: AssetColumns.of([]), removed: [], reset: true }, 0, true, null);
    expect(table.levels.every(count => count === 0)).toBe(true);
  });

  it('put the ring below the selected mark where others of its number are not in view', () => {
    const table = new AssetTable();
    const asset = (row: number, change: Partial<MapAsset>): MapAsset => ({ ...PLAIN, row, id: `a${row}`, ...change });
    const away = { lat: 10 };
    const batch = AssetColumns.of([asset(0, away), asset(1, {}), asset(2, { status: 'ACTIVE' })]);
    table.apply({ upserted: batch, removed: [] }, 0, true, null);
    table.mark(2, SELECTED, true);
    const fill = new Fill();
    fill.run(table, VIEW);
    expect(orderOf(fill)).toEqual([1, 2]);
    const shapes = [0, 1, 2].map(index => new Uint8Array(fill.bytes)[index * INSTANCE_BYTES + 20]);
    expect(fill.instances).toBe(3);
    expect(shapes).toEqual([SHAPE_CELL.ringSmall, SELECT_CELL, DISC_CELL]);
  });
});
