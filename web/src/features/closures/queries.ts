import { useQuery } from '@tanstack/react-query';
import { api, type Failure, type Schemas } from '~/api';
import { type Closure, closureOfWire } from '~/model/closure';
import type { Instant } from '~/model/instant';
import { dropRow, keepRow, useShownRow } from '~/section/nounRow';
import type { Shown } from '~/section/shown';

/** The closure of a detail or an edit. */
export const useShownClosure = (id: string): Shown<Closure> =>
  useShownRow('closure', id, {
    read: async (one, signal) =>
      closureOfWire(await api.data('GET /organization/closure/{id}', { path: { id: one }, signal })),
    operation: 'closures.load',
  });

/** POST; `uuid` is the new closure's own, so that it is made once however often it is sent. Throws the client's failure. */
export async function addClosure(body: Schemas['ClosureWrite']): Promise<void> {
  keepRow('closure', await api.data('POST /organization/closure', { body }));
}

/** PUT, with the version that the edit began with. Throws the client's failure. */
export async function saveClosure(
  id: string,
  body: Schemas['ClosureWrite'],
  version: number,
): Promise<Schemas['Closure']> {
  const saved = await api.data('PUT /organization/closure/{id}', { path: { id }, body, ifMatch: version });
  keepRow('closure', saved);
  return saved;
}

/**
 * PUT of the quick update: active from now until `endTime`, or inactive with 0. Throws the client's failure.
 */
export async function switchClosure(id: string, endTime: Instant): Promise<Schemas['Closure']> {
  const body = { uuid: id, is_active: endTime !== 0, end_time: endTime === 0 ? null : new Date(endTime).toISOString() };
  const saved = await api.data('PUT /organization/closure/{id}', { path: { id }, body });
  keepRow('closure', saved);
  return saved;
}

/** The answer to whether it still stands. Throws the client's failure. */
export async function confirmClosure(id: string, answer: 'still' | 'moved' | 'finished'): Promise<void> {
  keepRow('closure', await api.data('POST /organization/closure/{id}/confirm', { path: { id }, body: { answer } }));
}

const READERS_MS = 30_000;

/** Who reads it from the feeds, asked every half minute: messages do not tell. none: not known so far. */
export const useReaders = ({ id, updatedAt }: Closure): Closure['consumers'] | undefined =>
  useQuery({
    queryKey: ['closure readers', id, updatedAt],
    queryFn: async ({ signal }) =>
      closureOfWire(await api.data('GET /organization/closure/{id}', { path: { id }, signal })).consumers,
    refetchInterval: READERS_MS,
    staleTime: 0,
    gcTime: 0,
  }).data;

/** DELETE; what is gone already counts as deleted: its failure is returned. */
export async function deleteClosure(id: string): Promise<Failure | undefined> {
  const failure = await api.delete('DELETE /organization/closure/{id}', { id });
  dropRow('closure', id);
  return failure;
}
