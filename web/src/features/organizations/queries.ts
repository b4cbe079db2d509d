import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '~/api';
import type { OrganizationUpdate } from './form';
import { type OrganizationRecord, recordOf, type WireOrganizationRow } from './organization';

const path = (id: string) => `/organization/${encodeURIComponent(id)}`;

/** The organizations in reach: the own one, managed and accessed ones. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async ({ signal }) => (await api.data<WireOrganizationRow[]>('/organizations', { signal })).map(recordOf),
});

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: async ({ signal }) => recordOf(await api.data<WireOrganizationRow>(path(id), { signal })),
  });

interface ProfileOrganizations {
  organization: WireOrganizationRow;
  managed_organizations: WireOrganizationRow[];
}

/** The own and the managed organizations as the profile has them: billing needs no more permission than its own. */
export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: async ({ signal }): Promise<OrganizationRecord[]> => {
    const profile = await api.data<ProfileOrganizations>('/profile', { signal });
    return [
      recordOf({ ...profile.organization, relation: 'own' }),
      ...profile.managed_organizations.map(one => recordOf({ ...one, relation: 'managed' })),
    ];
  },
});

export type RelationshipType = 'manager' | 'accessor' | 'delete';

/** The changes to organizations; each throws the client's failure and leaves the lists fresh. */
export function organizationVerbs(queries: QueryClient) {
  const refresh = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['organization'] }),
      queries.invalidateQueries({ queryKey: ['organizations'] }),
      queries.invalidateQueries({ queryKey: ['billing'] }),
    ]);
  };
  return {
    refresh,
    save: async (record: OrganizationRecord, body: OrganizationUpdate) => {
      const target = record.relation === 'own' ? '/organization' : path(record.id);
      await api.request(target, { method: 'PUT', body, ifMatch: record.version || undefined });
      await refresh();
    },
    remove: async (id: string) => {
      await api.request(path(id), { method: 'DELETE' });
      queries.removeQueries({ queryKey: ['organization', id] });
      await queries.invalidateQueries({ queryKey: ['organizations'] });
    },
    relate: async (id: string, organizationId: string, relationshipType: RelationshipType) => {
      const body = { organization_id: organizationId, relationship_type: relationshipType };
      await api.request(`/organizations/${encodeURIComponent(id)}/relations`, { method: 'PUT', body });
      await refresh();
    },
  };
}

export const useOrganizationVerbs = () => organizationVerbs(useQueryClient());
