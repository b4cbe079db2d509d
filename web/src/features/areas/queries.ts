import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, asFailure, type Failure, type Schemas, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { liveStore, useIsLoaded, useRow } from '~/live';
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

/** Takes a row that the server answered into the live picture at once: its message may come later. */
function keep(row: Schemas['Area']): void {
  const rows = liveStore.of('area');
  rows.merge([row], 0, serverClock.now());
  rows.tell();
}

/** POST; `id` is the new area's own, so that it is made once however often it is sent. Throws the client's failure. */
export async function addArea(body: Schemas['AreaWrite']): Promise<Schemas['Area']> {
  const row = await api.data('POST /organization/exclusion_zone', { body });
  keep(row);
  return row;
}

/** PUT, with the version that the edit began with; answers the row that it made. Throws the client's failure. */
export async function saveArea(id: string, body: Schemas['AreaWrite'], version: number): Promise<Schemas['Area']> {
  const row = await api.data('PUT /organization/exclusion_zone/{id}', { path: { id }, body, ifMatch: version });
  keep(row);
  return row;
}

/** DELETE; what is gone already counts as deleted: its failure is returned. */
export async function deleteArea(id: string): Promise<Failure | undefined> {
  const failure = await api.delete('DELETE /organization/exclusion_zone/{id}', { id });
  const rows = liveStore.of('area');
  rows.lack([id], serverClock.now());
  rows.tell();
  return failure;
}
