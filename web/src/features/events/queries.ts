import limits from '@catalog/limits.json';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, asFailure, type Schemas, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { askedId } from '~/lib/uuid';
import { liveStore, useRow, useStreamState } from '~/live';
import { type Location, locationOfWire } from '~/model/location';
import type { Shown } from '~/section/shown';

/**
 * One event, however long ago. Kept for 0 s: the live picture is the cache of what is recent. Where that holds so many
 * that an active one is not among them, nobody else would say that it has changed: it is asked for again and again.
 */
const locationQuery = (id: string) =>
  queryOptions({
    queryKey: ['location', id],
    queryFn: async ({ signal }) =>
      locationOfWire(await api.data('GET /locations/{id}', { path: { id: askedId(id) }, signal })),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.isActive ? limits.stream.pollMs.value : false),
  });

/**
 * The event of a detail or edit screen: from the live picture, else read on its own. A deep link waits for the first
 * list before it asks.
 */
export function useShownEvent(id: string): Shown<Location> {
  const live = useRow('location', id);
  const { phase } = useStreamState();
  const query = useQuery({ ...locationQuery(id), enabled: !live && phase !== 'loading' && phase !== 'idle' });
  const row = live ?? query.data;
  if (row) return { state: 'shown', row, isComplete: true };
  if (!query.error) return { state: 'loading' };
  return {
    state: 'failed',
    text: say('location.load', query.error),
    isMissing: asFailure(query.error).status === 404,
    retry: () => void query.refetch(),
  };
}

/** PUT /locations/{id}; with the version that the edit began with; answers the row that it made. Throws the client's failure. */
export async function saveLocation(
  id: string,
  body: Schemas['LocationWrite'],
  version: number,
): Promise<Schemas['Location']> {
  const row = await api.data('PUT /locations/{id}', { path: { id }, body, ifMatch: version });
  const rows = liveStore.of('location');
  rows.merge([row], 0, serverClock.now());
  rows.tell();
  return row;
}
