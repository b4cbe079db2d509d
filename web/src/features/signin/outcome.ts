import { asFailure, say, texts } from '~/api';
import { wordsOfCode } from '~/session';

/** What the sign-in screen shows of a failure. */
export interface Outcome {
  text: string;
  /** "Please contact {address}" stands after the text. */
  contactSupport: boolean;
  /** The way to a new password stands after the text. */
  forgot: boolean;
  /** An unlock mail can be asked for. */
  unlock: boolean;
}

const isSupports = (text: string) => text.includes('suspended') || text.includes('authorized');

/** The display rules of requirements 8.signin. */
export function outcomeOf(error: unknown): Outcome {
  const { code } = asFailure(error);
  const text = say('signin', error);
  if (text.includes('inactivity'))
    return { text: texts.signin.inactivity, contactSupport: false, forgot: true, unlock: false };
  return {
    text,
    contactSupport: isSupports(text),
    forgot: code === 'password_expired',
    unlock: code === 'locked_out',
  };
}

/** The text for the code that a sign-in provider's return has put into the address. */
export function ssoOutcome(code: string): Outcome {
  const text = wordsOfCode(code);
  return { text, contactSupport: isSupports(text), forgot: false, unlock: false };
}
