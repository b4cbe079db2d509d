import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '~/api';
import { saveFile } from '~/lib/saveFile';
import { type Entry, entryOf } from './entry';

/** What the list is narrowed to; '' = any. */
export interface AuditFilter {
  organizationId: string;
  noun: string;
  /** RFC 3339, '' = from the beginning. */
  since: string;
}

const PER_PAGE = 100;

const queryOf = ({ organizationId, noun, since }: AuditFilter) => ({
  organization_id: organizationId,
  noun: noun || undefined,
  since: since || undefined,
});

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam }): Promise<{ rows: Entry[]; total: number }> => {
      const query = { ...queryOf(filter), page: pageParam, per_page: PER_PAGE };
      const { data, meta } = await api.request('GET /audit', { query, signal });
      return { rows: data.map(entryOf), total: meta.total };
    },
    getNextPageParam: (last, pages) =>
      last.rows.length === PER_PAGE && pages.length * PER_PAGE < last.total ? pages.length + 1 : undefined,
    staleTime: 0,
  });

/** Saves all matching rows as a file. */
export async function exportAudit(filter: AuditFilter, format: 'csv' | 'jsonl'): Promise<void> {
  const { blob, name } = await api.file('GET /audit/export', {
    query: { ...queryOf(filter), format },
    timeoutMs: 300_000,
  });
  saveFile(blob, name);
}
