import { api, type Failure, type Schemas } from '~/api';
import { type Hazard, hazardOfWire } from '~/model/hazard';
import { dropRow, keepRow, useShownRow } from '~/section/nounRow';
import type { Shown } from '~/section/shown';

/** The hazard of a detail, however long ago it ended. */
export const useShownHazard = (id: string): Shown<Hazard> =>
  useShownRow('hazard', id, {
    read: async (one, signal) =>
      hazardOfWire(await api.data('GET /organization/hazards/{id}', { path: { id: one }, signal })),
    operation: 'hazards.load',
  });

/** POST; `uuid` is the new hazard's own, so that it is made once however often it is sent. Throws the client's failure. */
export async function addHazard(body: Schemas['HazardWrite']): Promise<void> {
  keepRow('hazard', await api.data('POST /organization/hazards', { body }));
}

/** PUT, with the version that the edit began with. Throws the client's failure. */
export async function saveHazard(id: string, body: Schemas['HazardWrite'], version: number): Promise<void> {
  keepRow('hazard', await api.data('PUT /organization/hazards/{id}', { path: { id }, body, ifMatch: version }));
}

/** DELETE of one that was reported by hand; what is gone already counts as deleted: its failure is returned. */
export async function deleteHazard(id: string): Promise<Failure | undefined> {
  const failure = await api.delete('DELETE /organization/hazards/{id}', { id });
  dropRow('hazard', id);
  return failure;
}

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
