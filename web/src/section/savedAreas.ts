import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, say } from '~/api';
import { useCan } from '~/session';
import { toast } from '~/ui';
import { OWN } from './own';

const read = async (signal?: AbortSignal) => (await api.data('GET /user/saved_areas', { signal })).area_ids;

const savedAreas = queryOptions({
  queryKey: [OWN, 'savedAreas'],
  queryFn: ({ signal }) => read(signal),
});

/** The user's bookmarks of areas: their ids in the user's order. */
export function useSavedAreas() {
  return useQuery({ ...savedAreas, enabled: useCan('VIEW_AREAS') });
}

interface Change {
  id: string;
  on: boolean;
}

const changed = (ids: readonly string[], { id, on }: Change): string[] => [
  ...ids.filter(one => one !== id),
  ...(on ? [id] : []),
];

/** Whether an area is bookmarked, undefined until that is known, and the way to change it: seen at once, taken back when it fails. */
export function useSavedArea(id: string): { isSaved: boolean | undefined; save: (on: boolean) => void } {
  const client = useQueryClient();
  const { data } = useSavedAreas();
  const put = (change: Change) =>
    client.setQueryData(savedAreas.queryKey, (ids: string[] | undefined) => ids && changed(ids, change));
  const { mutate } = useMutation({
    // One after the other, each with what the server has then: others may have been saved in another browser.
    scope: { id: 'savedAreas' },
    mutationFn: async (change: Change) =>
      api.data('PUT /user/saved_areas', { body: { area_ids: changed(await read(), change) } }),
    onMutate: async (change: Change) => {
      await client.cancelQueries(savedAreas);
      put(change);
    },
    onError: (error, change) => {
      put({ ...change, on: !change.on });
      toast(say('generic', error));
    },
  });
  return { isSaved: data?.includes(id), save: on => mutate({ id, on }) };
}
