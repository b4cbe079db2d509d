import { asFailure, type Schemas, unchecked } from '~/api';

/** What a sign-in asks for after the password. */
export type Challenge =
  | { kind: 'confirm'; challenge: string; methods: readonly FactorMethod[]; passkey: unknown }
  | { kind: 'setUp'; challenge: string; secret: string; url: string };

export type FactorMethod = 'totp' | 'passkey' | 'recovery';

const METHODS: readonly FactorMethod[] = ['totp', 'passkey', 'recovery'];

/** The challenge in a refused sign-in (401 mfa_required, mfa_setup_required); undefined when it is another refusal. */
export function challengeOf(error: unknown): Challenge | undefined {
  const { code, answer } = asFailure(error);
  const challenge = answer.challenge;
  if (typeof challenge !== 'string') return undefined;
  if (code === 'mfa_required') {
    const methods = Array.isArray(answer.methods)
      ? METHODS.filter(one => (answer.methods as unknown[]).includes(one))
      : [];
    return { kind: 'confirm', challenge, methods, passkey: answer.passkey };
  }
  const totp = unchecked<Schemas['TOTPSecret']>(answer.totp);
  if (code !== 'mfa_setup_required' || typeof totp.secret !== 'string' || typeof totp.url !== 'string')
    return undefined;
  return { kind: 'setUp', challenge, secret: totp.secret, url: totp.url };
}
