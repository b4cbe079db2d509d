import { api, type Schemas } from '~/api';
import { isGeoJson } from '~/imports';
import { saveFile } from '~/lib/saveFile';

export type AreaFormat = Schemas['AreasImport']['format'];
export type ImportResult = Schemas['AreaImportResult'];

/** A file of thousands of areas is worked on for longer than other calls. */
const timeoutMs = 300_000;

/** Saves the organization's areas as a file that the import takes. */
export async function exportAreas(organizationId: string, format: AreaFormat): Promise<void> {
  const query = { 'org_ids[]': [organizationId], format };
  const { blob, name } = await api.file('GET /organization/exclusion_zone/export', { query, timeoutMs });
  saveFile(blob, name);
}

/** Imports a file, or with `preview` says what that would do. Throws the client's failure. */
export const importAreas = (body: Schemas['AreasImport']): Promise<ImportResult> =>
  api.data('POST /organization/exclusion_zone/import', { body, timeoutMs });

/** What a file's name says that it is; undefined where it is neither. */
export function formatOf(name: string): AreaFormat | undefined {
  if (/\.kml$/i.test(name)) return 'kml';
  return isGeoJson(name) ? 'geojson' : undefined;
}
