import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import type { Undone } from '~/imports';
import { saveFile } from '~/lib/saveFile';
import { things } from '~/office';

/** What an asset's device fetches. */
export const configQuery = (id: string) =>
  things.part(id, 'config', signal => api.data('GET /things/{id}/device_config', { path: { id }, signal }));

export type ImportResult = Schemas['ImportResult'];

/** A file of many assets is worked on for longer than other calls. */
const timeoutMs = 120_000;

/** Saves the organization's assets as a CSV file whose header an import takes. */
export async function exportAssets(organizationId: string): Promise<void> {
  const query = { 'org_ids[]': [organizationId] };
  const { blob, name } = await api.file('GET /organization/things/export', { query, timeoutMs });
  saveFile(blob, name);
}

/** The changes an administrator makes; each throws the client's failure and leaves what is shown fresh. */
export function useAssetMutations() {
  const queries = useQueryClient();
  const { kept, gone, changed } = things.useWrites();
  return {
    register: (body: Schemas['ThingCreate']) => kept(api.data('POST /things', { body })),
    transfer: (id: string, organization_id: string) =>
      changed(api.request('PUT /things/{id}/organization', { path: { id }, body: { organization_id } })),
    remove: (id: string) => gone(id, api.delete('DELETE /things/{id}', { id })),
    configure: async (id: string, body: Schemas['DeviceConfigWrite'], version: number) => {
      const ifMatch = version || undefined;
      const saved = await api.data('PUT /things/{id}/device_config', { path: { id }, body, ifMatch });
      queries.setQueryData(configQuery(id).queryKey, saved);
    },
    /** Without a digest nothing is written: the answer shows what would change. */
    importCsv: (organization_id: string, csv: string, digest?: string) => {
      const body = { organization_id, csv, ...(digest ? { digest } : {}) };
      const call = api.data('POST /organization/things/import', { body, timeoutMs });
      return digest ? changed(call) : call;
    },
    /** Takes an applied import back, as far as nobody has touched its assets since. */
    undoImport: async (id: string): Promise<Undone> => {
      const { left, ...did } = await changed(
        api.data('POST /organization/things/import/{id}/undo', { path: { id }, timeoutMs }),
      );
      const reasons = left.map(({ thing_id, haas_id, reason }) => ({ id: thing_id, name: haas_id, reason }));
      return { ...did, left: left.length, reasons };
    },
  };
}
