import limits from '@catalog/limits.json';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '~/api';
import { saveFile } from '~/lib/saveFile';
import { askedId } from '~/lib/uuid';
import { instantText } from '~/model/instant';
import type { TripQuery } from '~/model/trip';
import type { Coverage, ThingTrips } from './wire';

const CACHED_MS = limits.trip.cachedMs.value;
const COMBINED_MS = limits.trip.combinedCachedMs.value;
/** A day of five assets is large: what nobody looks at any more is let go as soon as it would be asked for again. */
const KEPT_MS = 2 * CACHED_MS;
/** A day at one point a second takes its time on a thin line. */
const TIMEOUT_MS = 120_000;

/** What some assets did, in the order in which they were asked for, and why it is not known of others. */
export interface TripsAnswer {
  readonly trips: readonly ThingTrips[];
  readonly failures: readonly { id: string; error: unknown }[];
  /** when the oldest of them was read, by the clock of this page */
  readonly readAt: number;
}

/** As the wire says an instant; one that is none is not sent. */
const said = (ms: number) => instantText(ms) ?? undefined;

async function readTrips(id: string, { from, to }: TripQuery, signal: AbortSignal): Promise<ThingTrips> {
  const start = said(from);
  const query = { start_time: start, end_time: said(to), run_date: start };
  const call = { path: { thingId: askedId(id) }, query, signal, timeoutMs: TIMEOUT_MS };
  const data = await api.data('GET /things/{thingId}/trips', call);
  // As the address says it, so that both are found by the same id.
  return { ...data, thing_id: id };
}

/** The trips of each asset, from memory where they were read less than 300 s ago. */
async function combine(client: QueryClient, asked: TripQuery): Promise<TripsAnswer> {
  const { things, from, to } = asked;
  const keyOf = (id: string) => ['trips', 'of', id, from, to];
  const read = (id: string) =>
    client.fetchQuery({
      queryKey: keyOf(id),
      queryFn: ({ signal }) => readTrips(id, asked, signal),
      staleTime: CACHED_MS,
      gcTime: KEPT_MS,
      // Nobody changes a day of points in place: comparing all of them costs more than drawing them.
      structuralSharing: false,
    });
  const answers = await Promise.allSettled(things.map(read));
  return {
    trips: answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : [])),
    failures: answers.flatMap((answer, i) =>
      answer.status === 'rejected' ? { id: things[i] as string, error: answer.reason as unknown } : [],
    ),
    readAt: Math.min(Date.now(), ...things.map(id => client.getQueryState(keyOf(id))?.dataUpdatedAt || Date.now())),
  };
}

/**
 * How long an answer is fresh: for 60 s, and no longer than each of its parts. One that is not whole is no answer to
 * keep.
 */
function freshMs({ data, dataUpdatedAt }: { data: TripsAnswer | undefined; dataUpdatedAt: number }): number {
  if (!data || data.failures.length > 0) return 0;
  return Math.min(COMBINED_MS, data.readAt + CACHED_MS - dataUpdatedAt);
}

/** The same answer stays the same value, so that the map does not draw anew what it shows. */
function kept(before: unknown, now: unknown): unknown {
  const [was, is] = [before as TripsAnswer | undefined, now as TripsAnswer];
  const isSame =
    was !== undefined &&
    was.failures.length + is.failures.length === 0 &&
    was.trips.length === is.trips.length &&
    was.trips.every((one, i) => one === is.trips[i]);
  return isSame ? was : is;
}

/** What the asked assets did; a query that is not sound is never sent. */
export function useTrips(asked: TripQuery | undefined) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['trips', 'all', asked?.things, asked?.from, asked?.to],
    queryFn: () => combine(client, asked as TripQuery),
    enabled: asked !== undefined,
    staleTime: query => freshMs(query.state),
    gcTime: KEPT_MS,
    refetchInterval: false,
    // Each asset's own query asks again where that helps.
    retry: false,
    structuralSharing: kept,
  });
}

/** When there are reports of some assets in a time; undefined as long as nobody knows. It is a help, and may be missing. */
export function useCoverage({ things, from, to }: TripQuery, isSound: boolean): readonly Coverage[] | undefined {
  const ids = things.map(askedId);
  const { data } = useQuery({
    queryKey: ['trips', 'coverage', ids, from, to],
    queryFn: ({ signal }) => {
      const query = { 'thing_ids[]': ids, start_time: said(from), end_time: said(to) };
      return api.data('GET /things/coverage', { query, signal });
    },
    enabled: isSound,
    staleTime: COMBINED_MS,
    gcTime: KEPT_MS,
    refetchInterval: false,
    retry: false,
  });
  return isSound ? data : undefined;
}

export const TRIP_FORMATS = [
  { format: 'gpx', label: 'GPX' },
  { format: 'kml', label: 'KML' },
  { format: 'geojson', label: 'GeoJSON' },
] as const;
export type TripFormat = (typeof TRIP_FORMATS)[number]['format'];

/** Saves the trips of a query as a file. Throws the client's failure. */
export async function exportTrips({ things, from, to }: TripQuery, format: TripFormat): Promise<void> {
  const query = { 'thing_ids[]': things.map(askedId), start_time: said(from), end_time: said(to), format };
  const { blob, name } = await api.file('GET /things/trips/export', { query, timeoutMs: TIMEOUT_MS });
  saveFile(blob, name);
}
