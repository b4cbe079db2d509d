import { lngDelta, mercatorNear, mercatorX } from '../geometry';
import { GLIDE_MS } from '../glide';
import type { LatLng, LatLngBounds } from '../types';
import { DISC_CELL, DROP_CELL, FACE_CELLS, SELECT_CELL } from './cells';
import { FACE_STACK, STACK_HOVER, STACK_LEVELS, STACK_PINNED } from './stack';
import { ALERTING, ALIVE, type AssetTable, HOVERED, PINNED, POINTS, SELECTED, SHOWN } from './table';

/**
 * One instance of the draw call, 28 bytes: from x, from y, to x, to y (float32,
 * web mercator relative to the origin), start of the glide (float32, seconds
 * since the epoch of the fill), shape cell, overlay cell, opacity /255, scale
 * /64 (bytes), turn (uint16, 65536 = 360°), 2 bytes unused. Little-endian, like
 * every machine that runs a browser.
 */
export const INSTANCE_BYTES = 28;
const INSTANCE_WORDS = INSTANCE_BYTES / 4;
export const NO_CELL = 255;
const SCALE_ONE = 64;
/** The selection ring: 42 px around a mark of 30. */
const SELECT_SCALE = Math.round(SCALE_ONE * 1.4);
const SELECT_RING = SELECT_CELL | (NO_CELL << 8) | (255 << 16) | (SELECT_SCALE << 24);
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
  #words = new Uint32Array(0);
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
    this.#words = new Uint32Array(this.bytes);
  }

  #cull(table: AssetTable, view: FillView): number {
    const { lat, lng, fromLat, fromLng, flags, face, rows } = table;
    const { south, north, west, east } = view.box;
    const need = ALIVE | SHOWN;
    const middle = (west + east) / 2;
    const half = (east - west) / 2;
    const { alertingOnly } = view;
    const special = PINNED | SELECTED | ALERTING;
    const found = this.#found;
    const levels = this.#levels;
    const counts = this.#counts.fill(0);
    let n = 0;
    for (let row = 0; row < rows; row++) {
      const flag = flags[row] as number;
      if ((flag & need) !== need) continue;
      if (alertingOnly && (flag & special) === 0) continue;
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

  // One loop over typed arrays held in locals: 100 000 marks are written between two frames.
  #write(table: AssetTable, view: FillView): void {
    const { now, nowMs, origin, dimmed } = view;
    const { lng, lat, fromLng, fromLat, startMs: starts, staleAt: stales, face: faces, flags, turn: turns } = table;
    const originX = mercatorX(origin.lng);
    const relativeY = mercatorNear(origin.lat);
    const worthLng = (WORTH_PX * 360) / (WORLD_PX * 2 ** view.zoom);
    const worthLat = worthLng * Math.cos((origin.lat * Math.PI) / 180);
    const order = this.order;
    const floats = this.#floats;
    const words = this.#words;
    let restsAtMs = 0;
    let nextStaleAt = Number.POSITIVE_INFINITY;
    let at = 0;
    for (let i = 0; i < this.visible; i++) {
      const row = order[i] as number;
      const toLng = lng[row] as number;
      const toLat = lat[row] as number;
      const x = relativeX(toLng, originX);
      const y = relativeY(toLat);
      const startMs = starts[row] as number;
      let fromX = x;
      let fromY = y;
      if (nowMs - startMs < GLIDE_MS) {
        const wasLng = fromLng[row] as number;
        const wasLat = fromLat[row] as number;
        if (Math.abs(toLng - wasLng) >= worthLng || Math.abs(toLat - wasLat) >= worthLat) {
          fromX = relativeX(wasLng, originX);
          fromY = relativeY(wasLat);
          if (startMs + GLIDE_MS > restsAtMs) restsAtMs = startMs + GLIDE_MS;
        }
      }
      const flag = flags[row] as number;
      const staleAt = stales[row] as number;
      const stale = staleAt > 0 && staleAt <= now;
      if (!stale && staleAt > 0 && staleAt < nextStaleAt) nextStaleAt = staleAt;
      const start = (startMs - nowMs) / 1000;
      if ((flag & SELECTED) !== 0) {
        const ring = at++ * INSTANCE_WORDS;
        floats.set([fromX, fromY, x, y, start], ring);
        words.set([SELECT_RING, 0], ring + 5);
      }
      const alpha = dimmed ? DIMMED_ALPHA : stale ? STALE_ALPHA : 255;
      let cells = FACE_CELLS[faces[row] as number] as number;
      let turn = 0;
      if (!stale && (flag & POINTS) !== 0 && (cells & 255) === DISC_CELL) {
        cells = (cells & 0xff00) | DROP_CELL;
        turn = turns[row] as number;
      }
      const base = at++ * INSTANCE_WORDS;
      floats[base] = fromX;
      floats[base + 1] = fromY;
      floats[base + 2] = x;
      floats[base + 3] = y;
      floats[base + 4] = start;
      words[base + 5] = cells | (alpha << 16) | (SCALE_ONE << 24);
      words[base + 6] = turn;
    }
    this.epochMs = nowMs;
    this.restsAtMs = restsAtMs;
    this.nextStaleAt = nextStaleAt;
    this.instances = at;
  }
}

function relativeX(lng: number, originX: number): number {
  const x = mercatorX(lng) - originX;
  return x > 0.5 ? x - 1 : x < -0.5 ? x + 1 : x;
}
