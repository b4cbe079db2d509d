import limits from '@catalog/limits.json';
import { useQuery } from '@tanstack/react-query';
import { api, asFailure, type Schemas, say } from '~/api';
import type { Undone } from '~/imports';
import { resource } from '~/office';
import { toast } from '~/ui';
import { invitedWords } from './invitation';
import { type Member, type Role, rolesOf } from './member';

/** The users of an organization and of those related to it. */
export const users = resource('user', { list: 'GET /organization/users', one: 'GET /users/{id}' });

/** The link of an invitation, shown once. */
export type InvitationLink = Schemas['InvitationLink'];

/** What a file of people would do, or did. */
export type UserImport = Schemas['UserImport'];

/** Many letters are written for longer than other calls take. */
const importMs = 120_000;

/** Where a user is signed in, as an administrator sees it. */
export const sessionsQuery = (id: string) =>
  users.part(id, 'sessions', signal => api.data('GET /users/{id}/sessions', { path: { id }, signal }));

export const useRoles = (): readonly Role[] | undefined =>
  useQuery({
    queryKey: ['roles'],
    queryFn: async ({ signal }) => rolesOf(await api.data('GET /roles', { signal })),
    staleTime: limits.lists.keepMs.value,
  }).data;

/** The changes an administrator makes; each throws the client's failure and leaves what is shown fresh. */
export function useUserMutations() {
  const { kept, gone, changed } = users.useWrites();
  /** The letter leaves after the answer: soon after, it is known how. */
  const tellInvited = async (invited: Member): Promise<void> => {
    let member = invited;
    for (let looks = 0; member.invitation_mail === 'queued' && looks < LOOKS; looks += 1) {
      await new Promise(done => setTimeout(done, LOOK_MS));
      member = await kept(api.data('GET /users/{id}', { path: { id: invited.id } })).catch(() => member);
    }
    const { text, tone } = invitedWords(member);
    toast(text, tone === 'info' ? {} : { tone, ms: UNSENT_MS });
  };
  return {
    add: (body: Schemas['UserCreate']) => kept(api.data('POST /users', { body })),
    /** Absent fields stay. */
    update: (id: string, body: Schemas['UserWrite'], version?: number) =>
      kept(api.data('PUT /users/{id}', { path: { id }, body, ifMatch: version || undefined })),
    remove: (id: string) => gone(id, api.delete('DELETE /users/{id}', { id })),
    /** Without a digest nobody is invited: the answer shows who would be. */
    importCsv: (organization_id: string, csv: string, digest?: string) => {
      const body = { organization_id, csv, ...(digest ? { digest } : {}) };
      const call = api.data('POST /users/import', { body, timeoutMs: importMs });
      return digest ? changed(call) : call;
    },
    /** Removes whom an import invited, unless they have accepted. */
    undoImport: async (id: string): Promise<Undone> => {
      const { deleted, left } = await changed(
        api.data('POST /users/import/{id}/undo', { path: { id }, timeoutMs: importMs }),
      );
      const reasons = left.map(({ email, reason }, at) => ({ id: `${at}`, name: email, reason }));
      return { deleted, left: left.length, reasons };
    },
    invite: (id: string) => kept(api.data('POST /users/{id}/invitation', { path: { id } })),
    /** Says what became of an invitation's letter, once that is known. */
    tellInvited,
    /** Makes a new link; what is shown of the user's letter is asked again. */
    invitationLink: (id: string) => changed(api.data('POST /users/{id}/invitation/link', { path: { id } })),
    endSessions: (id: string) => changed(api.request('DELETE /users/{id}/sessions', { path: { id } })),
    resetSecondFactor: (id: string) => changed(api.request('DELETE /users/{id}/second_factor', { path: { id } })),
  };
}

/** How often, and how long apart, it is asked whether an invitation's letter has left. */
const LOOKS = 6;
const LOOK_MS = 700;
/** What needs something to be done stands longer. */
const UNSENT_MS = 10_000;

/** Refusals of ours that the required catalog has no text for: the server's sentence says what to do. */
const SPOKEN: readonly string[] = ['last_administrator', 'own_account', 'role_not_found', 'organization_not_found'];

/** What went wrong in changing a user (requirements 8.user). */
export function sayUser(error: unknown): string {
  const { code, message } = asFailure(error);
  return (SPOKEN.includes(code) && message) || say('user.update', error);
}
