import type { AssetColumns } from '~/model/batch';
import { glideShare, snaps } from '../glide';
import type { AssetBatch, LatLng, LatLngBounds } from '../types';
import { STATUS_CODE } from './cells';
import { FACE_STACK, STACK_HOVER, STACK_LEVELS, STACK_PINNED, STACK_SELECTED } from './stack';

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

/** Places in a row's part of `fixes`, and the length of one. */
export const LAT = 0;
export const LNG = 1;
export const FROM_LAT = 2;
export const FROM_LNG = 3;
export const START_MS = 4;
export const STALE_AT = 5;
export const FIX = 6;
/** Where in a look the face (model/batch.ts) and, above it, the course begin: the flags are the lowest byte. */
const FACE_SHIFT = 8;
export const TURN_SHIFT = 16;
const TURNS = 65536;
/** The face in a look: FACE_CELLS and FACE_STACK are indexed by it. */
export const faceIn = (look: number): number => (look >>> FACE_SHIFT) & 255;
const STATUS_SHIFT = FACE_SHIFT + 5;
const STATUS_BITS = 7;
const statusIn = (look: number): number => (look >>> STATUS_SHIFT) & STATUS_BITS;

/** Flags that an update of the asset leaves as they are. */
const KEPT = PINNED | HOVERED | SELECTED;
/** What of the rest decides the stacking number. */
const STACKED = ALIVE | (STATUS_BITS << STATUS_SHIFT);

/** Stacking number of a mark by its look (requirements 9.map; the selected one above what is not hovered). */
export function levelOf(look: number): number {
  const level = FACE_STACK[faceIn(look)] as number;
  if ((look & (PINNED | HOVERED | SELECTED)) === 0) return level;
  if ((look & (HOVERED | SELECTED)) === SELECTED) return STACK_SELECTED;
  return level + ((look & PINNED) !== 0 ? STACK_PINNED : 0) + ((look & HOVERED) !== 0 ? STACK_HOVER : 0);
}

/** The assets as arrays by row; no object stands behind them. */
export class AssetTable {
  /** Rows in use are below this. */
  rows = 0;
  size = 0;
  /**
   * FIX numbers an asset: where it is (LAT, LNG), whence its mark glides there (FROM_…), when that began on the clock of
   * `apply` (START_MS; 0: long ago), and from when on it is stale (server time, 0: never). One array, because what costs
   * is how many arrays a loop has at hand.
   */
  fixes = new Float64Array(0);
  /**
   * One word an asset, for the same reason: flags (lowest byte), face (next) and,
   * of those that point, the course (16 bits, 65536 = 360°). 0 for a free row.
   */
  look = new Uint32Array(0);
  /**
   * How many assets have each stacking number, displayed or not. It changes seldom, and tells a fill where each number
   * begins in the drawing order before it has looked at any asset.
   */
  readonly levels = new Int32Array(STACK_LEVELS);
  /** Rows of the pinned and the selected. */
  readonly marked = new Set<number>();
  /** Full display names. */
  readonly labels: string[] = [];

  /** False: none is displayed, whatever batches say. */
  #displays = true;
  readonly #rowOf = new Map<string, number>();
  readonly #ids: string[] = [];

  /** Row of an asset, -1 when it is not here. */
  rowOf(id: string): number {
    return this.#rowOf.get(id) ?? -1;
  }

  /** Asset of a row; undefined when there is none. */
  idOf(row: number): string | undefined {
    return this.holds(row) ? this.#ids[row] : undefined;
  }

  /** Whether an asset has this row. */
  holds(row: number): boolean {
    return ((this.look[row] ?? 0) & ALIVE) !== 0;
  }

  /** Status code (cells.ts) of an asset. */
  statusOf(row: number): number {
    return statusIn(this.look[row] as number);
  }

  /**
   * Takes one batch. `nowMs` is a steady clock (performance.now) for glides;
   * `unwatched` makes all marks snap; `watched` is the box that is drawn.
   */
  apply(batch: AssetBatch, nowMs: number, unwatched: boolean, watched: LatLngBounds | null): Applied {
    const { upserted, removed, reset = false } = batch;
    const fresh = reset || this.size === 0;
    let visible = reset && this.size > 0;
    if (reset) this.#clear();
    for (const row of removed) visible = this.#remove(row, watched) || visible;
    // One pass for each concern, over arrays alone: 100 000 marks may move at once.
    this.#admit(upserted);
    visible = visible || this.#touches(upserted, watched);
    this.#stand(upserted, nowMs, unwatched);
    visible = visible || this.#touches(upserted, watched);
    const newOnScene = this.#dress(upserted);
    return { visible, newOnScene: fresh ? [] : newOnScene };
  }

  /** Gives their rows to those that were not here. */
  #admit({ length, end, row: rows, id: ids, lat, lng }: AssetColumns): void {
    if (end > this.look.length) this.#grow(end);
    this.rows = Math.max(this.rows, end);
    const { look, fixes } = this;
    for (let i = 0; i < length; i++) {
      const row = rows[i] as number;
      if ((look[row] as number) !== 0) continue;
      const id = ids[i] as string;
      this.size++;
      this.#rowOf.set(id, row);
      this.#ids[row] = id;
      const fix = row * FIX;
      fixes[fix + LAT] = fixes[fix + FROM_LAT] = lat[i] as number;
      fixes[fix + LNG] = fixes[fix + FROM_LNG] = lng[i] as number;
      fixes[fix + START_MS] = 0;
    }
  }

  /** Whether one of these stands in the box. */
  #touches({ length, row: rows }: AssetColumns, box: LatLngBounds | null): boolean {
    for (let i = 0; i < length; i++) if (this.#inBox(rows[i] as number, box)) return true;
    return false;
  }

  #inBox(row: number, box: LatLngBounds | null): boolean {
    if (!box) return true;
    const lat = this.fixes[row * FIX + LAT] as number;
    if (lat < box.south || lat > box.north) return false;
    let lng = this.fixes[row * FIX + LNG] as number;
    if (lng < box.west) lng += 360;
    else if (lng > box.east) lng -= 360;
    return lng >= box.west && lng <= box.east;
  }

  /** Glides begin where the marks stand now, so that a fix in the middle of one does not jump. */
  #stand({ length, row: rows, lat: lats, lng: lngs, staleAt }: AssetColumns, nowMs: number, unwatched: boolean): void {
    const { fixes } = this;
    for (let i = 0; i < length; i++) {
      const fix = (rows[i] as number) * FIX;
      const lat = lats[i] as number;
      const lng = lngs[i] as number;
      fixes[fix + STALE_AT] = staleAt[i] as number;
      let nowLat = fixes[fix + LAT] as number;
      let nowLng = fixes[fix + LNG] as number;
      if (lat === nowLat && lng === nowLng) continue;
      const share = glideShare(fixes[fix + START_MS] as number, nowMs);
      if (share < 1) {
        const fromLat = fixes[fix + FROM_LAT] as number;
        const fromLng = fixes[fix + FROM_LNG] as number;
        nowLat = fromLat + (nowLat - fromLat) * share;
        nowLng = fromLng + (nowLng - fromLng) * share;
      }
      const jumps = snaps(nowLat, nowLng, lat, lng, unwatched);
      fixes[fix + LAT] = lat;
      fixes[fix + LNG] = lng;
      fixes[fix + FROM_LAT] = jumps ? lat : nowLat;
      fixes[fix + FROM_LNG] = jumps ? lng : nowLng;
      fixes[fix + START_MS] = jumps ? 0 : nowMs;
    }
  }

  /** Takes over what the marks look like; answers the rows that are on scene and were not before. */
  #dress({ length, row: rows, face: faces, shown, course: courses, label }: AssetColumns): number[] {
    const { look: looks, labels } = this;
    const displayed = this.#displays ? SHOWN : 0;
    const newOnScene: number[] = [];
    for (let i = 0; i < length; i++) {
      const row = rows[i] as number;
      const face = faces[i] as number;
      const status = face >> 5;
      const before = looks[row] as number;
      let look = (before & KEPT) | ALIVE | (face << FACE_SHIFT);
      if (shown[i] === 1) look |= displayed;
      if (status <= STATUS_CODE.ACTIVE) {
        look |= ALERTING;
        if (status === STATUS_CODE.ACTIVE) look |= pointing(courses[i] as number);
        else if (before === 0 || statusIn(before) !== STATUS_CODE.LOCATION) newOnScene.push(row);
      }
      looks[row] = look;
      if (((look ^ before) & STACKED) !== 0) this.#restack(before, look);
      labels[row] = label[i] as string;
    }
    return newOnScene;
  }

  /** Counts a look in place of another; 0 for none. */
  #restack(before: number, after: number): void {
    const { levels } = this;
    if (before !== 0) levels[levelOf(before)] = (levels[levelOf(before)] as number) - 1;
    if (after !== 0) levels[levelOf(after)] = (levels[levelOf(after)] as number) + 1;
  }

  /** Where an asset is: the place its mark glides to. */
  placeOf(row: number): LatLng {
    return { lat: this.fixes[row * FIX + LAT] as number, lng: this.fixes[row * FIX + LNG] as number };
  }

  /** Where the mark of a row stands at an instant of the glide clock. */
  positionAt(row: number, nowMs: number): LatLng {
    const fix = row * FIX;
    const share = glideShare(this.fixes[fix + START_MS] as number, nowMs);
    const { lat, lng } = this.placeOf(row);
    const fromLat = this.fixes[fix + FROM_LAT] as number;
    const fromLng = this.fixes[fix + FROM_LNG] as number;
    return { lat: fromLat + (lat - fromLat) * share, lng: fromLng + (lng - fromLng) * share };
  }

  /** Asks for each asset whether it is displayed; null: none is, until the next filter. */
  setFilter(shows: ((id: string, row: number) => boolean) | null): void {
    this.#displays = shows !== null;
    for (let row = 0; row < this.rows; row++) {
      if (!this.holds(row)) continue;
      const look = (this.look[row] as number) & ~SHOWN;
      this.look[row] = shows?.(this.#ids[row] as string, row) ? look | SHOWN : look;
    }
  }

  /** Sets or clears PINNED, HOVERED or SELECTED; true when that changed something. */
  mark(row: number, flag: number, on: boolean): boolean {
    if (!this.holds(row)) return false;
    const before = this.look[row] as number;
    const after = (on ? before | flag : before & ~flag) >>> 0;
    this.look[row] = after;
    this.#restack(before, after);
    if ((after & (PINNED | SELECTED)) !== 0) this.marked.add(row);
    else this.marked.delete(row);
    return before !== after;
  }

  /** Ends all glides where they lead: the picture was not watched. */
  settle(): void {
    const { fixes } = this;
    for (let fix = 0; fix < this.rows * FIX; fix += FIX) {
      fixes[fix + FROM_LAT] = fixes[fix + LAT] as number;
      fixes[fix + FROM_LNG] = fixes[fix + LNG] as number;
      fixes[fix + START_MS] = 0;
    }
  }

  /** Targets of the displayed assets. */
  *shownPlaces(): Generator<LatLng> {
    for (let row = 0; row < this.rows; row++) {
      if (((this.look[row] as number) & (ALIVE | SHOWN)) !== (ALIVE | SHOWN)) continue;
      yield this.placeOf(row);
    }
  }

  #remove(row: number, watched: LatLngBounds | null): boolean {
    const id = this.idOf(row);
    if (id === undefined) return false;
    const visible = this.#inBox(row, watched);
    this.#restack(this.look[row] as number, 0);
    this.look[row] = 0;
    this.labels[row] = '';
    this.marked.delete(row);
    this.#rowOf.delete(id);
    this.size--;
    return visible;
  }

  #clear(): void {
    this.rows = 0;
    this.size = 0;
    this.look.fill(0);
    this.levels.fill(0);
    this.labels.fill('');
    this.marked.clear();
    this.#ids.fill('');
    this.#rowOf.clear();
  }

  #grow(needed: number): void {
    const capacity = Math.max(needed, this.look.length * 2, 256);
    this.fixes = grown(this.fixes, capacity * FIX);
    this.look = grown(this.look, capacity);
    // Filled up, so that rows that come in any order leave no holes behind them.
    for (let row = this.labels.length; row < capacity; row++) {
      this.labels.push('');
      this.#ids.push('');
    }
  }
}

/** What a course adds to a look; NaN: nothing. */
function pointing(course: number): number {
  return Number.isNaN(course) ? 0 : POINTS | (Math.round((course / 360) * TURNS) << TURN_SHIFT);
}

function grown<A extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(old: A, capacity: number): A {
  const Type = old.constructor as new (length: number) => A;
  const next = new Type(capacity);
  next.set(old);
  return next;
}
