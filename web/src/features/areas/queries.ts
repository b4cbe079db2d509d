import { api, type Failure, type Schemas } from '~/api';
import { type Area, areaOfWire } from '~/model/area';
import { dropRow, keepRow, useShownRow } from '~/section/nounRow';
import type { Shown } from '~/section/shown';

/** The area of a detail or an edit. */
export const useShownArea = (id: string): Shown<Area> =>
  useShownRow('area', id, {
    read: async (one, signal) =>
      areaOfWire(await api.data('GET /organization/exclusion_zone/{id}', { path: { id: one }, signal })),
    operation: 'areas.load',
  });

/** POST; `id` is the new area's own, so that it is made once however often it is sent. Throws the client's failure. */
export async function addArea(body: Schemas['AreaWrite']): Promise<Schemas['Area']> {
  const row = await api.data('POST /organization/exclusion_zone', { body });
  keepRow('area', row);
  return row;
}

/** PUT, with the version that the edit began with; answers the row that it made. Throws the client's failure. */
export async function saveArea(id: string, body: Schemas['AreaWrite'], version: number): Promise<Schemas['Area']> {
  const row = await api.data('PUT /organization/exclusion_zone/{id}', { path: { id }, body, ifMatch: version });
  keepRow('area', row);
  return row;
}

/** DELETE; what is gone already counts as deleted: its failure is returned. */
export async function deleteArea(id: string): Promise<Failure | undefined> {
  const failure = await api.delete('DELETE /organization/exclusion_zone/{id}', { id });
  dropRow('area', id);
  return failure;
}
