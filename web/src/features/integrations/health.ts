import { agoText, countText, whenText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { type Integration, providerOf } from './integration';

/** Nobody has started it: it was connected, and nothing of it was ever asked for. */
export const isUnstarted = (row: Integration) =>
  !row.is_active && row.last_fetched_at === null && row.last_good_at === null && row.problem === null;

/** How an integration stands, in a word or two. */
export function standingOf(row: Integration): { text: string; tone: 'good' | 'warn' | 'danger' | 'neutral' } {
  if (isUnstarted(row)) return { text: 'Not started', tone: 'warn' };
  if (!row.is_active) return { text: 'Paused', tone: 'neutral' };
  return { ...standings[row.status] };
}

const standings = {
  off: { text: 'Paused', tone: 'neutral' },
  waiting: { text: 'Starting', tone: 'neutral' },
  good: { text: 'Good', tone: 'good' },
  failing: { text: 'Failing', tone: 'danger' },
  unauthorized: { text: 'Refused', tone: 'danger' },
} as const;

/** Why a provider could not be read, as the server says it: "Geotab says the user name or password is wrong". */
export const problemText = ({ provider, error }: Pick<Integration, 'provider' | 'error'>): string =>
  error?.replace(/\.$/, '') || `${providerOf(provider).label} can't be read`;

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

/** Why reports were refused, in words. */
export const reasonText = (reason: string): string => reason.replaceAll('_', ' ');
