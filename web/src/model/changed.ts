import { asFailure } from '~/api';
import { ageText } from './format';
import { type Instant, instantOf } from './instant';

/**
 * Who was faster and how long ago, as far as a refused save tells (409): "Mary Jones changed this 2 min ago." Without a
 * name or an instant, what is known: somebody else, since the form was opened.
 */
export function changedText(error: unknown, noun: string, now: Instant): string {
  const { changed_by: by, changed_at: at } = asFailure(error).answer;
  const age = typeof at === 'string' ? ageText(instantOf(at), now) : '';
  if (age === '') return `Someone else saved this ${noun} since you opened it.`;
  const who = typeof by === 'string' && by !== '' ? by : 'Someone else';
  return `${who} changed this ${age === 'now' ? 'just now' : `${age} ago`}.`;
}
