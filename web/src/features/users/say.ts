import { asFailure, say } from '~/api';

/** Refusals of ours that the specification's catalog has no text for: the server's sentence says what to do. */
const SPOKEN: readonly string[] = ['last_administrator', 'own_account', 'role_not_found', 'organization_not_found'];

/** What went wrong in changing a user (specification section 8, Users). */
export function sayUser(error: unknown): string {
  const failure = asFailure(error);
  return (SPOKEN.includes(failure.code) && failure.message) || say('user.update', error);
}
