import { glideShare, snaps } from '../glide';
import type { AssetBatch, LatLng, LatLngBounds, MapAsset } from '../types';
import { faceOf, STATUS_CODE, statusCode, typeCode } from './cells';

export const ALIVE = 1;
export const SHOWN = 2;
export const PINNED = 4;
export const HOVERED = 8;
export const SELECTED = 16;
/** The course is known and the asset moves: the drop may point while the position is fresh. */
export const POINTS = 32;
/** Status LOCATION or ACTIVE. */
export const ALERTING = 64;

export interface Applied {
  /** Something inside (or leaving) the watched box changed: the picture must be drawn again. */
  readonly visible: boolean;
  /** Assets that have just become on-scene; not those of a first load. */
  readonly newOnScene: readonly number[];
}

/**
 * The assets as a struct of arrays indexed by row. No object is touched while
 * drawing; `objects` keeps the given ones for words, labels and filters.
 */
export class AssetTable {
  /** Rows in use are below this. */
  rows = 0;
  size = 0;
  lng = new Float64Array(0);
  lat = new Float64Array(0);
  fromLng = new Float64Array(0);
  fromLat = new Float64Array(0);
  /** When the glide to lng/lat began, on the clock of `apply` (ms). */
  startMs = new Float64Array(0);
  staleAt = new Float64Array(0);
  /** Course of those that point, 65536 = 360°. */
  turn = new Uint16Array(0);
  /** Status, type and service in one byte (cells.ts). */
  face = new Uint8Array(0);
  flags = new Uint8Array(0);
  objects: (MapAsset | undefined)[] = [];

  #filter: ((asset: MapAsset) => boolean) | null = null;
  readonly #rowOf = new Map<string, number>();
  #ids: string[] = [];

  /** Row of an asset, -1 when it is not here. */
  rowOf(id: string): number {
    return this.#rowOf.get(id) ?? -1;
  }

  /**
   * Takes one batch. `nowMs` is a steady clock (performance.now) for glides;
   * `unwatched` makes all marks snap; `watched` is the box that is drawn.
   */
  apply(batch: AssetBatch, nowMs: number, unwatched: boolean, watched: LatLngBounds | null): Applied {
    const fresh = batch.reset === true || this.size === 0;
    let visible = batch.reset === true && this.size > 0;
    if (batch.reset) this.#clear();
    for (const row of batch.removed) visible = this.#remove(row, watched) || visible;
    const newOnScene: number[] = [];
    for (let i = 0; i < batch.upserted.length; i++) {
      const asset = batch.upserted[i] as MapAsset;
      const row = asset.row;
      if (row >= this.lng.length) this.#grow(row + 1);
      const alive = ((this.flags[row] as number) & ALIVE) !== 0;
      const wasScene = alive && (this.face[row] as number) >> 5 === STATUS_CODE.LOCATION;
      if (!visible && alive) visible = this.#inBox(row, watched);
      this.#stand(asset, row, alive, nowMs, unwatched);
      const status = this.#dress(asset, row);
      if (!visible) visible = this.#inBox(row, watched);
      if (status === STATUS_CODE.LOCATION && !wasScene && !fresh) newOnScene.push(row);
    }
    return { visible, newOnScene };
  }

  #inBox(row: number, box: LatLngBounds | null): boolean {
    if (!box) return true;
    const lat = this.lat[row] as number;
    if (lat < box.south || lat > box.north) return false;
    let lng = this.lng[row] as number;
    if (lng < box.west) lng += 360;
    else if (lng > box.east) lng -= 360;
    return lng >= box.west && lng <= box.east;
  }

  // Compares with the arrays, never with the object before: that one is cold memory.
  #stand(asset: MapAsset, row: number, alive: boolean, nowMs: number, unwatched: boolean): void {
    const { lat, lng, id } = asset;
    const lats = this.lat;
    const lngs = this.lng;
    if (alive && this.#ids[row] === id) {
      if (lat !== lats[row] || lng !== lngs[row]) this.#move(row, lat, lng, nowMs, unwatched);
    } else this.#enter(row, id, lat, lng, alive);
    lats[row] = lat;
    lngs[row] = lng;
    this.staleAt[row] = asset.staleAt;
    this.objects[row] = asset;
  }

  /** Takes over what the mark looks like; answers the status code. */
  #dress(asset: MapAsset, row: number): number {
    const status = statusCode(asset.status);
    const slashed = !asset.inService || status === STATUS_CODE.OOS;
    this.face[row] = faceOf(status, typeCode(asset.type), slashed);
    let flags = ((this.flags[row] as number) & (PINNED | HOVERED | SELECTED)) | ALIVE;
    if (this.#filter === null || this.#filter(asset)) flags |= SHOWN;
    if (status <= STATUS_CODE.ACTIVE) flags |= ALERTING;
    // Only an active asset shows its course: the others' is not even read.
    if (status === STATUS_CODE.ACTIVE && asset.course !== null && asset.speed > 0) {
      flags |= POINTS;
      this.turn[row] = Math.round((asset.course / 360) * 65536);
    }
    this.flags[row] = flags;
    return status;
  }

  /** An asset that was not here takes a row, from another one when that row is still taken. */
  #enter(row: number, id: string, lat: number, lng: number, taken: boolean): void {
    if (taken) this.#rowOf.delete(this.#ids[row] as string);
    else this.size++;
    this.#rowOf.set(id, row);
    this.#ids[row] = id;
    this.fromLat[row] = lat;
    this.fromLng[row] = lng;
    this.startMs[row] = 0;
    this.flags[row] = 0;
    if (row >= this.rows) this.rows = row + 1;
  }

  #move(row: number, lat: number, lng: number, nowMs: number, unwatched: boolean): void {
    const { fromLat: fromLats, fromLng: fromLngs, startMs: starts } = this;
    // From where the mark stands now, so that a fix in the middle of a glide does not jump.
    let nowLat = this.lat[row] as number;
    let nowLng = this.lng[row] as number;
    const share = glideShare(starts[row] as number, nowMs);
    if (share < 1) {
      const fromLat = fromLats[row] as number;
      const fromLng = fromLngs[row] as number;
      nowLat = fromLat + (nowLat - fromLat) * share;
      nowLng = fromLng + (nowLng - fromLng) * share;
    }
    const jumps = snaps(nowLat, nowLng, lat, lng, unwatched);
    fromLats[row] = jumps ? lat : nowLat;
    fromLngs[row] = jumps ? lng : nowLng;
    starts[row] = jumps ? 0 : nowMs;
  }

  /** Where the mark of a row stands at an instant of the glide clock. */
  positionAt(row: number, nowMs: number): LatLng {
    const share = glideShare(this.startMs[row] as number, nowMs);
    const lat = this.fromLat[row] as number;
    const lng = this.fromLng[row] as number;
    return {
      lat: lat + ((this.lat[row] as number) - lat) * share,
      lng: lng + ((this.lng[row] as number) - lng) * share,
    };
  }

  setFilter(filter: ((asset: MapAsset) => boolean) | null): void {
    this.#filter = filter;
    for (let row = 0; row < this.rows; row++) {
      const asset = this.objects[row];
      if (asset === undefined) continue;
      const flags = (this.flags[row] as number) & ~SHOWN;
      this.flags[row] = filter === null || filter(asset) ? flags | SHOWN : flags;
    }
  }

  /** Sets or clears PINNED, HOVERED or SELECTED; true when that changed something. */
  mark(row: number, flag: number, on: boolean): boolean {
    if (row < 0 || row >= this.rows || this.objects[row] === undefined) return false;
    const before = this.flags[row] as number;
    const after = on ? before | flag : before & ~flag;
    this.flags[row] = after;
    return before !== after;
  }

  /** Ends all glides where they lead: the picture was not watched. */
  settle(): void {
    this.fromLat.set(this.lat);
    this.fromLng.set(this.lng);
    this.startMs.fill(0);
  }

  /** Targets of the displayed assets. */
  *shownPlaces(): Generator<LatLng> {
    for (let row = 0; row < this.rows; row++) {
      if (((this.flags[row] as number) & (ALIVE | SHOWN)) !== (ALIVE | SHOWN)) continue;
      yield { lat: this.lat[row] as number, lng: this.lng[row] as number };
    }
  }

  #remove(row: number, watched: LatLngBounds | null): boolean {
    const asset = this.objects[row];
    if (asset === undefined) return false;
    const visible = this.#inBox(row, watched);
    this.objects[row] = undefined;
    this.flags[row] = 0;
    this.#rowOf.delete(asset.id);
    this.size--;
    return visible;
  }

  #clear(): void {
    this.rows = 0;
    this.size = 0;
    this.flags.fill(0);
    this.objects = [];
    this.#ids = [];
    this.#rowOf.clear();
  }

  #grow(needed: number): void {
    const capacity = Math.max(needed, this.lng.length * 2, 256);
    this.lng = grown(this.lng, capacity);
    this.lat = grown(this.lat, capacity);
    this.fromLng = grown(this.fromLng, capacity);
    this.fromLat = grown(this.fromLat, capacity);
    this.startMs = grown(this.startMs, capacity);
    this.staleAt = grown(this.staleAt, capacity);
    this.turn = grown(this.turn, capacity);
    this.face = grown(this.face, capacity);
    this.flags = grown(this.flags, capacity);
  }
}

function grown<A extends Float64Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(
  old: A,
  capacity: number,
): A {
  const Type = old.constructor as new (length: number) => A;
  const next = new Type(capacity);
  next.set(old);
  return next;
}
