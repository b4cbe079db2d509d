import type { Client, TokenAnswer } from '~/api';

/** What proves a second factor: a code (of an app or a recovery code), or what a passkey answered. */
export type FactorProof =
  | { method: 'totp' | 'recovery' | 'totp_setup'; code: string }
  | { method: 'passkey'; credential: unknown };

/** The ways to a token pair (POST /user_token). The refresh token is always left to a cookie that no script can read. */
export type Grant =
  | { grant_type: 'password'; application: 'dashboard'; username: string; password: string; unlock_token?: string }
  | ({ grant_type: 'mfa'; challenge: string } & FactorProof)
  | { grant_type: 'link'; access_token: string; refresh_token: string }
  | { grant_type: 'refresh_token'; awareness_mode?: boolean };

/** A token pair; a first set-up of the second factor also gives its recovery codes. */
export type GrantAnswer = TokenAnswer & { recovery_codes?: readonly string[] };

/** Asks for a token pair; throws the `Failure`. */
export function askGrant(api: Client, grant: Grant): Promise<GrantAnswer> {
  return api.request<GrantAnswer>('/user_token', { body: { ...grant, token_delivery: 'cookie' }, auth: false });
}
