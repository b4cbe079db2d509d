import enums from '@catalog/enums.json';
import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { liveStore } from '~/live';
import { defaultFilter, RELATIONS, type ThingFilter } from '~/model/filter';
import { searchOf } from '~/model/search';
import { Status, THING_STATUSES } from '~/model/status';
import { preferences, session } from '~/session';
import { FILTER_KEYS, kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { patchView, thingsView } from './view';

/** Longer than any name or number that is searched for. */
const SEARCH_CHARS = 200;
const TYPES = 100;

const statusNames = new Map(THING_STATUSES.map(one => [enums.status[one]?.name.toLowerCase() ?? '', one]));
const typeIds = new Map(enums.thingTypes.map(type => [type.name, type.id]));
const typeNames = new Map(enums.thingTypes.map(type => [type.id, type.name]));
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** What a switch keeps away: out-of-service assets, all assets on the map, all incidents on the map. */
const HIDDEN = ['oos', 'assets', 'events'] as const;

/** Words with dots between them, which need no escape in an address; "none" for none of them. */
const some = (words: Iterable<string>, most: number) => {
  const one = `(?:${[...words].join('|')})`;
  const list = z.string().check(z.regex(new RegExp(`^(?:none|${one}(?:\\.${one}){0,${most - 1}})$`)));
  return z.catch(z.optional(list), undefined);
};

/** What the address of the Live section says of its filters. Whoever wrote it: what cannot be read is not there. */
const schema = z.object({
  /** An address that says 007 or 12 says a number to the router. */
  q: z.catch(z.optional(z.union([z.string().check(z.maxLength(SEARCH_CHARS)), z.number()])), undefined),
  status: some(statusNames.keys(), THING_STATUSES.length),
  type: some([...typeIds.keys(), UUID], TYPES),
  relation: some(RELATIONS, 1),
  hide: some(HIDDEN, HIDDEN.length),
});

/** The filters as an address says them; a default is not said. */
type FilterSearch = { [key in (typeof FILTER_KEYS)[number]]?: string | undefined };

/** Reads any search of an address. */
function readSearch(search: Record<string, unknown>): FilterSearch {
  const { q, status, type, relation, hide } = schema.parse(
    Object.fromEntries(FILTER_KEYS.map(key => [key, search[key]])),
  );
  return { q: searchOf(String(q ?? '')) || undefined, status, type, relation, hide };
}

/** A list of the address as the values that it stands for; undefined when it is not said. */
function valuesOf<T>(list: string | undefined, read: (word: string) => T): ReadonlySet<T> | undefined {
  if (list === undefined) return undefined;
  return new Set(list === 'none' ? [] : list.split('.').map(read));
}

/** The filter that an address asks for. */
function filterOf(search: FilterSearch): ThingFilter {
  const usual = defaultFilter(preferences.get().showOffline);
  return {
    statuses: valuesOf(search.status, word => statusNames.get(word) ?? Status.LOCATION) ?? usual.statuses,
    types: valuesOf(search.type, word => typeIds.get(word) ?? word) ?? usual.types,
    relations: valuesOf(search.relation, word => RELATIONS.find(one => one === word) ?? 'owned') ?? usual.relations,
    outOfService: !search.hide?.split('.').includes('oos'),
    search: search.q ?? '',
  };
}

const listOf = (words: readonly string[]) => (words.length === 0 ? 'none' : words.join('.'));

function isSame<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every(one => b.has(one));
}

/** What an address must say for what is filtered now. */
function searchNow(): FilterSearch {
  const { statuses, types, relations, outOfService, search } = liveStore.getFilter();
  const { showAssets, showLocations } = thingsView.get();
  const usual = defaultFilter(preferences.get().showOffline);
  const hidden = HIDDEN.filter((_, i) => ![outOfService, showAssets, showLocations][i]);
  return {
    ...(search !== '' && { q: search.slice(0, SEARCH_CHARS) }),
    ...(!isSame(statuses, usual.statuses) && {
      status: listOf([...statusNames].filter(([, one]) => statuses.has(one)).map(([name]) => name)),
    }),
    ...(types && { type: listOf([...types].map(id => typeNames.get(id) ?? id).sort()) }),
    ...(relations.size < RELATIONS.length && { relation: listOf([...relations]) }),
    ...(hidden.length > 0 && { hide: listOf(hidden) }),
  };
}

const saysSame = (a: Record<string, unknown>, b: FilterSearch) => FILTER_KEYS.every(key => a[key] === b[key]);

/** The address has changed (a link, a reload, Back): what it says is what is filtered. */
function adoptSearch(search: Record<string, unknown>): void {
  const asked = readSearch(search);
  if (saysSame(asked, searchNow())) return;
  const hidden = asked.hide?.split('.') ?? [];
  isAdopting = true;
  patchView({ showAssets: !hidden.includes('assets'), showLocations: !hidden.includes('events') });
  liveStore.setFilter(filterOf(asked));
  isAdopting = false;
}

/** Half of an address is taken over: nothing may be written into it yet. */
let isAdopting = false;

/**
 * While the dashboard stands, filters and the address of the Live section say the same: what the address asks for is
 * filtered, and what is filtered is written into it, without an entry in the history for each letter. Returns the way
 * to end that.
 */
export function followAddress(router: AnyRouter): () => void {
  const isHere = (pathname: string) => pathname.startsWith(LIST_PATH);
  const read = ({ pathname, search }: { pathname: string; search: object }) => {
    if (isHere(pathname)) adoptSearch(search as Record<string, unknown>);
  };
  const write = () => {
    const { pathname, search } = router.latestLocation;
    const said = search as Record<string, unknown>;
    if (isAdopting || session.state.get().phase !== 'signedIn' || !isHere(pathname)) return;
    if (saysSame(said, searchNow())) return;
    const others = Object.fromEntries(Object.entries(said).filter(([key]) => !FILTER_KEYS.some(one => one === key)));
    const href = `${pathname}${router.options.stringifySearch({ ...others, ...searchNow() })}`;
    void router.navigate({ href, replace: true });
  };
  kept.now = searchNow;
  read(router.latestLocation);
  write();
  const offs = [
    router.subscribe('onBeforeLoad', ({ toLocation }) => read(toLocation)),
    router.subscribe('onResolved', write),
    liveStore.subscribeFilter(write),
    thingsView.subscribe(write),
  ];
  return () => {
    for (const off of offs) off();
  };
}
