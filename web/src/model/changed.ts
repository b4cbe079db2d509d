import { asFailure } from '~/api';
import { ageText } from './format';
import { type Instant, instantOf } from './instant';

/**
 * Who was faster and how long ago, as far as a refused save tells (409): "Mary Jones changed this 2 min ago." Without a
 * name or an instant, what is known: somebody else, since the form was opened.
 */
export function changedText(error: unknown, noun: string, now: Instant): string {
  const { changed_by: by, changed_at: at } = asFailure(error).answer;
  const said = typeof at === 'string' ? authorText({ by: typeof by === 'string' ? by : '', at }, 'changed', now) : '';
  return said || `Someone else saved this ${noun} since you opened it.`;
}

/** Who made a record what it is now, as far as somebody may know, and when. */
export interface Author {
  by: string;
  at: string;
}

/** What somebody did to it. */
export type Did = 'changed' | 'deleted';

/** "Mary Jones deleted this just now."; '' where the instant cannot be read. */
export function authorText({ by, at }: Author, did: Did, now: Instant): string {
  const age = ageText(instantOf(at), now);
  return age && `${by || 'Someone else'} ${did} this ${age === 'now' ? 'just now' : `${age} ago`}.`;
}
