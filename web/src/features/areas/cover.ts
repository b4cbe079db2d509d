import enums from '@catalog/enums.json';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schemas } from '~/api';
import { localStore, readJson, writeJson } from '~/lib/storage';
import { createStore, useStore } from '~/lib/store';
import { type Instant, instantOf } from '~/model/instant';
import { OWN } from '~/section/own';
import { followStays, subscribeStays } from './stays';

/** What somebody asked to be told of: that a station is without its units. */
export interface Cover {
  areaId: string;
  areaName: string;
  typeIds: readonly string[];
  afterMinutes: number;
  /** null: nothing is matched with the area */
  isCovered: boolean | null;
  /** since when it is without them, also while that is not long enough ago; 0: they are there */
  since: Instant;
  missingType: string;
}

export const coverOfWire = (w: Schemas['Cover']): Cover => ({
  areaId: w.area_id,
  areaName: w.area_name,
  typeIds: w.thing_type_ids,
  afterMinutes: w.after_minutes,
  isCovered: w.is_covered,
  since: instantOf(w.since),
  missingType: w.missing_type ?? '',
});

/** "No Fire unit at Station 9", "No asset at Station 9". */
export function missingText({ missingType, areaName }: Pick<Cover, 'missingType' | 'areaName'>): string {
  const type = enums.thingTypes.find(one => one.name === missingType);
  return `No ${type ? `${type.displayName} unit` : 'asset'} at ${areaName}`;
}

/** A station becomes uncovered by the clock alone, some minutes after its last unit left. */
const AGAIN_MS = 30_000;

const KEY = [OWN, 'covers'];

const coversQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await api.request('GET /user/covers', { signal })).data.map(coverOfWire),
  staleTime: AGAIN_MS,
  refetchInterval: query => (query.state.data?.length ? AGAIN_MS : false),
});

const NONE: readonly Cover[] = [];

/** The stations that the user asked to be told of, asked anew when an asset comes to a station or leaves one. */
export function useCovers(): readonly Cover[] {
  const client = useQueryClient();
  const { data } = useQuery(coversQuery);
  const isAsked = (data?.length ?? 0) > 0;
  useEffect(() => (isAsked ? keepFresh(client) : undefined), [client, isAsked]);
  return data ?? NONE;
}

export const useCover = (areaId: string): Cover | undefined => useCovers().find(cover => cover.areaId === areaId);

function keepFresh(client: QueryClient): () => void {
  const unfollow = followStays();
  const off = subscribeStays(() => void client.invalidateQueries({ queryKey: KEY }));
  return () => {
    off();
    unfollow();
  };
}

/** PUT; throws the client's failure. */
export async function askCover(client: QueryClient, areaId: string, typeIds: readonly string[], minutes: number) {
  const body = { thing_type_ids: [...typeIds], after_minutes: minutes };
  await api.data('PUT /organization/exclusion_zone/{id}/cover', { path: { id: areaId }, body });
  await client.invalidateQueries({ queryKey: KEY });
}

/** DELETE; what is gone already counts as ended. */
export async function endCover(client: QueryClient, areaId: string): Promise<void> {
  await api.delete('DELETE /organization/exclusion_zone/{id}/cover', { id: areaId });
  await client.invalidateQueries({ queryKey: KEY });
}

const READ_KEY = 'lightbar.coversRead';

/** Which absences were read, by area: since when each lasts. */
const read = createStore<Readonly<Record<string, Instant>>>(readOf(readJson(localStore(), READ_KEY)));

function readOf(stored: unknown): Record<string, Instant> {
  const rows = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return Object.fromEntries(rows.filter(([, since]) => typeof since === 'number'));
}

/** The stations without their units that nobody here has read of yet, the newest absence first. */
export function useUnread(): readonly Cover[] {
  const seen = useStore(read);
  return useCovers()
    .filter(cover => cover.isCovered === false && seen[cover.areaId] !== cover.since)
    .toSorted((a, b) => b.since - a.since);
}

/** It was read, until the station is without them anew. */
export function markRead(covers: readonly Cover[]): void {
  const next = { ...read.get(), ...Object.fromEntries(covers.map(({ areaId, since }) => [areaId, since])) };
  read.set(next);
  writeJson(localStore(), READ_KEY, next);
}
