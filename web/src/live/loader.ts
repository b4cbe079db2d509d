import limits from '@catalog/limits.json';
import type { AnswerOf, QueryOf, ReadPath, Schemas } from '~/api';
import { instantText } from '~/model/instant';
import { asOfMeta } from './reduce';
import { RowsLoader } from './rowsLoader';
import type { LiveStore } from './store';
import type { Unpacked } from './unpack';

const PER_PAGE = limits.lists.thingsPerPage.value;
export const SNAPSHOT_PATH = '/organization/things/snapshot';
const LARGE_FROM = limits.lists.largeOrganizationThings.value;

/** What the loader needs of HTTP: a GET that answers parsed JSON or throws the client's failure. */
export type Get = <P extends ReadPath>(
  path: P,
  query: QueryOf<`GET ${P}`>,
  signal: AbortSignal,
) => Promise<AnswerOf<`GET ${P}`>>;

/** GET of the compact snapshot, taken apart; throws the client's failure. */
export type GetSnapshot = (query: QueryOf<`GET ${typeof SNAPSHOT_PATH}`>, signal: AbortSignal) => Promise<Unpacked>;

export interface LoaderOptions {
  get: Get;
  snapshot: GetSnapshot;
  store: LiveStore;
  /** server time */
  now: () => number;
  /** learns the server's time from answers */
  learn: (serverAt: number) => void;
  organizationId: string;
  /** is_large_org of the organization */
  isLarge: boolean;
  /** the types of the other nouns that may be seen */
  sees: readonly string[];
  /** whether somebody looks at a noun's longer list */
  isLookedAt: (type: string) => boolean;
  signal: AbortSignal;
}

/**
 * Fills the store over HTTP: pages of 500 until the total is reached, or one compact snapshot for a large
 * organization; then the rows of the other nouns. `refresh` reads only what changed
 * since the last answer (its instant goes back as `last_updated_timestamp`, so that no clock of a browser counts); of a
 * large organization in one answer as well. Each answer may say that the organization has become large, or is no more.
 */
export class Loader {
  private since = 0;
  private large: boolean;
  /** The server has said that these many assets are not a large organization. */
  private isSmallByWord = false;
  /** After the last answer of changes there were not as many assets here as the server sees. */
  private differed = false;
  private readonly others: readonly RowsLoader[];

  constructor(private readonly options: LoaderOptions) {
    this.large = options.isLarge;
    const isAnyOnScene = () => options.store.hasOnScene();
    this.others = options.store.collections
      .filter(({ noun }) => options.sees.includes(noun.type))
      .map(collection => new RowsLoader(collection, { ...options, isAnyOnScene }));
  }

  /** The whole list. What a former list held and this one does not is dropped. Throws the client's failure. */
  async load(): Promise<void> {
    if (this.large) await this.loadSnapshot(0);
    else {
      const before = this.options.store.ids();
      const first = await this.page(1, 0);
      this.options.signal.throwIfAborted();
      if (this.isLargeBy(first.meta, first.meta.total)) await this.loadSnapshot(0);
      else await this.loadPages(first, before);
    }
    this.options.store.loaded();
    await Promise.all(this.others.map(other => other.read('all')));
    await this.readLonger();
  }

  /** Rows changed since the last answer. */
  async refresh(): Promise<void> {
    if (this.since === 0) return this.load();
    if (this.large) await this.loadSnapshot(this.since);
    else await this.refreshPages(this.since);
    await Promise.all(this.others.map(other => other.read('changes')));
    await this.readLonger();
  }

  /** The longer lists that somebody looks at. */
  async readLonger(): Promise<void> {
    const wanted = this.others.filter(({ collection }) => this.options.isLookedAt(collection.noun.type));
    await Promise.all(wanted.map(one => one.readLonger()));
  }

  private async refreshPages(since: number): Promise<void> {
    let asOf = 0;
    for (let page = 1, read = 0; ; page++) {
      const list = await this.page(page, since);
      this.options.signal.throwIfAborted();
      if (this.isLargeBy(list.meta, this.options.store.size())) return this.loadSnapshot(0);
      asOf ||= asOfMeta(list.meta);
      this.options.store.applyRows(list.data, asOfMeta(list.meta), this.options.now(), false);
      read += list.data.length;
      if (list.data.length === 0 || read >= list.meta.total) break;
    }
    this.since = asOf || since;
  }

  /** Whether an answer says that the organization is large; without a word, whether it has so many assets. */
  private isLargeBy({ is_large: said }: Partial<Pick<Schemas['ThingsMeta'], 'is_large'>>, assets: number): boolean {
    this.isSmallByWord = said === false && this.options.store.size() > LARGE_FROM;
    return said ?? assets > LARGE_FROM;
  }

  /** So many assets are here that the server has to be asked whether the organization is still streamed. */
  get seemsLarge(): boolean {
    return !this.large && !this.isSmallByWord && this.options.store.size() > LARGE_FROM;
  }

  private page(page: number, since: number): Promise<Schemas['Things']> {
    const { get, organizationId, signal } = this.options;
    return get(
      '/organization/things',
      {
        'org_ids[]': [organizationId],
        last_updated_timestamp: instantText(since) ?? undefined,
        page,
        per_page: PER_PAGE,
      },
      signal,
    );
  }

  private async loadPages(first: Schemas['Things'], before: ReadonlySet<string>): Promise<void> {
    const { store, now, signal } = this.options;
    const present = new Set<string>();
    const asOf = asOfMeta(first.meta);
    let list = first;
    for (let page = 1, read = 0; ; page++) {
      if (page > 1) list = await this.page(page, 0);
      signal.throwIfAborted();
      this.options.learn(asOfMeta(list.meta));
      for (const row of list.data) present.add(row.id);
      store.applyRows(list.data, asOfMeta(list.meta), now(), true);
      read += list.data.length;
      if (list.data.length === 0 || read >= list.meta.total) break;
    }
    // A list that changed between two pages may have skipped a row: one look at what changed since the first page.
    this.since = asOf;
    if (asOf > 0 && list !== first) await this.catchUp(asOf, present);
    store.dropAbsent(before, present, asOf || now(), now());
  }

  private async catchUp(since: number, present: Set<string>): Promise<void> {
    const list = await this.page(1, since);
    this.options.signal.throwIfAborted();
    for (const row of list.data) if (!row.is_deleted) present.add(row.id);
    this.options.store.applyRows(list.data, asOfMeta(list.meta), this.options.now(), true);
    if (list.data.length >= list.meta.total) this.since = asOfMeta(list.meta) || since;
  }

  /** One answer: everything, or with `since` what has changed. Rows come in parts, between which the page is drawn. */
  private async loadSnapshot(since: number): Promise<void> {
    const { store, now, organizationId, signal } = this.options;
    const { head, parts } = await this.options.snapshot(
      { 'org_ids[]': [organizationId], last_updated_timestamp: instantText(since) ?? undefined },
      signal,
    );
    signal.throwIfAborted();
    this.options.learn(head.asOf);
    if (!head.isLarge) {
      // No longer: pages first, then the stream, which asks for what it has missed.
      this.large = false;
      return this.loadPages(await this.page(1, 0), store.ids());
    }
    this.large = true;
    const isWhole = since === 0 || head.isFull;
    const before = isWhole ? store.ids() : undefined;
    let lacks = false;
    const stop = store.holdOrder();
    try {
      for await (const rows of parts()) {
        signal.throwIfAborted();
        if (!store.applySnapshot(rows, head, since === 0)) lacks = true;
        for (const id of rows.id) before?.delete(id);
      }
    } finally {
      stop();
    }
    signal.throwIfAborted();
    if (before) store.applyGone([...before], head.asOf || now());
    else store.applyGone(head.gone, head.asOf || now());
    this.since = head.asOf;
    // A row that is new to us and does not say all, or another number of assets twice: only the whole answer heals it.
    const differs = !isWhole && store.size() !== head.total;
    const isOut = lacks || (differs && this.differed);
    this.differed = differs;
    if (isOut && !isWhole) await this.loadSnapshot(0);
  }

  /** Reads nouns anew of which a row was named that is not here. */
  async readLacking(): Promise<void> {
    for (const other of this.others) if (other.collection.takeLacking()) await other.read('changes');
  }

  /** The server instant of the last list of assets, 0 when it carried none. */
  get asOf(): number {
    return this.since;
  }

  /** True when the organization is polled instead of streamed. */
  get isLarge(): boolean {
    return this.large;
  }
}
