import limits from '@catalog/limits.json';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, asFailure, type Schemas, say } from '~/api';
import { askedId } from '~/lib/uuid';
import { useGoneAt, useRow, useRows, useStreamState } from '~/live';
import { type Location, locationOfWire } from '~/model/location';
import { keepRow } from '~/section/nounRow';
import type { Shown } from '~/section/shown';
import { useOrganization } from '~/session';
import { patchView } from './view';

/**
 * One event, however long ago. Kept for 0 s: the live picture is the cache of what is recent. Where that holds so many
 * that an active one is not among them, nobody else would say that it has changed: it is asked for again and again.
 */
const locationQuery = (id: string, goneAt: number) =>
  queryOptions({
    queryKey: ['location', id, goneAt],
    queryFn: async ({ signal }) =>
      locationOfWire(await api.data('GET /locations/{id}', { path: { id: askedId(id) }, signal })),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.is_active ? limits.stream.pollMs.value : false),
  });

/**
 * The event of a detail or edit screen: from the live picture, else read on its own. A deep link waits for the first
 * list before it asks.
 */
export function useShownEvent(id: string): Shown<Location> {
  const live = useRow('location', id);
  const { phase } = useStreamState();
  // What was read before it went says nothing of now.
  const goneAt = useGoneAt('location', id);
  const query = useQuery({ ...locationQuery(id, goneAt), enabled: !live && phase !== 'loading' && phase !== 'idle' });
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

const KEPT = limits.lists.liveLocations.value;
const NONE: readonly Location[] = [];

const foundQuery = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: ['locations', organizationId, search],
    queryFn: async ({ signal }) => {
      const query = { 'org_ids[]': [organizationId], search, per_page: KEPT };
      return (await api.data('GET /locations', { query, signal })).map(locationOfWire);
    },
  });

/**
 * Looks on the server for what a search finds where the live picture does not keep all events. Tells whether it still
 * looks, and why it could not.
 */
export function useFoundEvents(search: string): { isLooking: boolean; failure: unknown; retry: () => void } {
  const { id } = useOrganization();
  const isFull = useRows('location').length >= KEPT;
  const enabled = isFull && search !== '' && search.length <= limits.lists.searchText.value;
  const { data, error, isFetching, refetch } = useQuery({ ...foundQuery(id, search), enabled });
  useEffect(() => patchView({ found: (enabled && data) || NONE }), [enabled, data]);
  return { isLooking: enabled && isFetching && !data, failure: enabled ? error : null, retry: () => void refetch() };
}

/** PUT /locations/{id}; with the version that the edit began with; answers the row that it made. Throws the client's failure. */
export async function saveLocation(
  id: string,
  body: Schemas['LocationWrite'],
  version: number,
): Promise<Schemas['Location']> {
  const row = await api.data('PUT /locations/{id}', { path: { id }, body, ifMatch: version });
  keepRow('location', row);
  return row;
}
