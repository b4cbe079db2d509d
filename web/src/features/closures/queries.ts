import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { type Closure, closureOfWire } from '~/model/closure';
import type { Instant } from '~/model/instant';
import { keepRow } from '~/section/nounRow';
import { CLOSURES } from './noun';

/**
 * PUT of the quick update: active from now until `endTime`, or inactive with 0. Throws the client's failure.
 */
export function switchClosure(id: string, endTime: Instant): Promise<Schemas['Closure']> {
  const body = { uuid: id, is_active: endTime !== 0, end_time: endTime === 0 ? null : new Date(endTime).toISOString() };
  return CLOSURES.save(id, body);
}

/** The answer to whether it still stands. Throws the client's failure. */
export async function confirmClosure(id: string, answer: 'still' | 'moved' | 'finished'): Promise<void> {
  keepRow('closure', await api.data('POST /organization/closure/{id}/confirm', { path: { id }, body: { answer } }));
}

const READERS_MS = 30_000;

/** Who reads it from the feeds, asked every half minute: messages do not tell. none: not known so far. */
export const useReaders = ({ id, updated_at }: Closure): Closure['consumers'] | undefined =>
  useQuery({
    queryKey: ['closure readers', id, updated_at],
    queryFn: async ({ signal }) =>
      closureOfWire(await api.data('GET /organization/closure/{id}', { path: { id }, signal })).consumers,
    refetchInterval: READERS_MS,
    staleTime: 0,
    gcTime: 0,
  }).data;
