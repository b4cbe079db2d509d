import limits from '@catalog/limits.json';
import { type Closure, isClosureActive, isClosureScheduled, lastActive } from '~/model/closure';
import type { Instant } from '~/model/instant';
import type { Words } from '~/model/organization';
import { timeText } from './words';

const ENDED_STAYS_MS = limits.closure.endedStaysMs.value;

/** Where a closure that is to be published stands with the feeds, in a word; the server decides the same by its law. */
export function publishText(closure: Closure, now: Instant): string {
  if (closure.publish_problems.length > 0) return 'Withheld from the feeds';
  if (!closure.is_in_service) return 'Not in the feeds: out of service';
  if (isClosureActive(closure, now)) return 'In the feeds as active';
  if (isClosureScheduled(closure, now)) return 'In the feeds as planned';
  const { from, to } = lastActive(closure, now);
  if (from !== 0 && now - to < ENDED_STAYS_MS) return 'In the feeds as ended';
  return 'Not in the feeds until it is active or scheduled';
}

/** "Known since 2:02 PM": whether a reader of the feeds has the closure as it is. */
export const knownText = (knownAt: Instant, words: Words, now: Instant): string =>
  knownAt === 0 ? 'Not fetched since the last change' : `Known since ${timeText(knownAt, words, now)}`;
