import { describe, expect, it } from 'vitest';
import { AssetColumns } from '~/model/batch';
import { mercatorX, mercatorY } from '../geometry';
import { GLIDE_MS } from '../glide';
import type { LatLngBounds, MapAsset, MarkStatus } from '../types';
import { DISC_CELL, DROP_CELL, SELECT_CELL, SHAPE_CELL } from './cells';
import { Fill, type FillView, INSTANCE_BYTES } from './fill';
import { matrixAt } from './layer';
import { pick } from './pick';
import { markPx, STACK_HOVER, STACK_PINNED, STACK_SELECTED, STATUS_STACK } from './stack';
import { ALERTING, AssetTable, HOVERED, PINNED, SELECTED } from './table';

const NOW = 1_000_000;
const BOX: LatLngBounds = { south: 39, west: -76, north: 40, east: -75 };

function asset(row: number, change: Partial<MapAsset> = {}): MapAsset {
  return {
    row,
    id: `a${row}`,
    lat: 39.5,
    lng: -75.5,
    course: null,
    speed: 0,
    status: 'STANDBY',
    type: 'fire',
    inService: true,
    at: NOW,
    staleAt: 0,
    shown: true,
    label: `Unit ${row}`,
    ...change,
  };
}

const view = (change: Partial<FillView> = {}): FillView => ({
  box: BOX,
  origin: { lat: 39.5, lng: -75.5 },
  zoom: 14,
  now: NOW,
  nowMs: 0,
  dimmed: false,
  alertingOnly: false,
  behind: false,
  ...change,
});

function tableOf(...assets: MapAsset[]): AssetTable {
  const table = new AssetTable();
  table.apply({ upserted: AssetColumns.of(assets), removed: [] }, 0, false, null);
  return table;
}

function filled(table: AssetTable, change: Partial<FillView> = {}): Fill {
  const fill = new Fill();
  fill.run(table, view(change));
  return fill;
}

const rowsOf = (fill: Fill): number[] => [...fill.order.subarray(0, fill.visible)];

/** The fields of an instance as they are written for the GPU. */
function instance(fill: Fill, index: number) {
  const at = new DataView(fill.bytes, index * INSTANCE_BYTES, INSTANCE_BYTES);
  const f = (offset: number) => at.getFloat32(offset, true);
  return {
    from: [f(0), f(4)],
    to: [f(8), f(12)],
    start: f(16),
    shape: at.getUint8(20),
    overlay: at.getUint8(21),
    alpha: at.getUint8(22),
    scale: at.getUint8(23),
    turn: at.getUint16(24, true),
  };
}

describe('batches', () => {
  it('keep rows by number, free them and hand them on within one batch', () => {
    const table = tableOf(asset(0), asset(1));
    expect(table.size).toBe(2);
    table.apply({ removed: [1], upserted: AssetColumns.of([asset(1, { id: 'other', lat: 39.6 })]) }, 0, false, null);
    expect(table.size).toBe(2);
    expect(table.rowOf('a1')).toBe(-1);
    expect(table.rowOf('other')).toBe(1);
    table.apply({ removed: [0, 0, 99], upserted: AssetColumns.of([]) }, 0, false, null);
    expect(table.size).toBe(1);
    expect(rowsOf(filled(table))).toEqual([1]);
  });

  it('a row that changes hands within a batch starts anew: no glide from the old place', () => {
    const table = tableOf(asset(0));
    table.apply({ removed: [0], upserted: AssetColumns.of([asset(0, { id: 'b', lat: 39.5001 })]) }, 100, false, null);
    expect(table.size).toBe(1);
    expect(table.rowOf('a0')).toBe(-1);
    expect(table.positionAt(0, 100).lat).toBe(39.5001);
  });

  it('take rows in any order, and know who has one', () => {
    const table = tableOf(asset(9000), asset(3));
    expect([table.idOf(9000), table.idOf(3), table.idOf(4), table.idOf(-1)]).toEqual([
      'a9000',
      'a3',
      undefined,
      undefined,
    ]);
    expect(table.labels[9000]).toBe('Unit 9000');
  });

  it('reset forgets everything first', () => {
    const table = tableOf(asset(0), asset(1), asset(2));
    table.apply({ reset: true, removed: [], upserted: AssetColumns.of([asset(0, { id: 'x' })]) }, 0, false, null);
    expect(table.size).toBe(1);
    expect(rowsOf(filled(table))).toEqual([0]);
  });

  it('grow far beyond the first capacity and keep what was there', () => {
    const table = tableOf(asset(0, { lat: 39.25 }));
    table.apply({ removed: [], upserted: AssetColumns.of([asset(5000)]) }, 0, false, null);
    expect(table.placeOf(0).lat).toBe(39.25);
    expect(rowsOf(filled(table))).toEqual([0, 5000]);
  });

  it('ask for a frame only when something in the drawn box changed', () => {
    const table = tableOf(asset(0), asset(1, { lat: 10 }));
    const change = (next: MapAsset) =>
      table.apply({ removed: [], upserted: AssetColumns.of([next]) }, 0, false, BOX).visible;
    expect(change(asset(1, { lat: 11 }))).toBe(false);
    expect(change(asset(1, { lat: 39.2 }))).toBe(true); // comes in
    expect(change(asset(1, { lat: 12 }))).toBe(true); // goes out
    expect(change(asset(0, { lat: 39.51 }))).toBe(true);
  });

  it('tell who came on scene, but not with a first load or a repeat', () => {
    const table = new AssetTable();
    const scene = (row: number) => asset(row, { status: 'LOCATION' });
    const apply = (upserted: MapAsset[]) =>
      table.apply({ removed: [], upserted: AssetColumns.of(upserted) }, 0, false, null).newOnScene;
    expect(apply([scene(0), asset(1)])).toEqual([]);
    expect(apply([scene(0), scene(1), scene(2)])).toEqual([1, 2]);
    const handed = AssetColumns.of([asset(0, { id: 'new', status: 'LOCATION' })]);
    expect(table.apply({ removed: [0], upserted: handed }, 0, false, null).newOnScene).toEqual([0]);
  });

  it('in test mode neither alert nor come on scene, before the test ends', () => {
    const table = tableOf(asset(0, { status: 'TEST' }), asset(1));
    const apply = (status: MarkStatus) =>
      table.apply({ removed: [], upserted: AssetColumns.of([asset(0, { status })]) }, 0, false, null).newOnScene;
    expect(apply('TEST')).toEqual([]);
    expect((table.look[0] ?? 0) & ALERTING).toBe(0);
    expect(apply('LOCATION')).toEqual([0]);
    expect((table.look[0] ?? 0) & ALERTING).toBe(ALERTING);
  });

  it('each upsert says whether it is displayed, a filter says it of all, none displays none', () => {
    const table = tableOf(asset(0), asset(1, { status: 'OFFLINE' }));
    table.setFilter(id => id === 'a0');
    expect(rowsOf(filled(table))).toEqual([0]);
    const upsert = (shown: boolean) =>
      table.apply({ removed: [], upserted: AssetColumns.of([asset(0, { shown })]) }, 0, false, null);
    upsert(false);
    expect(rowsOf(filled(table))).toEqual([]);
    table.setFilter(null);
    upsert(true);
    expect(rowsOf(filled(table))).toEqual([]);
    table.setFilter(() => true);
    expect(rowsOf(filled(table))).toEqual([1, 0]); // offline below standby
  });
});

describe('glides', () => {
  const moved = (lat: number) => asset(0, { lat });

  it('take at most one second and never pass the received fix', () => {
    const table = tableOf(moved(39.5));
    table.apply({ removed: [], upserted: AssetColumns.of([moved(39.501)]) }, 5000, false, null);
    expect(table.positionAt(0, 5000).lat).toBe(39.5);
    expect(table.positionAt(0, 5000 + GLIDE_MS / 2).lat).toBeCloseTo(39.5005, 9);
    expect(table.positionAt(0, 5000 + GLIDE_MS).lat).toBe(39.501);
    expect(table.positionAt(0, 1e9).lat).toBe(39.501);
    expect(table.positionAt(0, 0).lat).toBe(39.5); // a clock that jumped back
  });

  it('a fix in the middle goes on from where the mark stands', () => {
    const table = tableOf(moved(39.5));
    table.apply({ removed: [], upserted: AssetColumns.of([moved(39.501)]) }, 0, false, null);
    table.apply({ removed: [], upserted: AssetColumns.of([moved(39.502)]) }, GLIDE_MS / 2, false, null);
    expect(table.positionAt(0, GLIDE_MS / 2).lat).toBeCloseTo(39.5005, 9);
  });

  it('snap above 500 m and after an unwatched time', () => {
    const far = tableOf(moved(39.5));
    far.apply({ removed: [], upserted: AssetColumns.of([moved(39.5046)]) }, 0, false, null); // 511 m
    expect(far.positionAt(0, 0).lat).toBe(39.5046);
    const near = tableOf(moved(39.5));
    near.apply({ removed: [], upserted: AssetColumns.of([moved(39.5044)]) }, 0, false, null); // 489 m
    expect(near.positionAt(0, 0).lat).toBe(39.5);
    const hidden = tableOf(moved(39.5));
    hidden.apply({ removed: [], upserted: AssetColumns.of([moved(39.501)]) }, 0, true, null);
    expect(hidden.positionAt(0, 0).lat).toBe(39.501);
  });

  it('end at once when the picture was not watched', () => {
    const table = tableOf(moved(39.5));
    table.apply({ removed: [], upserted: AssetColumns.of([moved(39.501)]) }, 0, false, null);
    table.settle();
    expect(table.positionAt(0, 0).lat).toBe(39.501);
  });

  it('a fill knows when all marks rest; movements below a pixel need no frame', () => {
    const table = tableOf(moved(39.5));
    table.apply({ removed: [], upserted: AssetColumns.of([moved(39.501)]) }, 5000, false, null);
    expect(filled(table, { nowMs: 5100 }).restsAtMs).toBe(5000 + GLIDE_MS);
    expect(filled(table, { nowMs: 6000 }).restsAtMs).toBe(0);
    expect(filled(table, { nowMs: 5100, zoom: 5 }).restsAtMs).toBe(0);
    expect(instance(filled(table, { nowMs: 5100, zoom: 5 }), 0)).toMatchObject({ from: expect.anything() });
  });
});

describe('culling', () => {
  it('leaves out what is outside the box, on each side', () => {
    const table = tableOf(
      asset(0),
      asset(1, { lat: 38.9 }),
      asset(2, { lat: 40.1 }),
      asset(3, { lng: -76.1 }),
      asset(4, { lng: -74.9 }),
    );
    expect(rowsOf(filled(table))).toEqual([0]);
  });

  it('works over the antimeridian', () => {
    const box = { south: 50, west: 178, north: 54, east: 184 };
    const table = tableOf(
      asset(0, { lat: 52, lng: 179 }),
      asset(1, { lat: 52, lng: -178 }),
      asset(2, { lat: 52, lng: 170 }),
    );
    const fill = filled(table, { box, origin: { lat: 52, lng: -179 } });
    expect(rowsOf(fill)).toEqual([0, 1]);
    expect(instance(fill, 0).to[0]).toBeCloseTo(-2 / 360, 6);
    expect(instance(fill, 1).to[0]).toBeCloseTo(1 / 360, 6);
  });

  it('keeps a mark that glides out of the box until it has left', () => {
    const table = tableOf(asset(0, { lat: 39.9999 }));
    table.apply({ removed: [], upserted: AssetColumns.of([asset(0, { lat: 40.001 })]) }, 0, false, null);
    expect(rowsOf(filled(table, { nowMs: 100 }))).toEqual([0]);
  });

  it('keeps a mark on its way through the box, from outside to outside, on both axes', () => {
    const small = { south: 39.4999, west: -75.5001, north: 39.5001, east: -75.4999 };
    const away = { lat: 39.498, lng: -75.5 };
    const table = tableOf(asset(0, away), asset(1, { lat: 39.5, lng: -75.502 }), asset(2, away));
    const moved = [asset(0, { lat: 39.502 }), asset(1, { lng: -75.498 }), asset(2, { lat: 39.497 })];
    table.apply({ removed: [], upserted: AssetColumns.of(moved) }, 0, false, null);
    expect(rowsOf(filled(table, { box: small, nowMs: 100 }))).toEqual([0, 1]);
  });

  it('the density view draws alerting, pinned and selected marks only', () => {
    const table = tableOf(
      asset(0),
      asset(1, { status: 'LOCATION' }),
      asset(2, { status: 'ACTIVE' }),
      asset(3),
      asset(4),
    );
    table.mark(3, PINNED, true);
    table.mark(4, SELECTED, true);
    expect(rowsOf(filled(table, { alertingOnly: true })).sort()).toEqual([1, 2, 3, 4]);
  });
});

// spec: 9.map.09 9.map.10
describe('stacking', () => {
  it('draws location above active, standby, pending and offline', () => {
    const order: MarkStatus[] = ['LOCATION', 'ACTIVE', 'STANDBY', 'STATIONARY', 'PENDING', 'OFFLINE'];
    const table = tableOf(...order.map((status, row) => asset(row, { status })));
    expect(rowsOf(filled(table))).toEqual([5, 4, 2, 3, 1, 0]);
    expect([...STATUS_STACK]).toEqual([30, 25, 20, 20, 15, 10, 10, 20]);
    // Pinned 75 more, hovered 100 more, whatever the status.
    expect([STACK_PINNED, STACK_HOVER, STACK_SELECTED]).toEqual([75, 100, 106]);
  });

  it('a pinned offline mark covers a location mark, a hovered one covers both, ties keep their row order', () => {
    const table = tableOf(asset(0, { status: 'OFFLINE' }), asset(1, { status: 'LOCATION' }), asset(2), asset(3));
    table.mark(0, PINNED, true);
    expect(rowsOf(filled(table))).toEqual([2, 3, 1, 0]);
    table.mark(2, HOVERED, true);
    expect(rowsOf(filled(table))).toEqual([3, 1, 0, 2]);
    table.mark(1, PINNED, true);
    table.mark(1, HOVERED, true);
    expect(rowsOf(filled(table))).toEqual([3, 0, 2, 1]);
  });

  it('nothing covers the selected mark but one that is hovered', () => {
    const table = tableOf(asset(0, { status: 'OFFLINE' }), asset(1, { status: 'LOCATION' }), asset(2), asset(3));
    table.mark(0, SELECTED, true);
    expect(rowsOf(filled(table))).toEqual([2, 3, 1, 0]);
    table.mark(1, PINNED, true);
    expect(rowsOf(filled(table))).toEqual([2, 3, 1, 0]);
    table.mark(2, HOVERED, true);
    expect(rowsOf(filled(table))).toEqual([3, 1, 0, 2]);
    table.mark(0, SELECTED, false);
    expect(rowsOf(filled(table))).toEqual([0, 3, 1, 2]);
  });
});

describe('faces', () => {
  const moving = { status: 'ACTIVE', course: 90, speed: 10 } as const;

  it('a moving alerting mark points along its course; still, unknown or stale it is a disc', () => {
    const table = tableOf(
      asset(0, moving),
      asset(1, { ...moving, speed: 0 }),
      asset(2, { ...moving, course: null }),
      asset(3, { ...moving, staleAt: NOW }),
      asset(4, { ...moving, status: 'STANDBY' }),
    );
    const fill = filled(table);
    const face = (row: number) => instance(fill, rowsOf(fill).indexOf(row));
    expect(face(0)).toMatchObject({ shape: DROP_CELL, turn: 16384, alpha: 255 });
    for (const row of [1, 2]) expect(face(row)).toMatchObject({ shape: DISC_CELL, turn: 0, alpha: 255 });
    expect(face(3)).toMatchObject({ shape: DISC_CELL, turn: 0 });
    expect(face(3).alpha).toBeLessThan(200);
    expect(face(4)).toMatchObject({ shape: SHAPE_CELL.ring, turn: 0 });
  });

  it('a lit arrow board is a ring where the map is about something else, but for the selected one', () => {
    const board = { status: 'ACTIVE', type: 'arrow_board' } as const;
    const table = tableOf(
      asset(0, board),
      asset(1, { ...board, course: 90, speed: 10 }),
      asset(2, board),
      asset(3, { status: 'ACTIVE' }),
      asset(4, { ...board, status: 'STANDBY' }),
    );
    table.mark(2, SELECTED, true);
    const shapes = (behind: boolean) => {
      const fill = filled(table, { behind });
      const order = rowsOf(fill);
      // The ring of the selected mark stands below it.
      const at = (row: number) => order.indexOf(row) + (order.indexOf(row) >= order.indexOf(2) ? 1 : 0);
      return [0, 1, 2, 3, 4].map(row => instance(fill, at(row)).shape);
    };
    const { disc, drop, ring, ringLit } = SHAPE_CELL;
    expect(shapes(false)).toEqual([disc, drop, disc, disc, ring]);
    expect(shapes(true)).toEqual([ringLit, ringLit, disc, disc, ring]);
  });

  it('a fill knows when the next mark in view becomes stale', () => {
    const table = tableOf(
      asset(0, { staleAt: NOW + 500 }),
      asset(1, { staleAt: NOW + 90 }),
      asset(2, { staleAt: NOW - 1 }),
    );
    expect(filled(table).nextStaleAt).toBe(NOW + 90);
    expect(filled(tableOf(asset(0))).nextStaleAt).toBe(Number.POSITIVE_INFINITY);
  });

  it('status, type and service give each its own cells; a change of one changes them', () => {
    const table = tableOf(asset(0));
    const before = instance(filled(table), 0);
    for (const change of [{ status: 'PENDING' }, { type: 'tow' }, { inService: false }] as const) {
      table.apply({ removed: [], upserted: AssetColumns.of([asset(0, change)]) }, 0, false, null);
      const after = instance(filled(table), 0);
      expect([after.shape, after.overlay]).not.toEqual([before.shape, before.overlay]);
    }
  });

  it('the selected mark has a ring below it', () => {
    const table = tableOf(asset(0), asset(1));
    table.mark(0, SELECTED, true);
    const fill = filled(table);
    expect(fill.instances).toBe(3);
    expect(rowsOf(fill)).toEqual([1, 0]);
    expect(instance(fill, 1)).toMatchObject({ shape: SELECT_CELL, overlay: 255 });
    expect(instance(fill, 2).shape).toBe(SHAPE_CELL.ring);
  });

  it('all marks dim when the stream is down', () => {
    expect(instance(filled(tableOf(asset(0)), { dimmed: true }), 0).alpha).toBe(128);
  });

  it('marks survive a new report of the same asset', () => {
    const table = tableOf(asset(0));
    table.mark(0, SELECTED, true);
    table.apply({ removed: [], upserted: AssetColumns.of([asset(0, { lat: 39.51 })]) }, 0, false, null);
    expect(filled(table).instances).toBe(2);
  });
});

describe('exactness', () => {
  it('float32 instances stay within a tenth of a pixel at zoom 20', () => {
    const origin = { lat: 39.5, lng: -75.5 };
    const table = tableOf(asset(0, { lat: 39.5004321, lng: -75.5004321 }));
    const [x = 0, y = 0] = instance(filled(table, { origin }), 0).to;
    const worldPx = 512 * 2 ** 20;
    expect(Math.abs(x + mercatorX(origin.lng) - mercatorX(-75.5004321)) * worldPx).toBeLessThan(0.1);
    expect(Math.abs(y + mercatorY(origin.lat) - mercatorY(39.5004321)) * worldPx).toBeLessThan(0.1);
  });

  it('the matrix is moved to the origin in float64', () => {
    const main = Array.from({ length: 16 }, (_, i) => i + 1);
    const origin = { lat: 0, lng: 0 }; // mercator 0.5, 0.5
    expect([...matrixAt(main, origin)].slice(12)).toEqual([16, 18, 20, 22]);
    expect([...matrixAt(main, origin)].slice(0, 12)).toEqual(main.slice(0, 12));
  });
});

describe('picking', () => {
  const ZOOM = 15;
  const degreesPerPx = 360 / (512 * 2 ** ZOOM);

  it('takes the top-most mark within reach, none outside', () => {
    const table = tableOf(asset(0, { status: 'LOCATION' }), asset(1), asset(2, { lat: 39.6 }));
    const fill = filled(table);
    const at = (px: number) => ({ lat: 39.5, lng: -75.5 + px * degreesPerPx });
    expect(pick(table, fill, at(0), ZOOM, 15, 0, false)).toBe(0);
    expect(pick(table, fill, at(14), ZOOM, 15, 0, false)).toBe(0);
    expect(pick(table, fill, at(16), ZOOM, 15, 0, false)).toBe(-1);
  });

  it('a pixel is a pixel to the north as well', () => {
    const table = tableOf(asset(0));
    const fill = filled(table);
    const up = (px: number) => ({ lat: 39.5 + px * degreesPerPx * Math.cos((39.5 * Math.PI) / 180), lng: -75.5 });
    expect(pick(table, fill, up(14.9), ZOOM, 15, 0, false)).toBe(0);
    expect(pick(table, fill, up(15.1), ZOOM, 15, 0, false)).toBe(-1);
  });

  it('a thumb takes the nearest', () => {
    const lng = (px: number) => -75.5 + px * degreesPerPx;
    const table = tableOf(asset(0, { lng: lng(10) }), asset(1, { status: 'LOCATION', lng: lng(-12) }));
    const fill = filled(table);
    const place = { lat: 39.5, lng: -75.5 };
    expect(pick(table, fill, place, ZOOM, 30, 0, false)).toBe(1);
    expect(pick(table, fill, place, ZOOM, 30, 0, true)).toBe(0);
  });

  it('finds a gliding mark where it is drawn', () => {
    const table = tableOf(asset(0));
    table.apply({ removed: [], upserted: AssetColumns.of([asset(0, { lng: -75.499 })]) }, 0, false, null);
    const fill = filled(table, { nowMs: 0 });
    const half = { lat: 39.5, lng: -75.4995 };
    expect(pick(table, fill, half, ZOOM, 8, 0, false)).toBe(-1);
    expect(pick(table, fill, half, ZOOM, 8, GLIDE_MS / 2, false)).toBe(0);
  });
});

// spec: 9.map.06 9.map.07
describe('sizes', () => {
  it('16 below zoom 11, 20 below 13, 30 from there', () => {
    expect([3, 10.9, 11, 12.9, 13, 18].map(markPx)).toEqual([16, 16, 20, 20, 30, 30]);
  });
});
