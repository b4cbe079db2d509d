import type { ReadPath, Schemas, WireMessage } from '~/api';
import { notify } from '~/lib/notify';
import type { Requirement } from '~/session/permissions';

/**
 * What the server says of every row, whatever its noun. With `is_deleted` the row has gone, or is out of sight:
 * nothing else of it means something then.
 */
export type WireRow = Pick<Schemas['Location'], 'id' | 'is_deleted'>;

/** A noun that comes with the stream: all that the live picture has to know of it. */
export interface Noun<Wire extends WireRow = WireRow, Row extends { id: string } = { id: string }> {
  /** the type of its messages, which hold the row in a field of that name */
  readonly type: string;
  /** the list of its rows; without one they are only heard, and who shows them reads them on its own */
  readonly path?: ReadPath;
  /** what its list is asked for beside the organization */
  readonly query?: Readonly<Record<string, string>>;
  /** whether a list that says what it lacks (`absent`) has pages; without it, one answer holds everything */
  readonly hasPages?: boolean;
  /**
   * A longer list of its rows, in pages, the rows that are kept first; it is read while someone looks at it
   * (`useWhole`), first whole, then what has changed.
   */
  readonly longer?: ReadPath;
  /** who may not see it neither asks for it nor hears of it */
  readonly requires: Requirement;
  /** how many rows are kept, the first in order */
  readonly keep: number;
  of(wire: Wire): Row;
  /** a row's version, or the instant of its last change: the lower one loses */
  versionOf(row: Row): number;
  compare(a: Row, b: Row): number;
  /**
   * Only where the list holds every row that counts: what becomes of one that it lacks, undefined where that has gone.
   * Other lists say with `last_updated_timestamp` what changed and what has gone.
   */
  absent?(row: Row, asOf: number): Row | undefined;
  /** whether the list is worth a request now; without it, always */
  isWanted?(rows: readonly Row[], isAnyOnScene: boolean): boolean;
}

/** How many rows that have gone are remembered. */
const GONE_KEPT = 2000;

/**
 * The live rows of a noun. Messages come in order and may bring back what had gone; an answer of a list may not when
 * it is older than that. Of two states of a row the older one loses. Who changes rows calls `tell` afterwards.
 */
export class Collection<Wire extends WireRow = WireRow, Row extends { id: string } = { id: string }> {
  private readonly rows = new Map<string, Row>();
  /** what has gone: when by the server's clock, and in which version */
  private readonly gone = new Map<string, { at: number; version: number }>();
  private sorted: readonly Row[] = [];
  /** the ids that have come since the rows were arranged */
  private readonly fresh = new Set<string>();
  private isChanged = false;
  private isLacking = false;
  private isLonger = false;
  private readonly listeners = new Set<() => void>();

  constructor(readonly noun: Noun<Wire, Row>) {}

  // Reading

  get = (id: string): Row | undefined => this.rows.get(id);
  /** When a row went, by the server's clock; 0 when it is here, or was never heard of. */
  goneAt = (id: string): number => this.gone.get(id)?.at ?? 0;
  /** The rows in order; another array when one of them changed. */
  list = (): readonly Row[] => this.sorted;
  /** True once the noun's longer list has been read. */
  isWhole = (): boolean => this.isLonger;
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  // Changing

  /** One flush of the stream; messages of other nouns are passed over. `now` is server time. */
  hear(messages: readonly WireMessage[], now: number): void {
    const { type } = this.noun;
    for (const message of messages as readonly { type: string }[]) {
      if (message.type !== type) continue;
      try {
        this.take((message as Record<string, unknown>)[type] as Wire, now);
      } catch {
        // A message that cannot be read costs itself, never the others of its second (requirements 5.data).
      }
    }
    this.arrange();
  }

  /** Rows of a list answer as of an instant, 0 when it carries none. */
  merge(rows: readonly Wire[], asOf: number, now: number): void {
    for (const row of rows) {
      const gone = this.gone.get(row.id);
      if (!gone || asOf === 0 || asOf > gone.at) this.take(row, asOf || now);
    }
    this.arrange();
  }

  /** A whole answer did not have these rows: they have gone by then, unless the noun says otherwise. */
  lack(ids: Iterable<string>, asOf: number): void {
    for (const id of ids) {
      const row = this.rows.get(id);
      const next = row && this.noun.absent?.(row, asOf);
      if (!next) this.remove(id, asOf);
      else if (next !== row) this.put(next);
    }
    this.arrange();
  }

  /** Another noun names a row: when it is not here, the list is read. */
  expect(id: string): void {
    if (!this.rows.has(id)) this.isLacking = true;
  }

  /** True once after a row was named that is not here. */
  takeLacking(): boolean {
    const lacking = this.isLacking;
    this.isLacking = false;
    return lacking;
  }

  /** The longer list has been read. */
  whole(): void {
    if (this.isLonger) return;
    this.isLonger = true;
    this.isChanged = true;
  }

  /** Forgets everything, for another organization. */
  clear(): void {
    this.rows.clear();
    this.fresh.clear();
    this.gone.clear();
    this.sorted = [];
    this.isLacking = false;
    this.isLonger = false;
    this.isChanged = true;
  }

  /** Tells the listeners, if anything changed since the last time. */
  tell(): void {
    if (!this.isChanged) return;
    this.isChanged = false;
    notify(this.listeners);
  }

  private take(wire: Wire, at: number): void {
    if (wire.is_deleted) {
      this.remove(wire.id, at);
      return;
    }
    const row = this.noun.of(wire);
    const before = this.rows.get(row.id);
    const least = before ? this.noun.versionOf(before) : (this.gone.get(row.id)?.version ?? 0);
    if (this.noun.versionOf(row) >= least) this.put(row);
  }

  private put(row: Row): void {
    if (!this.rows.has(row.id)) this.fresh.add(row.id);
    this.rows.set(row.id, row);
    this.gone.delete(row.id);
    this.isChanged = true;
  }

  private remove(id: string, at: number): void {
    const row = this.rows.get(id);
    const version = row ? this.noun.versionOf(row) : (this.gone.get(id)?.version ?? 0);
    this.gone.delete(id); // the latest stands last
    this.gone.set(id, { at, version });
    if (this.gone.size > GONE_KEPT) this.gone.delete(this.gone.keys().next().value as string);
    // Also of one that is not here: it may be open, read on its own.
    this.rows.delete(id);
    this.isChanged = true;
  }

  private arrange(): void {
    if (!this.isChanged) return;
    // What stood in order goes first: sorting it again takes a comparison a row, and thousands come page by page.
    const ids = [...this.sorted.flatMap(({ id }) => (this.fresh.has(id) ? [] : [id])), ...this.fresh];
    const sorted = ids.flatMap(id => this.rows.get(id) ?? []).sort((a, b) => this.noun.compare(a, b));
    this.fresh.clear();
    for (const row of sorted.splice(this.noun.keep)) this.rows.delete(row.id);
    this.sorted = sorted;
  }
}
