import type { AnyRouter } from '@tanstack/react-router';
import { followAddress, normalizedSearch, SEARCH_CHARS } from './address';
import type { KeptSearch } from './keptSearch';
import { type SectionView, sectionView } from './view';

/** How one filter of a section stands in its address. What is usual is not said, and what cannot be read is not there. */
export interface FilterWord<View> {
  /** Reads what any address says, whoever wrote it. */
  read(said: unknown): string | undefined;
  now(view: View): string | undefined;
  /** The part of the view that an address asks for. */
  adopt(said: string | undefined): Partial<View>;
}

/** The search text. An address that says 007 or 12 says a number to the router; a text longer than any name is none. */
export const searchText: FilterWord<{ search: string }> = {
  read: said =>
    (typeof said === 'string' && said.length <= SEARCH_CHARS) || typeof said === 'number'
      ? normalizedSearch(said)
      : undefined,
  now: ({ search }) => normalizedSearch(search),
  adopt: said => ({ search: said ?? '' }),
};

type Kinds<T extends string> = ReadonlySet<T> | null;

/** Kinds as an address says them: their names with dots between them, which need no escape; "none" for none of them. */
const saidKinds = (names: Kinds<string>): string | undefined =>
  names ? [...names].sort().join('.') || 'none' : undefined;

/** Some of several kinds; null for all, and `usual` where nothing is said. */
export function kinds<Name extends string, T extends string, Usual extends Kinds<T> = null>(
  name: Name,
  all: readonly T[],
  usual: Usual = null as Usual,
): FilterWord<Record<Name, ReadonlySet<T> | Usual>> {
  const one = `(?:${all.join('|')})`;
  const word = new RegExp(`^(?:none|${one}(?:\\.${one}){0,${all.length - 1}})$`);
  const unlessUsual = (said: string | undefined) => (said === saidKinds(usual) ? undefined : said);
  return {
    read: said => unlessUsual(typeof said === 'string' && word.test(said) ? said : undefined),
    now: view => unlessUsual(saidKinds(view[name])),
    adopt(said) {
      const chosen = said === undefined ? usual : new Set(said === 'none' ? [] : (said.split('.') as T[]));
      return { [name]: chosen } as Record<Name, ReadonlySet<T> | Usual>;
    },
  };
}

/** One of several; `usual` where nothing is said. */
export const choice = <Name extends string, T extends string, Usual extends T | null>(
  name: Name,
  all: readonly T[],
  usual: Usual,
): FilterWord<Record<Name, T | Usual>> => ({
  read: said => all.find(one => one === said && one !== usual),
  now: view => (view[name] === usual ? undefined : (view[name] ?? undefined)),
  adopt: said => ({ [name]: all.find(one => one === said) ?? usual }) as Record<Name, T | Usual>,
});

/** What is on or off; the address says `word` while it is on. */
export const toggle = <Name extends string>(name: Name, word: string): FilterWord<Record<Name, boolean>> => ({
  read: said => (said === word ? word : undefined),
  now: view => (view[name] ? word : undefined),
  adopt: said => ({ [name]: said === word }) as Record<Name, boolean>,
});

/** The filters of a section by their parameters in its address. */
export type FilterWords<View> = Readonly<Record<string, FilterWord<View>>>;

/** Keeps a section's filters and its addresses the same; returns the way to end that. */
export type FollowFilters = (list: string, kept: KeptSearch, router: AnyRouter) => () => void;

/** The view of a section whose filters stand in its addresses. */
export interface FilteredView<View> extends SectionView<View> {
  readonly follow: FollowFilters;
  /** All that a view filters, in one text. */
  readonly said: (view: View) => string;
}

/** Its filters are given by their parameters in the addresses. */
export function filteredView<View extends object>(
  start: View,
  words: FilterWords<NoInfer<View>>,
  kept?: (view: View) => Partial<View>,
): FilteredView<View> {
  const section = sectionView(start, kept);
  const { view, patch } = section;
  const each = Object.entries(words);
  const follow: FollowFilters = (list, said, router) => {
    said.keys = each.map(([key]) => key);
    return followAddress(
      {
        list,
        kept: said,
        read: search => Object.fromEntries(each.map(([key, word]) => [key, word.read(search[key])])),
        now: () => Object.fromEntries(each.map(([key, word]) => [key, word.now(view.get())])),
        adopt: asked => patch(Object.assign({}, ...each.map(([key, word]) => word.adopt(asked[key])))),
        subscribe: view.subscribe,
      },
      router,
    );
  };
  return { ...section, follow, said: now => each.map(([, word]) => word.now(now)).join(' ') };
}
