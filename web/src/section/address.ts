import type { AnyRouter } from '@tanstack/react-router';
import { formatLatLng, parseLatLng } from '~/lib/coordinates';
import { searchOf } from '~/model/search';
import { session } from '~/session';
import type { KeptSearch } from './keptSearch';

/** Longer than any name or number that is searched for. */
export const SEARCH_CHARS = 200;

/** A search text as an address says it, and as it is searched for; undefined for none. */
export const normalizedSearch = (text: string | number | undefined): string | undefined =>
  searchOf(String(text ?? '')).slice(0, SEARCH_CHARS) || undefined;

/** A place as an address says it: "39.7447,-75.5484". */
export const placeWord = (place: { lat: number; lng: number }): string => formatLatLng(place).replace(' ', '');

/** The place that an address says; null for none, and for what is none. */
export const placeOf = (said: unknown): { lat: number; lng: number } | null =>
  typeof said === 'string' ? parseLatLng(said) : null;

/** The list of the units that are near to a place. */
export const nearestPath = (place: { lat: number; lng: number }): string =>
  `/dashboard/things?near=${placeWord(place)}`;

/** What a section's addresses say behind their path; a default is not said. */
type SearchParams = Readonly<Record<string, string | undefined>>;

export interface AddressParts {
  /** the address of the list; those of its rows begin with it */
  readonly list: string;
  readonly kept: KeptSearch;
  /** Reads any search of an address, whoever wrote it: what cannot be read is not there. */
  read(search: Readonly<Record<string, unknown>>): SearchParams;
  /** What an address must say for what is looked at now. */
  now(): SearchParams;
  /** The address has changed (a link, a reload, Back): what it says is what is looked at. */
  adopt(asked: SearchParams): void;
  /** Calls back when `now` may say something else. */
  subscribe(listener: () => void): () => void;
}

/**
 * While the dashboard stands, a section's filters and its address say the same: what the address asks for is filtered,
 * and what is filtered is written into it, without an entry in the history for each letter. Returns the way to end that.
 */
export function followAddress(parts: AddressParts, router: AnyRouter): () => void {
  const { list, kept } = parts;
  /** Half of an address is taken over: nothing may be written into it yet. */
  let isAdopting = false;
  const saysSame = (said: SearchParams) => {
    const now = parts.now();
    return kept.keys.every(key => said[key] === now[key]);
  };
  const isHere = (pathname: string) => pathname.startsWith(list);
  const read = ({ pathname, search }: { pathname: string; search: object }) => {
    if (!isHere(pathname)) return;
    const asked = parts.read(search as Record<string, unknown>);
    if (saysSame(asked)) return;
    isAdopting = true;
    parts.adopt(asked);
    isAdopting = false;
  };
  const write = () => {
    const { pathname, search } = router.latestLocation;
    const said = search as Record<string, string | undefined>;
    if (isAdopting || session.state.get().phase !== 'signedIn' || !isHere(pathname)) return;
    if (saysSame(said)) return;
    const others = Object.fromEntries(Object.entries(said).filter(([key]) => !kept.keys.includes(key)));
    const href = `${pathname}${router.options.stringifySearch({ ...others, ...parts.now() })}`;
    void router.navigate({ href, replace: true });
  };
  kept.now = parts.now;
  read(router.latestLocation);
  write();
  const offs = [
    router.subscribe('onBeforeLoad', ({ toLocation }) => read(toLocation)),
    router.subscribe('onResolved', write),
    parts.subscribe(write),
  ];
  return () => {
    for (const off of offs) off();
  };
}
