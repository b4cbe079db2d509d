import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';
import { localStore, readJson, writeJson } from '~/lib/storage';

/** How this installation lets people in, and by which rules they choose a password (GET /sign_in_methods). */
export type SignInMethods = Schemas['SignInMethods'];

/** Asks once; undefined until there is an answer. */
export function useSignInMethods(): SignInMethods | undefined {
  return useQuery({
    queryKey: ['sign_in_methods'],
    queryFn: ({ signal }) => api.data('GET /sign_in_methods', { auth: false, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }).data;
}

/** The rules of new passwords; undefined until the server has said which. */
export const usePasswordPolicy = (): SignInMethods['password_policy'] | undefined =>
  useSignInMethods()?.password_policy;

const LEAVE_KEY = 'lb.provider_to_leave';

/**
 * The provider (its id) that this browser last came from and can sign out of: its own session goes on after a sign-out
 * here, and lets the next person at this computer in as the last one. Kept over reloads, shared by tabs.
 */
export const providerToLeave = {
  get: () => readJson(localStore(), LEAVE_KEY),
  set: (id: string | undefined) => writeJson(localStore(), LEAVE_KEY, id),
};
