import { say, texts } from '~/api';

/** What the sign-in screen shows of a failure. */
export interface Outcome {
  text: string;
  /** "Please contact {address}" stands after the text. */
  contactSupport: boolean;
}

/** The display rules of specification section 8, Sign-in. */
export function outcomeOf(error: unknown): Outcome {
  const text = say('signin', error);
  if (text.includes('inactivity')) return { text: texts.signin.inactivity, contactSupport: false };
  return { text: text, contactSupport: text.includes('suspended') || text.includes('authorized') };
}
