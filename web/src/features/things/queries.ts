import limits from '@catalog/limits.json';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type WireThing } from '~/api';
import { serverClock } from '~/lib/clock';
import { askedId } from '~/lib/uuid';
import { liveStore } from '~/live';
import { instantOf } from '~/model/instant';
import { type Thing, thingOfWire } from '~/model/thing';
import { thingSubtypesOfWire, thingTypesOfWire } from '~/model/thingType';
import type { AccessEdit } from './access';
import type { ThingUpdate } from './form';

/** The cache keeps what it was not told otherwise about for 3600 s (requirements 7.cache). */
export const KEEP_MS = limits.lists.keepMs.value;

/** A row that an answer carried enters the live picture, so that every screen shows the same. */
function mergeIntoPicture(row: WireThing): Thing {
  const now = serverClock.now();
  if (liveStore.thing(row.id)) liveStore.applyRows([row], instantOf(row.received_at), now, true);
  return thingOfWire(row, now);
}

/** One asset with its whole profile. Kept for 0 s: the live picture is the cache of assets. */
export const thingQuery = (id: string) =>
  queryOptions({
    queryKey: ['thing', id],
    queryFn: async ({ signal }) =>
      mergeIntoPicture(await api.data('GET /things/{id}', { path: { id: askedId(id) }, signal })),
    staleTime: 0,
    gcTime: 0,
  });

export const typesQuery = queryOptions({
  queryKey: ['thingTypes'],
  queryFn: async ({ signal }) => thingTypesOfWire(await api.data('GET /thing_types', { signal })),
  staleTime: KEEP_MS,
  gcTime: KEEP_MS,
});

export const subtypesQuery = queryOptions({
  queryKey: ['thingSubtypes'],
  queryFn: async ({ signal }) => thingSubtypesOfWire(await api.data('GET /thing_subtypes', { signal })),
  staleTime: KEEP_MS,
  gcTime: KEEP_MS,
});

export const useThingTypes = () => useQuery(typesQuery).data;
export const useThingSubtypes = () => useQuery(subtypesQuery).data;

/** PUT /things/{id}; with the version that the edit began with. Throws the client's failure. */
export async function saveThing(id: string, update: ThingUpdate, version: number): Promise<Thing> {
  const row = await api.data('PUT /things/{id}', {
    path: { id },
    body: update,
    ...(version > 0 ? { ifMatch: version } : {}),
  });
  return mergeIntoPicture(row);
}

/** PUT /things/{id}/associations. Throws the client's failure. */
export async function saveAccess(id: string, edits: readonly AccessEdit[]): Promise<Thing> {
  const row = await api.data('PUT /things/{thingId}/associations', {
    path: { thingId: id },
    body: { organization_relationships: [...edits] },
  });
  return mergeIntoPicture(row);
}
