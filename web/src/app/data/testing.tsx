// The section of Data drawn in a page of its own, for tests.
import { firstOf, recorded, vary } from '~/api/recorded';
import { liveStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import type { Export } from '~/model/export';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireOrganization, wireProfile } from '~/session/session.fakes';

export const MAY_ALL = ['export:manage', 'trip:read', 'incident:read', 'thing:read', 'closure:read'];

interface Who {
  permissions?: readonly string[];
  zone?: string;
  /** organizations that are managed beside the own one */
  managed?: Parameters<typeof wireOrganization>[1][];
  /** which one is looked at, default the own one; o2 is only accessed */
  at?: string;
  /** the id of the own one */
  own?: string;
}

/** Signs u1 of an organization in. */
export function signInTo({
  permissions = MAY_ALL,
  zone = 'America/New_York',
  managed = [],
  own = 'o1',
  at = own,
}: Who = {}): void {
  const wire = wireProfile({ permissions: [...permissions], dashboard_access: ['things', 'data'] });
  wire.organization = wireOrganization(own, { timezone: zone });
  wire.user = { ...wire.user, organization_id: own };
  wire.managed_organizations = managed.map((more, index) => wireOrganization(`m${index}`, more));
  wire.accessed_organizations = [wireOrganization('o2')];
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: at });
}

/** An export that u1 asked for, as the server says it, with some of it otherwise. */
export const wireExport = (over: Partial<Export> = {}): Export =>
  vary(firstOf(recorded('listExports.ok').data), { organization_id: 'o1', requested_by: 'u1', ...over });

export const making = {
  status: 'in_progress',
  progress: 0.4,
  rows: 1204,
  file_id: null,
  files: [],
  completed_at: null,
};
export const failed = { status: 'errored', progress: 0.4, rows: 0, file_id: null, files: [] };

export const thingId = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;

/** The assets of the organization that is looked at; the last one is another's. */
export function loadThings(): void {
  const own = { id: 'o1', name: 'Fire', type: 'fire' };
  const rows = ['Engine 4', 'Ladder 1', 'Rescue 7'].map((nickname, n) =>
    rowAt(thingId(n), 0, { nickname, haas_id: `ha7-0${n}`, organization: n === 2 ? { ...own, id: 'o9' } : own }),
  );
  liveStore.reset('o1');
  liveStore.applyRows(rows, T0, T0, true);
}
