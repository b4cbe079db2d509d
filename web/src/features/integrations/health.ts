import enums from '@catalog/enums.json';
import { agoText, countOf, countText, whenText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import type { PillProps } from '~/ui';
import { type Integration, providerOf } from './integration';

/** Nobody has started it: it was connected, and nothing of it was ever asked for. */
export const isUnstarted = (row: Integration) =>
  !row.is_active && row.last_fetched_at === null && row.last_good_at === null && row.problem === null;

type Named = readonly { name: string; displayName: string }[];
const wordOf = (list: Named, name: string) => list.find(one => one.name === name)?.displayName ?? name;

const tones = { waiting: 'neutral', good: 'good', failing: 'danger', unauthorized: 'danger', off: 'neutral' } as const;

/** How an integration stands, in a word or two. */
export const integrationStatus = (row: Integration): { text: string; tone: NonNullable<PillProps['tone']> } =>
  isUnstarted(row)
    ? { text: 'Not started', tone: 'warn' }
    : { text: wordOf(enums.integrationHealth, row.status), tone: tones[row.status] };

/** Why a provider could not be read, as the server says it: "Samsara refuses the token". */
export const problemText = ({ problem, error }: Pick<Integration, 'problem' | 'error'>): string =>
  error?.replace(/\.$/, '') || wordOf(enums.providerProblems, problem ?? '');

/** How an integration is, in one line. */
export function healthText(row: Integration, timezone: string, now: Instant): string {
  if (isUnstarted(row)) return 'Nothing is imported yet';
  const last = instantOf(row.last_fetched_at);
  const fetched = last === 0 ? 'Never fetched' : `Last fetched ${agoText(last, now)}`;
  if (!row.is_active) return fetched;
  if (row.status === 'waiting') return 'The first fetch starts in a few seconds';
  if (row.status === 'good') return fetched;
  const since = instantOf(row.failing_since);
  const words = problemText(row);
  return since === 0 ? words : `Failing since ${whenText(since, timezone, now)}: ${words}`;
}

interface Notice {
  tone: 'danger' | 'warn' | 'info';
  title: string;
  sentence: string;
  /** what somebody can do about it */
  way?: 'check' | 'edit';
}

/** What somebody has to know of an integration that is not simply good; none where it is. */
export function noticeOf(row: Integration, timezone: string, now: Instant): Notice | undefined {
  const { label, secret } = providerOf(row.provider);
  if (isUnstarted(row))
    return {
      tone: 'warn',
      title: 'Not started',
      sentence: 'Nothing is imported yet. Check which vehicles would come, then start it.',
      way: 'check',
    };
  if (!row.is_active)
    return {
      tone: 'info',
      title: 'Paused',
      sentence: `${label} isn't asked, and what vehicles report meanwhile is not fetched later.`,
    };
  switch (row.status) {
    case 'waiting':
      return { tone: 'info', title: 'Starting', sentence: 'The first fetch starts in a few seconds.' };
    case 'unauthorized':
      return {
        tone: 'danger',
        title: healthText(row, timezone, now),
        sentence: `Nothing is fetched until the ${secret.toLowerCase()} is right. ${label} is asked again once an hour.`,
        way: 'edit',
      };
    case 'failing':
      return {
        tone: 'danger',
        title: healthText(row, timezone, now),
        sentence: 'It is tried again by itself. What was missed is fetched then, as long as the provider has it.',
      };
    default:
      return undefined;
  }
}

/** How many reports were refused, whatever for. */
export const refusedOf = ({ refused }: Pick<Integration, 'refused'>): number =>
  Object.values(refused).reduce((sum, count) => sum + count, 0);

/** "1,204 accepted, 3 rejected" */
export const countsText = (row: Integration): string =>
  `${countText(row.kept)} accepted, ${countText(refusedOf(row))} rejected`;

/** When the provider last told of something by its webhook, and how much of it is of no use here; '' without a webhook. */
export function eventsText(row: Integration, now: Instant): string {
  const last = instantOf(row.last_event_at);
  if (!row.has_webhook) return '';
  if (last === 0) return 'None yet';
  return row.unknown_events > 0
    ? `${agoText(last, now)}, ${countOf(row.unknown_events, 'event')} not used`
    : agoText(last, now);
}

/** Why reports were refused, in words. */
export const reasonText = (reason: string): string => wordOf(enums.providerRefusals, reason);
