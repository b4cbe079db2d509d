import { lngDelta, MercatorSeries, mercatorX } from '../geometry';
import { GLIDE_MS } from '../glide';
import type { LatLng, LatLngBounds } from '../types';
import { BEHIND_CELLS, DISC_CELL, DROP_CELL, FACE_CELLS, SELECT_CELL } from './cells';
import { STACK_LEVELS } from './stack';
import {
  ALERTING,
  ALIVE,
  type AssetTable,
  FIX,
  FROM_LAT,
  FROM_LNG,
  faceIn,
  LAT,
  LNG,
  levelOf,
  PINNED,
  POINTS,
  SELECTED,
  SHOWN,
  STALE_AT,
  START_MS,
  TURN_SHIFT,
} from './table';

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
const SECONDS_PER_MS = 0.001;
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
  /** The map is about something else: only the selected mark is sure to look as in the live sections. */
  readonly behind: boolean;
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
  /** By stacking number: where its next mark comes in the drawing order. */
  readonly #places = new Int32Array(STACK_LEVELS);

  /** Culls to the box, sorts by stacking number (stable: by row) and writes the instances. */
  run(table: AssetTable, view: FillView): void {
    this.#reserve(table.rows);
    this.#makeRoom(table.levels);
    const selected = this.#write(table, view);
    this.#closeUp(table.levels);
    if (selected >= 0) this.#ring(this.order.subarray(0, this.visible).lastIndexOf(selected));
  }

  #reserve(rows: number): void {
    if (this.order.length >= rows) return;
    const capacity = Math.max(rows, this.order.length * 2, 256);
    this.order = new Int32Array(capacity);
    this.bytes = new ArrayBuffer((capacity + 1) * INSTANCE_BYTES); // + the ring: one asset is selected at a time
    this.#floats = new Float32Array(this.bytes);
    this.#words = new Uint32Array(this.bytes);
  }

  /** Room for all assets of each stacking number, in the order of the numbers. */
  #makeRoom(levels: Int32Array): void {
    let from = 0;
    for (let level = 0; level < STACK_LEVELS; level++) {
      this.#places[level] = from;
      from += levels[level] as number;
    }
  }

  // One loop over typed arrays held in locals: 100 000 marks are written between two frames. It reads the rows in their
  // own order and writes each mark that is in view to its place in the drawing order (a counting sort whose counts the
  // table keeps). What costs is the number of accesses; a loop to cull and another to write would be slower by a third.
  // Answers the row of the selected mark, -1 for none.
  #write(table: AssetTable, view: FillView): number {
    const { now, nowMs, origin, dimmed } = view;
    const { fixes, look: looks, rows } = table;
    const window = new Window(view.box);
    const need = ALIVE | SHOWN;
    const any = view.alertingOnly ? PINNED | SELECTED | ALERTING : need;
    const originX = mercatorX(origin.lng);
    const series = new MercatorSeries(origin.lat);
    const worthLng = (WORTH_PX * 360) / (WORLD_PX * 2 ** view.zoom);
    const worthLat = worthLng * Math.cos((origin.lat * Math.PI) / 180);
    const unselected = view.behind ? BEHIND_CELLS : FACE_CELLS;
    const places = this.#places;
    const order = this.order;
    const floats = this.#floats;
    const words = this.#words;
    let selected = -1;
    let restsAtMs = 0;
    let nextStaleAt = Number.POSITIVE_INFINITY;
    for (let row = 0; row < rows; row++) {
      const look = looks[row] as number;
      if ((look & need) !== need || (look & any) === 0) continue;
      const fix = row * FIX;
      if (window.misses(fixes, fix)) continue;
      const level = levelOf(look);
      const place = places[level] as number;
      places[level] = place + 1;
      order[place] = row;
      const toLng = fixes[fix + LNG] as number;
      const toLat = fixes[fix + LAT] as number;
      const x = relativeX(toLng, originX);
      const y = series.y(toLat);
      const startMs = fixes[fix + START_MS] as number;
      let fromX = x;
      let fromY = y;
      if (nowMs - startMs < GLIDE_MS) {
        const wasLng = fixes[fix + FROM_LNG] as number;
        const wasLat = fixes[fix + FROM_LAT] as number;
        if (Math.abs(toLng - wasLng) >= worthLng || Math.abs(toLat - wasLat) >= worthLat) {
          fromX = relativeX(wasLng, originX);
          fromY = series.y(wasLat);
          if (startMs + GLIDE_MS > restsAtMs) restsAtMs = startMs + GLIDE_MS;
        }
      }
      const staleAt = fixes[fix + STALE_AT] as number;
      const stale = staleAt > 0 && staleAt <= now;
      if (!stale && staleAt > 0 && staleAt < nextStaleAt) nextStaleAt = staleAt;
      const alpha = dimmed ? DIMMED_ALPHA : stale ? STALE_ALPHA : 255;
      let cells = ((look & SELECTED) === 0 ? unselected : FACE_CELLS)[faceIn(look)] as number;
      let turn = 0;
      if (!stale && (look & POINTS) !== 0 && (cells & 255) === DISC_CELL) {
        cells = (cells & 0xff00) | DROP_CELL;
        turn = look >>> TURN_SHIFT;
      }
      if ((look & SELECTED) !== 0) selected = row;
      const base = place * INSTANCE_WORDS;
      floats[base] = fromX;
      floats[base + 1] = fromY;
      floats[base + 2] = x;
      floats[base + 3] = y;
      floats[base + 4] = (startMs - nowMs) * SECONDS_PER_MS;
      words[base + 5] = cells | (alpha << 16) | (SCALE_ONE << 24);
      words[base + 6] = turn;
    }
    this.epochMs = nowMs;
    this.restsAtMs = restsAtMs;
    this.nextStaleAt = nextStaleAt;
    return selected;
  }

  /** Takes out the room that was left: of the assets of a stacking number not all are in view. */
  #closeUp(levels: Int32Array): void {
    let from = 0;
    let end = 0;
    for (let level = 0; level < STACK_LEVELS; level++) {
      const to = this.#places[level] as number;
      if (end < from && from < to) {
        this.order.copyWithin(end, from, to);
        this.#words.copyWithin(end * INSTANCE_WORDS, from * INSTANCE_WORDS, to * INSTANCE_WORDS);
      }
      end += to - from;
      from += levels[level] as number;
    }
    this.visible = end;
    this.instances = end;
  }

  /** Puts the ring below the selected mark: what is drawn from there on moves up by one. */
  #ring(place: number): void {
    const words = this.#words;
    const at = place * INSTANCE_WORDS;
    words.copyWithin(at + INSTANCE_WORDS, at, this.instances * INSTANCE_WORDS);
    words[at + 5] = SELECT_RING;
    words[at + 6] = 0;
    this.instances++;
  }
}

/** The box that is drawn, for culling. */
class Window {
  readonly #x: number;
  readonly #y: number;
  readonly #halfX: number;
  readonly #halfY: number;

  constructor({ south, west, north, east }: LatLngBounds) {
    this.#x = (west + east) / 2;
    this.#y = (south + north) / 2;
    this.#halfX = (east - west) / 2;
    this.#halfY = (north - south) / 2;
  }

  /** Whether a mark stays outside: both ends of its glide, and the way between them. */
  misses(fixes: Float64Array, fix: number): boolean {
    const y = (fixes[fix + LAT] as number) - this.#y;
    if (Math.abs(y) > this.#halfY) {
      const fromY = (fixes[fix + FROM_LAT] as number) - this.#y;
      if (Math.abs(fromY) > this.#halfY && y * fromY > 0) return true;
    }
    const x = lngDelta(fixes[fix + LNG] as number, this.#x);
    if (Math.abs(x) <= this.#halfX) return false;
    const fromX = lngDelta(fixes[fix + FROM_LNG] as number, this.#x);
    return Math.abs(fromX) > this.#halfX && x * fromX > 0;
  }
}

function relativeX(lng: number, originX: number): number {
  const x = mercatorX(lng) - originX;
  return x > 0.5 ? x - 1 : x < -0.5 ? x + 1 : x;
}
