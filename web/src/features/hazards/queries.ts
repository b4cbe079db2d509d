import { api, type Schemas } from '~/api';
import { keepRow } from '~/section/nounRow';

/** Says that it is still there; one that has ended stands again. Throws the client's failure. */
export async function confirmHazard(id: string): Promise<void> {
  keepRow('hazard', await api.data('POST /organization/hazards/{id}/confirm', { path: { id } }));
}

/** Says that it is gone. Throws the client's failure. */
export async function clearHazard(id: string): Promise<void> {
  keepRow('hazard', await api.data('POST /organization/hazards/{id}/clear', { path: { id } }));
}

/** A file of thousands of rows is worked on for longer than other calls. */
const timeoutMs = 300_000;

/** Reads a file of hazards; with `preview` nothing is kept. Throws the client's failure. */
export const importHazards = (body: Schemas['HazardImport']): Promise<Schemas['HazardImported']> =>
  api.data('POST /organization/hazards/import', { body, timeoutMs });
