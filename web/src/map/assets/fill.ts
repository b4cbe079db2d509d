import { lngDelta, mercatorNear, mercatorX } from '../geometry';
import { GLIDE_MS } from '../glide';
import type { LatLng, LatLngBounds } from '../types';
import { DISC_CELL, DROP_CELL, FACE_OVERLAY, FACE_SHAPE, SELECT_CELL } from './cells';
import { FACE_STACK, STACK_HOVER, STACK_LEVELS, STACK_PINNED } from './stack';
import { ALERTING, ALIVE, type AssetTable, HOVERED, PINNED, POINTS, SELECTED, SHOWN } from './table';

/**
 * One instance of the draw call, 28 bytes: from x, from y, to x, to y (float32,
 * web mercator relative to the origin), start of the glide (float32, seconds
 * since the epoch of the fill), shape cell, overlay cell, opacity /255, scale
 * /64 (bytes), turn (uint16, 65536 = 360°), 2 bytes unused.
 */
export const INSTANCE_BYTES = 28;
export const NO_CELL = 255;
const SCALE_ONE = 64;
/** The selection ring: 42 px around a mark of 30. */
const SELECT_SCALE = Math.round(SCALE_ONE * 1.4);
const STALE_ALPHA = Math.round(255 * 0.55);
const DIMMED_ALPHA = Math.round(255 * 0.5);
/** Glides shorter than this many px are not worth a frame. */
const WORTH_PX = 0.75;
const WORLD_PX = 512;
export const MARGIN_SHARE = 0.5;

export interface FillView {
  /** What is drawn: the viewport and a margin. May reach over the antimeridian (west < -180 or east > 180). */
  readonly box: LatLngBounds;
  readonly origin: LatLng;
  readonly zoom: number;
  /** Server time, for staleness. */
  readonly now: number;
  /** The glide clock. */
  readonly nowMs: number;
  readonly dimmed: boolean;
  /** Density view: only alerting, pinned and selected marks are drawn. */
  readonly alertingOnly: boolean;
}

/** What was drawn, kept for picking; grows as needed. */
export class Fill {
  bytes = new ArrayBuffer(0);
  instances = 0;
  /** Rows in drawing order: the last is on top. */
  order = new Int32Array(0);
  visible = 0;
  /** The glide clock's instant when the last glide ends; 0 when all marks rest. */
  restsAtMs = 0;
  /** Server instant when the next mark in view becomes stale; Infinity for never. */
  nextStaleAt = Number.POSITIVE_INFINITY;
  /** Glide clock at which `start` in the instances is 0. */
  epochMs = 0;

  #floats = new Float32Array(0);
  #octets = new Uint8Array(0);
  #words = new Uint16Array(0);
  #found = new Int32Array(0);
  #levels = new Uint8Array(0);
  readonly #counts = new Int32Array(STACK_LEVELS + 1);

  /** Culls to the box, sorts by stacking number (stable: by row) and writes the instances. */
  run(table: AssetTable, view: FillView): void {
    this.#reserve(table.rows);
    const found = this.#cull(table, view);
    this.#sort(found);
    this.#write(table, view);
  }

  #reserve(rows: number): void {
    if (this.order.length >= rows) return;
    const capacity = Math.max(rows, this.order.length * 2, 256);
    this.order = new Int32Array(capacity);
    this.#found = new Int32Array(capacity);
    this.#levels = new Uint8Array(capacity);
    this.bytes = new ArrayBuffer((capacity + 1) * INSTANCE_BYTES); // + the selection ring
    this.#floats = new Float32Array(this.bytes);
    this.#octets = new Uint8Array(this.bytes);
    this.#words = new Uint16Array(this.bytes);
  }

  #cull(table: AssetTable, view: FillView): number {
    const { lat, lng, fromLat, fromLng, flags, face, rows } = table;
    const { south, north, west, east } = view.box;
    const need = ALIVE | SHOWN;
    const middle = (west + east) / 2;
    const half = (east - west) / 2;
    const special = PINNED | SELECTED | ALERTING;
    const found = this.#found;
    const levels = this.#levels;
    const counts = this.#counts.fill(0);
    let n = 0;
    for (let row = 0; row < rows; row++) {
      const flag = flags[row] as number;
      if ((flag & need) !== need) continue;
      if (view.alertingOnly && (flag & special) === 0) continue;
      const y = lat[row] as number;
      const fromY = fromLat[row] as number;
      // Both ends of a glide may be what is in view.
      if ((y < south && fromY < south) || (y > north && fromY > north)) continue;
      const x = lngDelta(lng[row] as number, middle);
      if (x > half || x < -half) {
        const fromX = lngDelta(fromLng[row] as number, middle);
        if (fromX > half || fromX < -half) continue;
      }
      const level =
        (FACE_STACK[face[row] as number] as number) +
        ((flag & PINNED) !== 0 ? STACK_PINNED : 0) +
        ((flag & HOVERED) !== 0 ? STACK_HOVER : 0);
      levels[n] = level;
      counts[level + 1] = (counts[level + 1] as number) + 1;
      found[n++] = row;
    }
    return n;
  }

  /** Counting sort by level; stable, so that marks of one level keep their order from fill to fill. */
  #sort(found: number): void {
    const counts = this.#counts;
    for (let level = 1; level < counts.length; level++) {
      counts[level] = (counts[level] as number) + (counts[level - 1] as number);
    }
    for (let i = 0; i < found; i++) {
      const level = this.#levels[i] as number;
      const at = counts[level] as number;
      counts[level] = at + 1;
      this.order[at] = this.#found[i] as number;
    }
    this.visible = found;
  }

  #write(table: AssetTable, view: FillView): void {
    const { now, nowMs, origin, zoom } = view;
    const originX = mercatorX(origin.lng);
    const relativeY = mercatorNear(origin.lat);
    const worth = WORTH_PX / (WORLD_PX * 2 ** zoom);
    this.epochMs = nowMs;
    this.restsAtMs = 0;
    this.nextStaleAt = Number.POSITIVE_INFINITY;
    const floats = this.#floats;
    let at = 0;
    for (let i = 0; i < this.visible; i++) {
      const row = this.order[i] as number;
      const startMs = table.startMs[row] as number;
      const x = relativeX(table.lng[row] as number, originX);
      const y = relativeY(table.lat[row] as number);
      let fromX = x;
      let fromY = y;
      if (nowMs - startMs < GLIDE_MS) {
        fromX = relativeX(table.fromLng[row] as number, originX);
        fromY = relativeY(table.fromLat[row] as number);
        if (Math.abs(x - fromX) < worth && Math.abs(y - fromY) < worth) {
          fromX = x;
          fromY = y;
        } else if (startMs + GLIDE_MS > this.restsAtMs) this.restsAtMs = startMs + GLIDE_MS;
      }
      const selected = ((table.flags[row] as number) & SELECTED) !== 0;
      for (let copy = selected ? 0 : 1; copy < 2; copy++) {
        const base = at * 7;
        floats[base] = fromX;
        floats[base + 1] = fromY;
        floats[base + 2] = x;
        floats[base + 3] = y;
        floats[base + 4] = (startMs - nowMs) / 1000;
        if (copy === 0) this.#face(at, SELECT_CELL, NO_CELL, 255, SELECT_SCALE, 0);
        else this.#mark(at, table, row, now, view.dimmed);
        at++;
      }
    }
    this.instances = at;
  }

  #mark(at: number, table: AssetTable, row: number, now: number, dimmed: boolean): void {
    const staleAt = table.staleAt[row] as number;
    const stale = staleAt > 0 && staleAt <= now;
    if (!stale && staleAt > 0 && staleAt < this.nextStaleAt) this.nextStaleAt = staleAt;
    const face = table.face[row] as number;
    let shape = FACE_SHAPE[face] as number;
    let turn = 0;
    if (shape === DISC_CELL && !stale && ((table.flags[row] as number) & POINTS) !== 0) {
      shape = DROP_CELL;
      turn = Math.round(((table.course[row] as number) / 360) * 65536) & 0xffff;
    }
    const alpha = dimmed ? DIMMED_ALPHA : stale ? STALE_ALPHA : 255;
    this.#face(at, shape, FACE_OVERLAY[face] as number, alpha, SCALE_ONE, turn);
  }

  #face(at: number, shape: number, overlay: number, alpha: number, scale: number, turn: number): void {
    const octet = at * INSTANCE_BYTES + 20;
    this.#octets[octet] = shape;
    this.#octets[octet + 1] = overlay;
    this.#octets[octet + 2] = alpha;
    this.#octets[octet + 3] = scale;
    this.#words[at * (INSTANCE_BYTES / 2) + 12] = turn;
  }
}

function relativeX(lng: number, originX: number): number {
  const x = mercatorX(lng) - originX;
  return x > 0.5 ? x - 1 : x < -0.5 ? x + 1 : x;
}
