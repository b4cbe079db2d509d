import type { AnswerOf, Client, Schemas } from '~/api';

type Request = Schemas['TokenRequest'];
type Asks<G extends string> = Record<keyof Pick<Request, 'grant_type'>, G>;
type With<K extends keyof Request> = Required<Pick<Request, K>>;

/** What proves a second factor: a code (of an app or a recovery code), or what a passkey answered. */
export type FactorProof =
  | ({ method: 'totp' | 'recovery' | 'totp_setup' } & With<'code'>)
  | ({ method: 'passkey' } & With<'credential'>);

/** The ways to a token pair (POST /user_token). The refresh token is always left to a cookie that no script can read. */
export type Grant =
  | (Asks<'password'> & With<'application' | 'username' | 'password'> & Pick<Request, 'unlock_token'>)
  | (Asks<'mfa'> & With<'challenge'> & FactorProof)
  | (Asks<'link'> & With<'access_token' | 'refresh_token'>)
  | (Asks<'refresh_token'> & Pick<Request, 'awareness_mode'>);

/** A token pair; a first set-up of the second factor also gives its recovery codes. */
export type GrantAnswer = AnswerOf<'POST /user_token'>;

/** Asks for a token pair; throws the `Failure`. */
export function askGrant(api: Client, grant: Grant): Promise<GrantAnswer> {
  return api.request('POST /user_token', { body: { ...grant, token_delivery: 'cookie' }, auth: false });
}
