import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { keyOf } from './key';

export const keysQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['keys', organizationId],
    queryFn: async ({ signal }) => {
      const rows = await api.data('GET /keys', { query: { 'org_ids[]': [organizationId] }, signal });
      return rows.map(keyOf);
    },
  });

/** The organization's assets by name, for a key of one of them. */
export const assetsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['keys', organizationId, 'assets'],
    queryFn: async ({ signal }) => {
      const rows: { id: string; label: string }[] = [];
      for (let page = 1; ; page += 1) {
        const query = { 'org_ids[]': [organizationId], page, per_page: 500 };
        const answer = await api.request('GET /organization/things', { query, signal });
        for (const one of answer.data)
          if (!one.is_deleted && one.organization.id === organizationId)
            rows.push({ id: one.id, label: one.nickname || one.haas_id });
        if (answer.data.length === 0 || page * 500 >= answer.meta.total) break;
      }
      return rows.sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
    },
  });

export type NewKey = Schemas['KeyCreate'];

/** The changes an administrator makes; both may ask who is there first. */
export function useKeyVerbs() {
  const queries = useQueryClient();
  const fresh = () => queries.invalidateQueries({ queryKey: ['keys'] });
  return {
    create: async (body: NewKey) => {
      const made = await api.data('POST /keys', { body });
      void fresh();
      return made;
    },
    revoke: async (id: string) => {
      const gone = await api.delete('DELETE /keys/{id}', { id });
      await fresh();
      return gone;
    },
  };
}
