import limits from '@catalog/limits.json';
import type { ReadPath, Schemas } from '~/api';
import { instantText } from '~/model/instant';
import type { Collection, WireRow } from './collection';
import type { Get } from './loader';
import { asOfMeta } from './reduce';

const PER_PAGE = limits.lists.thingsPerPage.value;

export interface RowsLoaderOptions {
  get: Get;
  /** server time */
  now: () => number;
  organizationId: string;
  /** whether any asset stands at an incident */
  isAnyOnScene: () => boolean;
  signal: AbortSignal;
}

/** Fills the collection of one noun over HTTP: everything, later what changed since. */
export class RowsLoader {
  private since = 0;
  private longerSince = 0;

  constructor(
    readonly collection: Collection,
    private readonly o: RowsLoaderOptions,
  ) {}

  /** Reads everything, or what changed since the last answer. Throws the client's failure. */
  async read(what: 'all' | 'changes'): Promise<void> {
    const { collection } = this;
    const { path, isWanted, absent, hasPages, keep } = collection.noun;
    const most = hasPages ? keep : undefined;
    if (!path) return;
    if (isWanted && !isWanted(collection.list(), this.o.isAnyOnScene())) return;
    if (what === 'changes' && this.since > 0) {
      this.since = (await this.pages(this.since, new Set())).asOf || this.since;
      return;
    }
    const before = collection.list().map(row => row.id);
    const present = new Set<string>();
    const { asOf, pages } = await this.pages(0, present, undefined, most);
    if (!absent) this.since = asOf;
    // A list that changed between two pages may have skipped a row: one look at what changed since the first page.
    if ((!absent || hasPages) && pages > 1 && asOf > 0) await this.pages(absent ? 0 : asOf, present, undefined, most);
    collection.lack(
      before.filter(id => !present.has(id)),
      asOf || this.o.now(),
    );
    collection.tell();
  }

  /** Reads the longer list, if the noun has one: everything, or what changed since it was read last. */
  async readLonger(): Promise<void> {
    const { collection } = this;
    const { longer, keep } = collection.noun;
    if (!longer) return;
    this.longerSince = (await this.pages(this.longerSince, new Set(), longer, keep)).asOf || this.longerSince;
    collection.whole();
    collection.tell();
  }

  /** What comes behind the first `most` rows is not kept. */
  private async pages(
    since: number,
    present: Set<string>,
    longer?: ReadPath,
    most = Number.POSITIVE_INFINITY,
  ): Promise<{ asOf: number; pages: number }> {
    const { collection } = this;
    let first = 0;
    for (let page = 1, read = 0; ; page++) {
      const { data, meta } = await this.page(page, since, longer);
      this.o.signal.throwIfAborted();
      const asOf = asOfMeta(meta);
      first ||= asOf;
      collection.merge(data, asOf, this.o.now());
      collection.tell();
      for (const row of data) if (!row.is_deleted) present.add(row.id);
      read += data.length;
      if (data.length === 0 || read >= Math.min(meta.total, most)) return { asOf: first, pages: page };
    }
  }

  /** Every list answers rows and a meta; the path says which rows. */
  private page(page: number, since: number, longer?: ReadPath): Promise<{ data: WireRow[]; meta: Schemas['Meta'] }> {
    const { path, query, absent, hasPages } = this.collection.noun;
    const isWhole = !longer && absent !== undefined && !hasPages;
    const of = { 'org_ids[]': [this.o.organizationId], ...(!longer && query) };
    const part = { page, per_page: PER_PAGE, last_updated_timestamp: instantText(since) ?? undefined };
    return this.o.get((longer ?? path) as '/locations', isWhole ? of : { ...of, ...part }, this.o.signal) as never;
  }
}
