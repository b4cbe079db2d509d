import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { session } from '~/session';
import { createPasskey } from '~/session/passkey';
import type { Person } from './person';

/** The signed-in user with phone, address and version. */
export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: async ({ signal }) => (await api.data('GET /profile', { signal })).user,
});

export type SecondFactor = Schemas['SecondFactor'];
export type Passkey = SecondFactor['passkeys'][number];

export const factorQuery = queryOptions({
  queryKey: ['secondFactor'],
  queryFn: ({ signal }) => api.data('GET /session/second_factor', { signal }),
});

/** The mails about closures that the user wants. */
export const mailsQuery = queryOptions({
  queryKey: ['mails'],
  queryFn: ({ signal }) => api.data('GET /user/mails', { signal }),
});

/** A browser or device where the user is signed in. */
export type SessionRow = Schemas['SessionRow'];

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.data('GET /sessions', { signal }),
  staleTime: 0,
});

/** What someone changes about themselves; each throws the client's failure and leaves what is shown fresh. */
export function profileMutations(queries: QueryClient) {
  const factorChanged = () =>
    Promise.all([queries.invalidateQueries({ queryKey: factorQuery.queryKey }), session.reloadProfile()]);
  const codesOf = async (call: Promise<Schemas['RecoveryCodes']>): Promise<readonly string[]> => {
    const { recovery_codes } = await call;
    await factorChanged();
    return recovery_codes;
  };
  return {
    save: async (person: Person, body: Schemas['UserWrite']) => {
      const path = { id: person.id };
      await api.request('PUT /users/{id}', { path, body, ifMatch: person.version || undefined });
      await Promise.all([queries.invalidateQueries({ queryKey: personQuery.queryKey }), session.reloadProfile()]);
    },
    changePassword: async (body: Schemas['ChangePasswordInputBody']) => {
      await api.request('PUT /session/password', { body });
      await Promise.all([
        queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        queries.invalidateQueries({ queryKey: personQuery.queryKey }),
        session.reloadProfile(),
      ]);
    },
    beginTotp: () => api.data('POST /session/totp'),
    confirmTotp: (code: string) => codesOf(api.data('PUT /session/totp', { body: { code } })),
    removeTotp: async () => {
      await api.request('DELETE /session/totp');
      await factorChanged();
    },
    newCodes: () => codesOf(api.data('POST /session/recovery_codes')),
    addPasskey: async (name: string) => {
      const begun = await api.data('POST /session/passkeys/challenge');
      const credential = await createPasskey(begun.passkey);
      await api.request('POST /session/passkeys', { body: { challenge: begun.challenge, name, credential } });
      await factorChanged();
    },
    removePasskey: async (id: string) => {
      const gone = await api.delete('DELETE /session/passkeys/{id}', { id });
      await factorChanged();
      return gone;
    },
    endSession: async (id: string) => {
      const gone = await api.delete('DELETE /sessions/{id}', { id });
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      return gone;
    },
    endOtherSessions: async () => {
      await api.request('DELETE /sessions');
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    link: () => api.data('POST /session/link'),
  };
}

export const useProfileMutations = () => profileMutations(useQueryClient());
