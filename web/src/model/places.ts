import limits from '@catalog/limits.json';
import { api, type Schemas } from '~/api';
import { formatLatLng, parseLatLng } from '~/lib/coordinates';

/** A place on the map that somebody searched for or asked about. */
export interface Place extends Partial<Pick<Schemas['FoundPlace'], 'is_partial'>> {
  readonly kind: Schemas['FoundPlace']['kind'] | 'coordinates';
  /** "North Market Street & East 5th Street" */
  readonly label: string;
  /** The town it lies in or near; '' when there is none. */
  readonly near: string;
  readonly lat: number;
  readonly lng: number;
}

type LatLng = Pick<Place, 'lat' | 'lng'>;

/** What every place is: the words of its kind. */
export const PLACE_KINDS: Readonly<Record<Place['kind'], string>> = {
  street: 'Street',
  crossing: 'Intersection',
  exit: 'Exit',
  address: 'Address',
  town: 'Town',
  plus_code: 'Plus Code',
  coordinates: 'Coordinates',
};

/** The search as the server takes it; a longer text names nothing. */
const queryOf = (query: string): string => [...query.trim()].slice(0, limits.map.searchLetters.value).join('');

const nearOf = (near: LatLng | null) => (near ? { lat: String(near.lat), lng: String(near.lng) } : {});

/** Places, and why there are none where the server knows that. */
interface FoundPlaces {
  readonly places: readonly Place[];
  readonly why: string | undefined;
}

/**
 * The places that a text may mean, best first: the coordinates that it says, else what the server finds (a Plus Code,
 * streets, crossings, exits, addresses, and towns of the region), those near `near` first. Throws a `Failure` when the
 * server does not answer.
 */
export async function searchPlaces(query: string, near: LatLng | null, signal?: AbortSignal): Promise<FoundPlaces> {
  const at = parseLatLng(query);
  if (at) return { places: [{ kind: 'coordinates', label: formatLatLng(at), near: '', ...at }], why: undefined };
  const q = queryOf(query);
  if (q === '') return { places: [], why: undefined };
  const { data, message } = await api.request('GET /geocode', { query: { q, ...nearOf(near) }, signal });
  return { places: data, why: message };
}

/** The street at a position; null where there is none near by. */
export async function streetAt(at: LatLng, signal?: AbortSignal): Promise<Place | null> {
  const [street] = await api.data('GET /geocode', { query: nearOf(at), signal });
  return street ?? null;
}

/** The three words of a position (what3words). */
export async function wordsAt({ lat, lng }: LatLng, signal?: AbortSignal): Promise<string> {
  const { words } = await api.data('GET /what3words', { query: { lat: String(lat), lng: String(lng) }, signal });
  return words;
}
