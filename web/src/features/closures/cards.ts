import type { CardContent } from '~/map/types';
import { type Closure, closureStatus, isClosureScheduled } from '~/model/closure';
import { agoText } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Words } from '~/model/organization';
import { heartbeatOf } from './shown';
import { lanesText, MANAGED_BY_FEED, roadText, statusText, typeText, whenText } from './words';

/** The card of a closure: whether it stands and until when, where, which lanes, and who saw it last. */
export function closureCard(closure: Closure, words: Words, now: Instant): CardContent {
  const status = closureStatus(closure, now, heartbeatOf(closure));
  const state = status === 'standby' && isClosureScheduled(closure, now) ? 'Scheduled' : statusText(status);
  const { closure_type: type, thing, alert_message, verified_at, verified_by } = closure;
  const lines = [
    { label: 'Road', value: roadText(closure) },
    { label: 'Lanes', value: lanesText(closure) },
    { label: 'Message', value: alert_message },
    { label: 'Driven by', value: thing?.displayName ?? '' },
    {
      label: 'Verified',
      value: verified_at === 0 ? '' : [verified_by?.name, agoText(verified_at, now)].filter(Boolean).join(' · '),
    },
  ];
  return {
    title: closure.description,
    subtitle: [state, whenText(closure, words, now), type === 'feed' ? MANAGED_BY_FEED : typeText(type)]
      .filter(Boolean)
      .join(' · '),
    lines: lines.filter(line => line.value !== ''),
    directions: true,
  };
}
