import limits from '@catalog/limits.json';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { type Instant, instantOf } from '~/model/instant';
import { type Member, memberOf, type Role, rolesOf, type WireMember } from './member';

const PAGE = 500;

/** All users of an organization and of those related to it, page by page. */
export const usersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['users', organizationId],
    queryFn: async ({ signal }) => {
      const rows: WireMember[] = [];
      for (let page = 1; ; page += 1) {
        const query = { 'org_ids[]': [organizationId], page, per_page: PAGE };
        const answer = await api.request('GET /organization/users', { query, signal });
        rows.push(...answer.data);
        if (answer.data.length === 0 || rows.length >= answer.meta.total) break;
      }
      return rows.map(memberOf);
    },
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['user', id],
    queryFn: async ({ signal }) => memberOf(await api.data('GET /users/{id}', { path: { id }, signal })),
  });

export const useRoles = (): readonly Role[] | undefined =>
  useQuery({
    queryKey: ['roles'],
    queryFn: async ({ signal }) => rolesOf(await api.data('GET /roles', { signal })),
    staleTime: limits.lists.keepMs.value,
  }).data;

/** An organization that a user can be put into. */
export type Assignable = Schemas['AssignableOrganization'];

export const useAssignable = (): readonly Assignable[] | undefined =>
  useQuery({
    queryKey: ['assignable'],
    queryFn: ({ signal }) => api.data('GET /organization/assignable', { signal }),
  }).data;

/** What POST /users takes. */
export type NewUser = Schemas['UserCreate'];

/** What PUT /users/{id} takes; absent fields stay. */
export type UserUpdate = Schemas['UserWrite'];

/** A session of a user as an administrator sees it. */
export interface UserSession {
  id: string;
  createdAt: Instant;
  lastUsedAt: Instant;
  network: string;
  userAgent: string;
  method: string;
}

export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['user', id, 'sessions'],
    queryFn: async ({ signal }): Promise<UserSession[]> => {
      const rows = await api.data('GET /users/{id}/sessions', { path: { id }, signal });
      return rows.map(row => ({
        id: row.id,
        createdAt: instantOf(row.created_at),
        lastUsedAt: instantOf(row.last_used_at),
        network: row.network,
        userAgent: row.user_agent,
        method: row.method,
      }));
    },
    staleTime: 0,
  });

/** The changes an administrator makes; each throws the client's failure and leaves the lists fresh. */
export function userVerbs(queries: QueryClient) {
  const keep = (wire: WireMember): Member => {
    const member = memberOf(wire);
    queries.setQueryData(['user', member.id], member);
    queries.setQueriesData<Member[]>({ queryKey: ['users'] }, rows =>
      rows?.map(row => (row.id === member.id ? { ...member, relation: row.relation } : row)),
    );
    void queries.invalidateQueries({ queryKey: ['users'] });
    return member;
  };
  const forget = (id: string) => {
    queries.removeQueries({ queryKey: ['user', id] });
    queries.setQueriesData<Member[]>({ queryKey: ['users'] }, rows => rows?.filter(row => row.id !== id));
    void queries.invalidateQueries({ queryKey: ['users'] });
  };
  return {
    forget,
    add: async (user: NewUser) => keep(await api.data('POST /users', { body: user })),
    update: async (id: string, body: UserUpdate, version?: number) =>
      keep(await api.data('PUT /users/{id}', { path: { id }, body, ifMatch: version || undefined })),
    remove: async (id: string) => {
      const gone = await api.delete('DELETE /users/{id}', { id });
      forget(id);
      return gone;
    },
    invite: async (id: string) => keep(await api.data('POST /users/{id}/invitation', { path: { id } })),
    endSessions: async (id: string) => {
      await api.request('DELETE /users/{id}/sessions', { path: { id } });
      await queries.invalidateQueries({ queryKey: ['user', id, 'sessions'] });
    },
    resetSecondFactor: async (id: string) => {
      await api.request('DELETE /users/{id}/second_factor', { path: { id } });
      await queries.invalidateQueries({ queryKey: ['user', id] });
      void queries.invalidateQueries({ queryKey: ['users'] });
    },
  };
}

export const useUserVerbs = () => userVerbs(useQueryClient());
