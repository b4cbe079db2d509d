import limits from '@catalog/limits.json';
import type { AnswerOf, QueryOf, ReadPath, Schemas } from '~/api';
import { instantOf, instantText } from '~/model/instant';
import { thingsOfSnapshot } from '~/model/snapshot';
import { asOfMeta } from './reduce';
import type { LiveStore } from './store';

const PER_PAGE = limits.lists.thingsPerPage.value;
const LARGE_FROM = limits.lists.largeOrganizationThings.value;

/** What the loader needs of HTTP: a GET that answers parsed JSON or throws the client's failure. */
export type Get = <P extends ReadPath>(
  path: P,
  query: QueryOf<`GET ${P}`>,
  signal: AbortSignal,
) => Promise<AnswerOf<`GET ${P}`>>;

export interface LoaderOptions {
  get: Get;
  store: LiveStore;
  /** server time */
  now: () => number;
  /** learns the server's time from answers */
  learn: (serverAt: number) => void;
  organizationId: string;
  /** is_large_org of the organization */
  isLarge: boolean;
  canSeeLocations: boolean;
  signal: AbortSignal;
}

/**
 * Fills the store over HTTP: pages of 500 until the total is reached, or one compact snapshot for a large
 * organization; then, if any asset stands at an incident, the active locations. `refresh` reads only what changed
 * since the last answer (`meta.as_of` goes back as `last_updated_timestamp`, so that no clock of a browser counts).
 */
export class Loader {
  private since = 0;
  private large: boolean;

  constructor(private readonly options: LoaderOptions) {
    this.large = options.isLarge;
  }

  /** The whole list. What a former list held and this one does not is dropped. Throws the client's failure. */
  async load(): Promise<void> {
    const before = this.options.store.ids();
    const first = this.large ? undefined : await this.page(1, 0);
    this.options.signal.throwIfAborted();
    if (!first || first.meta.total > LARGE_FROM) await this.loadSnapshot(before);
    else await this.loadPages(first, before);
    this.options.store.loaded();
    await this.loadLocations();
  }

  /** Rows changed since the last answer. */
  async refresh(): Promise<void> {
    if (this.since === 0) return this.load();
    const since = this.since;
    let asOf = 0;
    for (let page = 1, read = 0; ; page++) {
      const list = await this.page(page, since);
      this.options.signal.throwIfAborted();
      asOf ||= asOfMeta(list.meta);
      this.options.store.applyRows(list.data, asOfMeta(list.meta), this.options.now(), false);
      read += list.data.length;
      if (list.data.length === 0 || read >= list.meta.total) break;
    }
    this.since = asOf || since;
    await this.loadLocations();
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

  private async loadSnapshot(before: ReadonlySet<string>): Promise<void> {
    const { get, store, now, organizationId, signal } = this.options;
    this.large = true;
    const answer = await get('/organization/things/snapshot', { 'org_ids[]': [organizationId] }, signal);
    signal.throwIfAborted();
    const snapshot = answer.data;
    const asOf = instantOf(snapshot.as_of);
    this.options.learn(asOf);
    const things = thingsOfSnapshot(snapshot, now());
    store.applyThings(things, asOf);
    store.dropAbsent(before, new Set(things.map(t => t.id)), asOf || now(), now());
    this.since = asOf;
  }

  /** The active locations, if any asset stands at one and the user may see them. */
  async loadLocations(): Promise<void> {
    const { get, store, organizationId, signal, canSeeLocations } = this.options;
    // One that stands here as active may have ended unheard: nobody else would say so.
    if (!canSeeLocations || !(store.hasOnScene() || store.hasActiveLocation())) return;
    const list = await get('/locations/active', { 'org_ids[]': [organizationId] }, signal);
    signal.throwIfAborted();
    store.applyLocations(list.data, true, asOfMeta(list.meta));
  }

  /** True when the organization is polled instead of streamed. */
  get isLarge(): boolean {
    return this.large;
  }
}
