import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '~/api';

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
