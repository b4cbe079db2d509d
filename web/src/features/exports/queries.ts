import limits from '@catalog/limits.json';
import { useQuery } from '@tanstack/react-query';
import { api, Failure, type Schemas } from '~/api';
import { saveFrom } from '~/lib/saveFile';
import { isMaking } from '~/model/export';
import { resource } from '~/office';

const exports = resource('export', {
  list: 'GET /organization/export',
  one: 'GET /organization/export/{id}',
  fits: row => !row.is_deleted,
});

/** How often it is asked how far exports are, while one is being made and somebody looks at it. */
const POLL_MS = 2000;
const REFRESH_MS = limits.lists.refreshMs.value;

/** The exports of an organization; nobody is asked where only who acts for it may see them. */
export const useExports = (organizationId: string, isOpen: boolean) =>
  useQuery({
    ...exports.list(organizationId),
    enabled: isOpen,
    refetchInterval: ({ state }) => (state.data?.some(isMaking) ? POLL_MS : REFRESH_MS),
  });

/** One export, and how far it is. */
export const useExport = (id: string) =>
  useQuery({
    ...exports.one(id),
    refetchInterval: ({ state }) => (state.data && isMaking(state.data) ? POLL_MS : REFRESH_MS),
  });

/** How large an export would be; nobody is asked while it cannot be asked for. */
export const useEstimate = (body: Schemas['ExportWrite'], isAsked: boolean) =>
  useQuery({
    queryKey: ['export-estimate', body],
    queryFn: () => api.data('POST /organization/export/estimate', { body }),
    enabled: isAsked,
    staleTime: REFRESH_MS,
    retry: false, // without it everything else works
  });

/** What becomes of exports by hand; each throws the client's failure. */
export function useExportWrites() {
  const { kept, gone, changed } = exports.useWrites();
  return {
    create: (body: Schemas['ExportWrite']) => kept(api.data('POST /organization/export', { body })),
    /** One that has ended meanwhile is read again: how it ended says more than the refusal. */
    cancel: async (id: string) => {
      try {
        return await kept(api.data('POST /organization/export/{id}/cancel', { path: { id } }));
      } catch (error) {
        await changed(Promise.resolve());
        throw error;
      }
    },
    remove: (id: string) => gone(id, api.delete('DELETE /organization/export/{id}', { id })),
  };
}

/** Downloads a file of an export. Throws the client's failure; one that is not there any more is a 404. */
export async function download({ file_id, name }: Schemas['ExportFile']): Promise<void> {
  const query = { filename: file_id, is_downloadable: true };
  const { file_url } = await api.request('GET /reports/organization_monthly_report_pdf_link', { query });
  if (!file_url) throw new Failure({ status: 404, code: 'not_found', message: '' });
  saveFrom(file_url, name);
}
