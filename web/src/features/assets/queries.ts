import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { saveFile } from '~/lib/saveFile';
import { type Asset, assetOf } from './asset';

const PAGE = 500;

/** All assets an organization sees, page by page. */
export const assetsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['assets', organizationId],
    queryFn: async ({ signal }) => {
      const rows: Schemas['Thing'][] = [];
      for (let page = 1; ; page += 1) {
        const query = { 'org_ids[]': [organizationId], page, per_page: PAGE };
        const answer = await api.request('GET /organization/things', { query, signal });
        rows.push(...answer.data);
        if (answer.data.length === 0 || page * PAGE >= answer.meta.total) break;
      }
      return rows.filter(row => !row.is_deleted).map(assetOf);
    },
  });

export const assetQuery = (id: string) =>
  queryOptions({
    queryKey: ['asset', id],
    queryFn: async ({ signal }) => assetOf(await api.data('GET /things/{id}', { path: { id }, signal })),
  });

export const configQuery = (id: string) =>
  queryOptions({
    queryKey: ['asset', id, 'config'],
    queryFn: ({ signal }) => api.data('GET /things/{id}/device_config', { path: { id }, signal }),
  });

/** Organizations an asset can be given to. */
export const useAssignable = () =>
  useQuery({
    queryKey: ['assignable'],
    queryFn: ({ signal }) => api.data('GET /organization/assignable', { signal }),
  }).data;

export type NewAsset = Schemas['ThingCreate'];
export type ImportResult = Schemas['ImportResult'];
export type ImportUndo = Schemas['ImportUndo'];

/** Saves the organization's assets as a CSV file whose header an import takes. */
export async function exportAssets(organizationId: string): Promise<void> {
  const query = { 'org_ids[]': [organizationId] };
  const { blob, name } = await api.file('GET /organization/things/export', { query, timeoutMs: 120_000 });
  saveFile(blob, name);
}

/** The changes an administrator makes; each throws the client's failure and leaves the lists fresh. */
export function useAssetVerbs() {
  const queries = useQueryClient();
  const fresh = () => queries.invalidateQueries({ queryKey: ['assets'] });
  return {
    register: async (body: NewAsset) => {
      const made = assetOf(await api.data('POST /things', { body }));
      await fresh();
      return made;
    },
    transfer: async (id: string, organizationId: string) => {
      await api.request('PUT /things/{id}/organization', { path: { id }, body: { organization_id: organizationId } });
      queries.removeQueries({ queryKey: ['asset', id] });
      await fresh();
    },
    remove: async (id: string) => {
      const gone = await api.delete('DELETE /things/{id}', { id });
      queries.removeQueries({ queryKey: ['asset', id] });
      queries.setQueriesData<Asset[]>({ queryKey: ['assets'] }, rows => rows?.filter(row => row.id !== id));
      await fresh();
      return gone;
    },
    configure: async (id: string, body: Schemas['DeviceConfigWrite'], version: number) => {
      const saved = await api.data('PUT /things/{id}/device_config', {
        path: { id },
        body,
        ifMatch: version || undefined,
      });
      queries.setQueryData(['asset', id, 'config'], saved);
      return saved;
    },
    /** Without a digest nothing is written: the answer shows what would change. */
    importCsv: async (organizationId: string, csv: string, digest?: string) => {
      const body = { organization_id: organizationId, csv, ...(digest ? { digest } : {}) };
      const result = await api.data('POST /organization/things/import', { body, timeoutMs: 120_000 });
      if (result.applied) await fresh();
      return result;
    },
    /** Takes an applied import back, as far as nobody has touched its assets since. */
    undoImport: async (importId: string) => {
      const path = { id: importId };
      const undone = await api.data('POST /organization/things/import/{id}/undo', { path, timeoutMs: 120_000 });
      await fresh();
      return undone;
    },
  };
}
