import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, asFailure, say } from '~/api';
import { useIsLoaded, useRow } from '~/live';
import { type Area, areaOfWire } from '~/model/area';
import type { Shown } from '~/section/shown';

/** One area. Kept for 0 s: the live picture is the cache. */
const areaQuery = (id: string) =>
  queryOptions({
    queryKey: ['area', id],
    queryFn: async ({ signal }) =>
      areaOfWire(await api.data('GET /organization/exclusion_zone/{id}', { path: { id }, signal })),
    staleTime: 0,
    gcTime: 0,
  });

/** The area of a detail: from the live picture, else read on its own once the list is there. */
export function useShownArea(id: string): Shown<Area> {
  const live = useRow('area', id);
  const isLoaded = useIsLoaded();
  const query = useQuery({ ...areaQuery(id), enabled: !live && isLoaded });
  const row = live ?? query.data;
  if (row) return { state: 'shown', row, isComplete: true };
  if (!query.error) return { state: 'loading' };
  const isMissing = asFailure(query.error).status === 404;
  return {
    state: 'failed',
    text: isMissing ? asFailure(query.error).message : say('areas.load', query.error),
    isMissing,
    retry: () => void query.refetch(),
  };
}
