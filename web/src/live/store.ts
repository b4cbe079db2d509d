import type { WireMessage, WireThing } from '~/api';
import { notify } from '~/lib/notify';
import { type AssetBatch, AssetColumns } from '~/model/batch';
import { changeBetween, defaultFilter, passes, resetFilter, type ThingFilter } from '~/model/filter';
import { matchesThing } from '~/model/search';
import type { SnapshotHead, SnapshotRows } from '~/model/snapshot';
import { compareThings, mergeOrder, sortsDifferently } from '~/model/sort';
import { Status } from '~/model/status';
import { isPlaced, type Thing } from '~/model/thing';
import { Collection, type Noun } from './collection';
import { Counter, type LiveCounts } from './counts';
import { type CollectionOf, NOUNS, type NounType } from './nouns';
import { type Changes, Picture } from './picture';
import { mergeGone, mergeRows, mergeSnapshot, reduceMessages } from './reduce';
import { addAsset, Rows } from './rows';

type Listener = () => void;

/** How often lists hear of a new order while an answer comes in parts (ms). */
const HOLD_ORDER_MS = 250;

/** On scene, and not in test mode: a test is nothing to call anybody for. */
const isRealScene = (thing: Thing | undefined) => thing?.status === Status.LOCATION && !thing.isTestModeOn;

/** An asset that came on scene with a flush (not with the first load). */
export interface SceneArrival {
  id: string;
  name: string;
}

/** What the filter displays in list order. What moves of an asset may be older in `things` than in the store. */
export interface VisibleAssets {
  ids: readonly string[];
  things: readonly Thing[];
}

/**
 * The live picture as screens and the map read it; no React inside. Every change ends in `commit`, which tells, in
 * this order: the map (one batch), the rows of the changed ids, and, only when they changed, the order and the counts.
 * The collections of the other nouns tell their own listeners, after that.
 */
export class LiveStore {
  private picture = new Picture();
  private counter = new Counter();
  private rows = new Rows();
  /** every placed asset in list order, and those of them that are displayed, by their rows */
  private all: readonly number[] = [];
  private shown: readonly number[] = [];
  /** the assets of `shown`, made when somebody asks */
  private visible: VisibleAssets | undefined;
  private counts: LiveCounts = this.counter.read(0);
  private organizationId = '';
  /** what lists have not been told while an answer comes in parts, and when they were told last */
  private heldBack: { order: boolean; counts: boolean } | undefined;
  private toldAt = Number.NEGATIVE_INFINITY;

  private readonly onId = new Map<string, Set<Listener>>();
  private readonly onOrder = new Set<Listener>();
  private readonly onCounts = new Set<Listener>();
  private readonly onFilter = new Set<Listener>();
  private readonly onBatch = new Set<(batch: AssetBatch) => void>();
  private readonly onArrival = new Set<(arrivals: readonly SceneArrival[]) => void>();

  constructor(
    private filter: ThingFilter = defaultFilter(true),
    /** the rows of every noun beside assets */
    readonly collections: readonly Collection[] = Object.values<Noun>(NOUNS as never).map(noun => new Collection(noun)),
  ) {}

  // Reading

  thing = (id: string): Thing | undefined => this.picture.things.get(id);
  /** The live rows of a noun. */
  of = <Type extends NounType>(type: Type): CollectionOf<Type> =>
    this.collections.find(({ noun }) => noun.type === type) as unknown as CollectionOf<Type>;
  /** Whether the filter displays an asset; who knows its row in batches is answered sooner. */
  isDisplayed = (id: string, row = this.rows.of(id)): boolean => row !== undefined && this.rows.isShown(row);
  visibleIds = (): readonly string[] => this.visibleAssets().ids;
  visibleAssets = (): VisibleAssets => {
    this.visible ??= this.readVisible();
    return this.visible;
  };
  getCounts = (): LiveCounts => this.counts;
  getFilter = (): ThingFilter => this.filter;
  getOrganizationId = (): string => this.organizationId;
  size = (): number => this.picture.things.size;
  ids = (): Set<string> => new Set(this.picture.things.keys());

  /** Assets whose names or numbers hold a search text (as `searchOf` makes it), those that begin with it first. */
  find(search: string, most: number): readonly Thing[] {
    if (search === '') return [];
    const begin: Thing[] = [];
    const hold: Thing[] = [];
    for (const thing of this.picture.things.values()) {
      if (!matchesThing(thing, search)) continue;
      if (!thing.nameKey.startsWith(search)) {
        if (hold.length < most) hold.push(thing);
      } else if (begin.push(thing) === most) break;
    }
    return [...begin, ...hold].slice(0, most);
  }

  /** True when any asset stands at an incident: the active locations are then worth a request. */
  hasOnScene(): boolean {
    return (this.counts.byStatus[Status.LOCATION] ?? 0) > 0;
  }

  /** Goes through every asset that has a place, whatever the filter shows. */
  eachPlaced = (visit: (thing: Thing) => void): void => {
    for (const row of this.all) {
      const thing = this.rows.thing(row);
      if (thing) visit(thing);
    }
  };

  /** Everything that is on the map now, as one batch: for a map that comes later than the data. */
  fullBatch(): AssetBatch {
    const upserted = new AssetColumns(this.all.length);
    for (const row of this.all) {
      const thing = this.rows.thing(row);
      if (thing) addAsset(upserted, thing, row, this.rows.isShown(row));
    }
    return { upserted, removed: [], reset: true };
  }

  // Listening

  subscribeThing = (id: string, listener: Listener): (() => void) => {
    let listeners = this.onId.get(id);
    if (!listeners) {
      listeners = new Set();
      this.onId.set(id, listeners);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.onId.get(id) === listeners) this.onId.delete(id);
    };
  };
  subscribeOrder = (listener: Listener) => listen(this.onOrder, listener);
  subscribeCounts = (listener: Listener) => listen(this.onCounts, listener);
  subscribeFilter = (listener: Listener) => listen(this.onFilter, listener);
  subscribeBatches = (listener: (batch: AssetBatch) => void) => listen(this.onBatch, listener);
  subscribeArrivals = (listener: (arrivals: readonly SceneArrival[]) => void) => listen(this.onArrival, listener);

  // Changing

  /** Forgets everything for another organization or another session; of the filter only the statuses stay. */
  reset(organizationId: string): void {
    const ids = [...this.picture.things.keys()];
    this.picture = new Picture();
    this.counter = new Counter();
    this.rows = new Rows();
    this.all = [];
    this.setShown([]);
    for (const collection of this.collections) collection.clear();
    this.organizationId = organizationId;
    this.counts = this.counter.read(0);
    this.filter = resetFilter(this.filter);
    notify(this.onBatch, { upserted: new AssetColumns(0), removed: [], reset: true });
    for (const id of ids) tell(this.onId.get(id));
    tell(this.onOrder);
    tell(this.onCounts);
    this.tellRows();
    tell(this.onFilter);
  }

  /** One flush of the stream. `now` is server time. */
  applyMessages(messages: readonly WireMessage[], now: number): void {
    const changes = reduceMessages(this.picture, messages, now);
    for (const collection of this.collections) collection.hear(messages, now);
    this.commit(changes, true);
    this.tellRows();
  }

  /** Rows of a list answer; `quiet` for the first load, which announces nobody. */
  applyRows(rows: readonly WireThing[], asOf: number, now: number, quiet: boolean): void {
    this.commit(mergeRows(this.picture, rows, asOf, now), !quiet);
  }

  /**
   * A part of the compact snapshot; `quiet` for the first load, which announces nobody. False when a row is not known
   * here and does not say all.
   */
  applySnapshot(rows: SnapshotRows, head: SnapshotHead, quiet: boolean): boolean {
    const { changes, lacking } = mergeSnapshot(this.picture, rows, head);
    this.commit(changes, !quiet);
    return !lacking;
  }

  /** Assets that had gone by `asOf`. */
  applyGone(ids: readonly string[], asOf: number): void {
    this.commit(mergeGone(this.picture, ids, asOf), false);
  }

  /** Assets that stood here before a full list was read and are not in it have gone. `asOf` is the list's instant. */
  dropAbsent(before: ReadonlySet<string>, present: ReadonlySet<string>, asOf: number, now: number): void {
    const absent = [...before].filter(id => !present.has(id));
    if (absent.length > 0) this.commit(mergeGone(this.picture, absent, asOf || now), false);
  }

  /**
   * While an answer comes in parts, lists hear of the order and the counts now and then, not with every part. Returns
   * the way to end that, which tells what has been held back.
   */
  holdOrder(): () => void {
    this.heldBack ??= { order: false, counts: false };
    return () => {
      const held = this.heldBack;
      this.heldBack = undefined;
      if (held?.order) tell(this.onOrder);
      if (held?.counts) tell(this.onCounts);
    };
  }

  /** The list is complete: reports of assets that are not in it belong to nobody here. */
  loaded(): void {
    this.picture.orphans.clear();
  }

  setFilter(next: ThingFilter): void {
    const change = changeBetween(this.filter, next);
    this.filter = next;
    if (change !== 'same') this.refilter(change !== 'narrower', change !== 'wider');
    tell(this.onFilter);
  }

  private refilter(lookAtHidden: boolean, lookAtDisplayed: boolean): void {
    const { rows, filter, organizationId } = this;
    let changed = false;
    for (let row = 0; row < rows.end; row++) {
      const thing = rows.thing(row);
      const was = rows.isShown(row);
      if (!thing || !(was ? lookAtDisplayed : lookAtHidden)) continue;
      const shows = passes(thing, filter, organizationId);
      if (shows === was) continue;
      rows.show(row, shows);
      changed = true;
    }
    if (!changed) return;
    this.setShown(this.all.filter(rows.isShown));
    this.counts = this.counter.read(rows.shownCount);
    tell(this.onOrder);
    tell(this.onCounts);
  }

  /** One loop over both lists: 100 000 assets lie anywhere in memory, and to visit each of them is what takes time. */
  private readVisible(): VisibleAssets {
    const { shown, rows } = this;
    const ids = new Array<string>(shown.length);
    const things = new Array<Thing>(shown.length);
    for (let i = 0; i < shown.length; i++) {
      const thing = rows.thing(shown[i] as number) as Thing;
      things[i] = thing;
      ids[i] = thing.id;
    }
    return { ids, things };
  }

  private setShown(shown: readonly number[]): void {
    if (shown === this.shown) return;
    this.shown = shown;
    this.visible = undefined;
  }

  private commit(changes: Changes, announce: boolean): void {
    if (changes.before.size > 0) this.commitThings(changes.before, announce);
  }

  private tellRows(): void {
    for (const collection of this.collections) collection.tell();
  }

  private commitThings(before: Map<string, Thing | undefined>, announce: boolean): void {
    const { rows } = this;
    const upserted = new AssetColumns(before.size);
    const gone: string[] = [];
    const moved = new Map<number, Thing | undefined>();
    const shownMoved = new Map<number, Thing | undefined>();
    const arrivals: SceneArrival[] = [];
    let counted = false;
    for (const [id, old] of before) {
      const was = old && isPlaced(old) ? old : undefined;
      const current = this.picture.things.get(id);
      const is = current && isPlaced(current) ? current : undefined;
      counted = this.count(was, is) || counted;
      if (!was && !is) continue;
      const row = rows.take(id);
      const wasShown = rows.isShown(row);
      const isShown = is !== undefined && passes(is, this.filter, this.organizationId);
      rows.put(row, is);
      rows.show(row, isShown);
      const sorts = !was || !is || sortsDifferently(was, is);
      if (sorts) moved.set(row, was);
      // A new profile may change the row's height or group: lists hear of it as of a new order.
      const shownDiffers = wasShown !== isShown || (isShown && (sorts || was?.version !== is?.version));
      if (shownDiffers) shownMoved.set(row, wasShown ? was : undefined);
      if (is) addAsset(upserted, is, row, isShown);
      else gone.push(id);
      if (announce && is?.status === Status.LOCATION && was?.status !== Status.LOCATION) {
        this.of('location').expect(is.locationId);
      }
      if (announce && is && isRealScene(is) && !isRealScene(was)) arrivals.push({ id, name: is.primaryDisplayName });
    }
    this.all = this.reorder(this.all, moved, row => rows.thing(row) !== undefined);
    const shown = this.reorderShown(shownMoved);
    const reordered = shown !== this.shown;
    this.setShown(shown);
    // Free only now: within this change no row is another asset's.
    const removed = gone.map(id => rows.release(id) as number);
    if (counted || reordered) this.counts = this.counter.read(rows.shownCount);
    this.announce({ upserted, removed }, before.keys(), reordered, counted || reordered, arrivals);
  }

  /** The displayed in list order; another array when the order or a row of it changed. */
  private reorderShown(moved: ReadonlyMap<number, Thing | undefined>): readonly number[] {
    if (moved.size === 0) return this.shown;
    if (this.rows.shownCount < this.all.length) return this.reorder(this.shown, moved, this.rows.isShown);
    // Nothing is hidden: both orders are one, and one array serves for both as long as it is a new one.
    return this.all === this.shown ? this.all.slice() : this.all;
  }

  private count(was: Thing | undefined, is: Thing | undefined): boolean {
    if (was && is && sameCounts(was, is)) return false;
    if (was) this.counter.add(was, this.organizationId, -1);
    if (is) this.counter.add(is, this.organizationId, 1);
    return !!was || !!is;
  }

  private reorder(
    order: readonly number[],
    moved: ReadonlyMap<number, Thing | undefined>,
    keep: (row: number) => boolean,
  ): readonly number[] {
    if (moved.size === 0) return order;
    const { thing } = this.rows;
    if (moved.size <= order.length >> 3) return mergeOrder(order, moved, thing, keep);
    const kept = order.filter(row => !moved.has(row) && keep(row));
    for (const row of moved.keys()) if (keep(row)) kept.push(row);
    return kept.sort((a, b) => compareThings(thing(a) as Thing, thing(b) as Thing));
  }

  private announce(
    batch: AssetBatch,
    ids: Iterable<string>,
    reordered: boolean,
    counted: boolean,
    arrivals: readonly SceneArrival[],
  ): void {
    if (batch.upserted.length > 0 || batch.removed.length > 0) notify(this.onBatch, batch);
    if (this.onId.size > 0) for (const id of ids) tell(this.onId.get(id));
    this.announceOrder(reordered, counted);
    if (arrivals.length > 0) notify(this.onArrival, arrivals);
  }

  private announceOrder(reordered: boolean, counted: boolean): void {
    const held = this.heldBack;
    const now = performance.now();
    if (held && now - this.toldAt < HOLD_ORDER_MS) {
      held.order ||= reordered;
      held.counts ||= counted;
      return;
    }
    if (reordered || held?.order) tell(this.onOrder);
    if (counted || held?.counts) tell(this.onCounts);
    if (!held) return;
    this.heldBack = { order: false, counts: false };
    this.toldAt = now;
  }
}

function sameCounts(a: Thing, b: Thing): boolean {
  return (
    a.status === b.status &&
    a.inService === b.inService &&
    a.thingTypeId === b.thingTypeId &&
    a.organization.id === b.organization.id
  );
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function tell(listeners: Set<Listener> | undefined): void {
  if (listeners) notify(listeners);
}
