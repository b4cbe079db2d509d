import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';

const MIN = limits.session.passwordMin.value;
const MATCH = catalog.texts.validation.passwordMatch;

/** The rules of a new password that can be judged here (specification section 5); the last 10 only the server knows. */
export const passwordRules = [
  { id: 'length', text: `At least ${MIN} characters`, test: (password: string) => [...password].length >= MIN },
  { id: 'digit', text: 'A digit', test: (password: string) => /[0-9]/.test(password) },
  { id: 'upper', text: 'An uppercase letter', test: (password: string) => /[A-Z]/.test(password) },
  { id: 'lower', text: 'A lowercase letter', test: (password: string) => /[a-z]/.test(password) },
  {
    id: 'special',
    text: 'A special character: * @ ! # % & ( ) ^ ~ { }',
    test: (password: string) => /[*@!#%&()^~{}]/.test(password),
  },
] as const;

/** How a rule stands: neutral before it can be judged. */
export type RuleState = 'neutral' | 'error' | 'valid';

/** How a rule stands: neutral while nothing was typed; broken ones turn to errors, kept ones to valid. */
export function ruleState(kept: boolean, password: string): RuleState {
  if (password === '') return 'neutral';
  return kept ? 'valid' : 'error';
}

/** Whether a new password keeps every rule that can be judged here. */
export const keepsRules = (password: string): boolean => passwordRules.every(rule => rule.test(password));

/** What is wrong with the confirmation, if anything. */
export const matchError = (password: string, confirmation: string): string | undefined =>
  password === confirmation ? undefined : MATCH;
