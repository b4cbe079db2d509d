import { api, type Failure, type Schemas } from '~/api';
import { type Zone, zoneOfWire } from '~/model/zone';
import { dropRow, keepRow, useShownRow } from '~/section/nounRow';
import type { Shown } from '~/section/shown';

/** The zone of a detail or an edit. */
export const useShownZone = (id: string): Shown<Zone> =>
  useShownRow('zone', id, {
    read: async (one, signal) =>
      zoneOfWire(await api.data('GET /organization/alerting_zones/{id}', { path: { id: one }, signal })),
    operation: 'zones.load',
  });

/** POST; `id` is the new zone's own, so that it is made once however often it is sent. Throws the client's failure. */
export async function addZone(body: Schemas['ZoneWrite']): Promise<void> {
  keepRow('zone', await api.data('POST /organization/alerting_zones', { body }));
}

/** PUT, with the version that the edit began with; answers the row that it made. Throws the client's failure. */
export async function saveZone(id: string, body: Schemas['ZoneWrite'], version: number): Promise<Schemas['Zone']> {
  const row = await api.data('PUT /organization/alerting_zones/{id}', { path: { id }, body, ifMatch: version });
  keepRow('zone', row);
  return row;
}

/** DELETE; what is gone already counts as deleted: its failure is returned. */
export async function deleteZone(id: string): Promise<Failure | undefined> {
  const failure = await api.delete('DELETE /organization/alerting_zones/{id}', { id });
  dropRow('zone', id);
  return failure;
}
