import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '~/api';
import type { components } from '~/api/schema.gen';
import { type Instant, instantOf } from '~/model/instant';
import { session } from '~/session';
import { createPasskey } from '~/session/passkey';
import { type Person, type PersonUpdate, personOf, type WirePerson } from './person';

type Schemas = components['schemas'];

/** The signed-in user with phone, address and version. */
export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: async ({ signal }) => personOf((await api.data<{ user: WirePerson }>('/profile', { signal })).user),
});

export interface Passkey {
  id: string;
  name: string;
  createdAt: Instant;
  lastUsedAt: Instant;
}

export interface SecondFactor {
  /** An authenticator app is set up. */
  totp: boolean;
  passkeys: readonly Passkey[];
  codesLeft: number;
  /** The organization requires one. */
  required: boolean;
}

export const factorQuery = queryOptions({
  queryKey: ['secondFactor'],
  queryFn: async ({ signal }): Promise<SecondFactor> => {
    const wire = await api.data<Schemas['SecondFactor']>('/session/second_factor', { signal });
    return {
      totp: wire.totp,
      passkeys: wire.passkeys.map(row => ({
        id: row.id,
        name: row.name,
        createdAt: instantOf(row.created_at),
        lastUsedAt: instantOf(row.last_used_at),
      })),
      codesLeft: wire.recovery_codes_left,
      required: wire.required,
    };
  },
});

/** A browser or device where the user is signed in. */
export interface SessionRow {
  id: string;
  createdAt: Instant;
  lastUsedAt: Instant;
  network: string;
  userAgent: string;
  method: string;
  isAwareness: boolean;
  isCurrent: boolean;
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }): Promise<SessionRow[]> =>
    (await api.data<Schemas['SessionRow'][]>('/sessions', { signal })).map(row => ({
      id: row.id,
      createdAt: instantOf(row.created_at),
      lastUsedAt: instantOf(row.last_used_at),
      network: row.network,
      userAgent: row.user_agent,
      method: row.method,
      isAwareness: row.awareness_mode,
      isCurrent: row.current,
    })),
  staleTime: 0,
});

/** What somebody changes about themselves; each throws the client's failure and leaves what is shown fresh. */
export function profileVerbs(queries: QueryClient) {
  const factorChanged = () =>
    Promise.all([queries.invalidateQueries({ queryKey: factorQuery.queryKey }), session.reloadProfile()]);
  const codesOf = async (call: Promise<Schemas['RecoveryCodes']>): Promise<readonly string[]> => {
    const { recovery_codes } = await call;
    await factorChanged();
    return recovery_codes;
  };
  return {
    save: async (person: Person, body: PersonUpdate) => {
      const path = `/users/${encodeURIComponent(person.id)}`;
      await api.request(path, { method: 'PUT', body, ifMatch: person.version || undefined });
      await Promise.all([queries.invalidateQueries({ queryKey: personQuery.queryKey }), session.reloadProfile()]);
    },
    changePassword: async (current: string, password: string) => {
      await api.request('/session/password', { method: 'PUT', body: { current_password: current, password } });
      await Promise.all([
        queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        queries.invalidateQueries({ queryKey: personQuery.queryKey }),
        session.reloadProfile(),
      ]);
    },
    beginTotp: () => api.data<Schemas['TOTPSecret']>('/session/totp', { method: 'POST' }),
    confirmTotp: (code: string) =>
      codesOf(api.data<Schemas['RecoveryCodes']>('/session/totp', { method: 'PUT', body: { code } })),
    removeTotp: async () => {
      await api.request('/session/totp', { method: 'DELETE' });
      await factorChanged();
    },
    newCodes: () => codesOf(api.data<Schemas['RecoveryCodes']>('/session/recovery_codes', { method: 'POST' })),
    addPasskey: async (name: string) => {
      const begun = await api.data<{ challenge: string; passkey: unknown }>('/session/passkeys/challenge', {
        method: 'POST',
      });
      const credential = await createPasskey(begun.passkey);
      await api.request('/session/passkeys', { body: { challenge: begun.challenge, name, credential } });
      await factorChanged();
    },
    removePasskey: async (id: string) => {
      const gone = await api.delete(`/session/passkeys/${encodeURIComponent(id)}`);
      await factorChanged();
      return gone;
    },
    endSession: async (id: string) => {
      const gone = await api.delete(`/sessions/${encodeURIComponent(id)}`);
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      return gone;
    },
    endOtherSessions: async () => {
      await api.request('/sessions', { method: 'DELETE' });
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    link: () => api.data<Schemas['SignInLink']>('/session/link', { method: 'POST' }),
  };
}

export const useProfileVerbs = () => profileVerbs(useQueryClient());
