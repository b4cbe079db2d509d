import enums from '@catalog/enums.json';
import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { liveStore } from '~/live';
import { defaultFilter, RELATIONS, type ThingFilter } from '~/model/filter';
import { Status, THING_STATUSES } from '~/model/status';
import { followAddress as follow, normalizedSearch } from '~/section/address';
import { searchText } from '~/section/filterAddress';
import { mapSwitches, switchMap } from '~/section/view';
import { preferences } from '~/session';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';

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
  status: some(statusNames.keys(), THING_STATUSES.length),
  type: some([...typeIds.keys(), UUID], TYPES),
  relation: some(RELATIONS, 1),
  hide: some(HIDDEN, HIDDEN.length),
});

/** The filters as an address says them; a default is not said. */
type FilterSearch = Partial<Record<'q' | keyof z.infer<typeof schema>, string | undefined>>;

/** Reads any search of an address. */
function readSearch(search: Readonly<Record<string, unknown>>): FilterSearch {
  return {
    q: searchText.read(search.q),
    ...schema.parse(Object.fromEntries(kept.keys.map(key => [key, search[key]]))),
  };
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
  const { showAssets, showLocations } = mapSwitches.get();
  const usual = defaultFilter(preferences.get().showOffline);
  const hidden = HIDDEN.filter((_, i) => ![outOfService, showAssets, showLocations][i]);
  return {
    q: normalizedSearch(search),
    ...(!isSame(statuses, usual.statuses) && {
      status: listOf([...statusNames].filter(([, one]) => statuses.has(one)).map(([name]) => name)),
    }),
    ...(types && { type: listOf([...types].map(id => typeNames.get(id) ?? id).sort()) }),
    ...(relations.size < RELATIONS.length && { relation: listOf([...relations]) }),
    ...(hidden.length > 0 && { hide: listOf(hidden) }),
  };
}

/** What an address asks for is what is filtered. */
function adoptSearch(asked: FilterSearch): void {
  const hidden = asked.hide?.split('.') ?? [];
  switchMap({ showAssets: !hidden.includes('assets'), showLocations: !hidden.includes('events') });
  liveStore.setFilter(filterOf(asked));
}

/** Keeps filters and the address of the Live section the same; returns the way to end that. */
export const followAddress = (router: AnyRouter): (() => void) =>
  follow(
    {
      list: LIST_PATH,
      kept,
      read: readSearch,
      now: searchNow,
      adopt: adoptSearch,
      subscribe(listener) {
        const offs = [liveStore.subscribeFilter(listener), mapSwitches.subscribe(listener)];
        return () => {
          for (const off of offs) off();
        };
      },
    },
    router,
  );
