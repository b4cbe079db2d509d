import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '~/api';
import { isOrganizationRow } from '~/model/organizationRow';
import type { OrganizationUpdate } from './form';
import { type OrganizationRecord, recordOf } from './organization';
import { type RelationOutcome, relationsOf } from './relation';

/** The organizations in reach: the own one, managed and accessed ones. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async ({ signal }) =>
    (await api.data('GET /organizations', { signal })).filter(isOrganizationRow).map(recordOf),
});

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: async ({ signal }) => recordOf(await api.data('GET /organization/{id}', { path: { id }, signal })),
  });

/** Who manages or sees an organization or single assets of it, and the open offers; for organizations in full reach. */
export const relationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', id, 'relations'],
    queryFn: async ({ signal }) =>
      relationsOf(await api.data('GET /organizations/{id}/relations', { path: { id }, signal })),
  });

/** The own and the managed organizations as the profile has them: billing needs no more permission than its own. */
export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: async ({ signal }): Promise<OrganizationRecord[]> => {
    const profile = await api.data('GET /profile', { signal });
    return [
      recordOf({ ...profile.organization, relation: 'own' }),
      ...profile.managed_organizations.filter(isOrganizationRow).map(one => recordOf({ ...one, relation: 'managed' })),
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
      const ifMatch = record.version || undefined;
      if (record.relation === 'own') await api.request('PUT /organization', { body, ifMatch });
      else await api.request('PUT /organization/{id}', { path: { id: record.id }, body, ifMatch });
      await refresh();
    },
    remove: async (id: string) => {
      const gone = await api.delete('DELETE /organization/{id}', { id });
      queries.removeQueries({ queryKey: ['organization', id] });
      await queries.invalidateQueries({ queryKey: ['organizations'] });
      return gone;
    },
    relate: async (
      id: string,
      organizationId: string,
      relationshipType: RelationshipType,
    ): Promise<RelationOutcome> => {
      const body = { organization_id: organizationId, relationship_type: relationshipType };
      const answer = await api.request('PUT /organizations/{id}/relations', { path: { id }, body });
      await refresh();
      return answer.relation;
    },
    accept: async (offerId: string) => {
      await api.request('POST /organizations/offers/{id}/accept', { path: { id: offerId } });
      await refresh();
    },
    /** Declines an offer, or withdraws the own one. */
    endOffer: async (offerId: string) => {
      const gone = await api.delete('DELETE /organizations/offers/{id}', { id: offerId });
      await refresh();
      return gone;
    },
  };
}

export const useOrganizationVerbs = () => organizationVerbs(useQueryClient());
