import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { isOrganizationRow } from '~/model/organizationRow';
import { resource } from '~/office';
import type { OrganizationRow } from './organization';

/** The organizations in reach: the own one, managed and accessed ones. */
export const organizations = resource('organization', {
  list: 'GET /organizations',
  one: 'GET /organization/{id}',
  fits: isOrganizationRow,
});

/** Who manages or sees an organization or single assets of it, and the open offers; for organizations in full reach. */
export const relationsQuery = (id: string) =>
  organizations.part(id, 'relations', signal =>
    api.data('GET /organizations/{id}/relations', { path: { id }, signal }),
  );

/** The addresses of an organization's feeds and who reads them; for organizations in full reach. */
export const feedsQuery = (id: string) =>
  organizations.part(id, 'feeds', async signal => api.data('GET /organizations/{id}/feeds', { path: { id }, signal }));

/** An organization as billing shows it. */
export type Billed = Schemas['Organization'] & Pick<OrganizationRow, 'relation'>;

/** The own and the managed organizations as the profile has them: billing needs no more permission than its own. */
export const billingQuery = queryOptions({
  queryKey: [...organizations.all, 'billing'],
  queryFn: async ({ signal }): Promise<Billed[]> => {
    const { organization, managed_organizations: managed } = await api.data('GET /profile', { signal });
    return [
      { ...organization, relation: 'own' },
      ...managed.filter(isOrganizationRow).map(one => ({ ...one, relation: 'managed' as const })),
    ];
  },
});

export type RelationshipType = 'manager' | 'accessor' | 'delete';

/** The changes to organizations; each throws the client's failure and leaves what is shown fresh. */
export function useOrganizationMutations() {
  const { changed, gone } = organizations.useWrites();
  return {
    save: ({ id, relation, version }: OrganizationRow, body: Schemas['OrganizationWrite']) => {
      const ifMatch = version || undefined;
      if (relation === 'own') return changed(api.request('PUT /organization', { body, ifMatch }));
      return changed(api.request('PUT /organization/{id}', { path: { id }, body, ifMatch }));
    },
    remove: (id: string) => gone(id, api.delete('DELETE /organization/{id}', { id })),
    relate: async (id: string, organizationId: string, relationshipType: RelationshipType) => {
      const body = { organization_id: organizationId, relationship_type: relationshipType };
      return (await changed(api.request('PUT /organizations/{id}/relations', { path: { id }, body }))).relation;
    },
    accept: (id: string) => changed(api.request('POST /organizations/offers/{id}/accept', { path: { id } })),
    /** Declines an offer, or withdraws the own one. */
    endOffer: (id: string) => changed(api.delete('DELETE /organizations/offers/{id}', { id })),
  };
}
