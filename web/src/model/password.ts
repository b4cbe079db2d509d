import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';

const { passwordMin, passwordMinNist, passwordDifferentNist, passwordHistory } = limits.session;
const MATCH = catalog.texts.validation.passwordMatch;
const words = catalog.texts.passwordRules;

/** The rules this installation judges new passwords by (GET /sign_in_methods). */
export type PasswordPolicy = 'specified' | 'nist';

/** A rule of a new password that can be judged while it is typed. */
export interface PasswordRule {
  id: string;
  text: string;
  test: (password: string) => boolean;
}

const least = (text: string, min: number) => text.replace('{min}', String(min));

const atLeast = (min: number): PasswordRule => ({
  id: 'length',
  text: least(words.length, min),
  test: password => [...password].length >= min,
});

const RULES: Readonly<Record<PasswordPolicy, readonly PasswordRule[]>> = {
  specified: [
    atLeast(passwordMin.value),
    { id: 'digit', text: words.digit, test: password => /[0-9]/.test(password) },
    { id: 'upper', text: words.upper, test: password => /[A-Z]/.test(password) },
    { id: 'lower', text: words.lower, test: password => /[a-z]/.test(password) },
    { id: 'special', text: words.special, test: password => /[*@!#%&()^~{}]/.test(password) },
  ],
  nist: [
    atLeast(passwordMinNist.value),
    {
      id: 'different',
      text: least(words.different, passwordDifferentNist.value),
      test: password => new Set(password.toLowerCase()).size >= passwordDifferentNist.value,
    },
  ],
};

/**
 * The rules of a new password that can be judged here (requirements 5.password, docs/security.md); former and common
 * passwords only the server knows. None while the policy is not known: the server judges in any case.
 */
export const passwordRules = (policy: PasswordPolicy | undefined): readonly PasswordRule[] =>
  policy ? RULES[policy] : [];

/** What the server asks beyond the rules; '' while the policy is not known. */
export function passwordNote(policy: PasswordPolicy | undefined): string {
  if (policy === undefined) return '';
  return policy === 'nist' ? words.present : words.history.replace('{count}', String(passwordHistory.value));
}

/** How a rule stands: neutral before it can be judged. */
export type RuleState = 'neutral' | 'error' | 'valid';

/** How a rule stands: neutral while nothing was typed; broken ones turn to errors, kept ones to valid. */
export function ruleState(kept: boolean, password: string): RuleState {
  if (password === '') return 'neutral';
  return kept ? 'valid' : 'error';
}

/** Whether a new password keeps every rule of the policy that can be judged here. */
export const keepsRules = (password: string, policy: PasswordPolicy | undefined): boolean =>
  passwordRules(policy).every(rule => rule.test(password));

/** What is wrong with the confirmation, if anything. */
export const matchError = (password: string, confirmation: string): string | undefined =>
  password === confirmation ? undefined : MATCH;
