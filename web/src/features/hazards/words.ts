import enums from '@catalog/enums.json';
import { ageText, agoText, DATE_PATTERNS, dateText, dayStart, speedIn } from '~/model/format';
import type { Hazard } from '~/model/hazard';
import { endOf, isHazardActive } from '~/model/hazardFilter';
import type { Instant } from '~/model/instant';
import type { Words } from '~/model/organization';
import type { Choice } from '~/section/ChoiceFilter';

/** The types of hazards, as the filter and the import offer them. */
export const HAZARD_TYPES: readonly Choice[] = enums.hazardTypes.map(({ name, displayName }) => ({
  id: name,
  label: displayName,
}));

export const typeText = (type: string): string => HAZARD_TYPES.find(({ id }) => id === type)?.label ?? 'Other';

/** A time of day in the organization's zone, with its date when that is not today. */
export function timeText(at: Instant, { timeZone }: Words, now: Instant): string {
  const isToday = at >= dayStart(now, timeZone) && at < dayStart(now, timeZone) + 86_400_000;
  return dateText(at, timeZone, isToday ? DATE_PATTERNS.time : `${DATE_PATTERNS.short} ${DATE_PATTERNS.time}`);
}

const IMPORTED = 'import: ';

/** "Imported from hazards.csv"; any other source as it is called. */
export const sourceText = ({ source }: Pick<Hazard, 'source'>): string =>
  source.startsWith(IMPORTED) ? `Imported from ${source.slice(IMPORTED.length)}` : source;

/** "Expires in 48 min". Rounded down: it never promises more than there is. */
export const expiresText = ({ expires_at }: Hazard, now: Instant): string => `Expires in ${leftText(expires_at, now)}`;

/** "48 min": how long it is until an instant. */
export const leftText = (at: Instant, now: Instant): string =>
  at - now < 60_000 ? 'less than 1 min' : ageText(now - (at - now), now);

/** "Confirmed by Dana Reyes", "Confirmed"; '' where nobody has. */
export function confirmedText({ confirmed_at, confirmed_by }: Hazard): string {
  if (confirmed_at === 0) return '';
  return confirmed_by === '' ? 'Confirmed' : `Confirmed by ${confirmed_by}`;
}

/** "Dana Reyes · 3 min ago": who confirmed it last; '' where nobody has. */
export const confirmationText = ({ confirmed_at, confirmed_by }: Hazard, now: Instant): string =>
  confirmed_at === 0 ? '' : [confirmed_by, agoText(confirmed_at, now)].filter(Boolean).join(' · ');

/** Why it has ended: "Withdrawn: Engine 4 drove through at 48 mph", "Cleared by Dana Reyes", "Expired"; '' while it stands. */
export function endText(hazard: Hazard, { speedUnit }: Words, now: Instant): string {
  const { end_reason, ended_by } = hazard;
  if (isHazardActive(hazard, now)) return '';
  const name = ended_by?.name ?? '';
  switch (end_reason) {
    case 'withdrawn': {
      const speed = ended_by?.speed ?? null;
      const at = speed === null ? '' : ` at ${speedIn(speedUnit, speed)} ${speedUnit}`;
      return `Withdrawn: ${name || 'a unit'} drove through${at}`;
    }
    case 'cleared':
      return name ? `Cleared by ${name}` : 'Cleared';
    case 'source':
      return name ? `Ended by ${name}` : 'Ended by its source';
    default:
      return 'Expired';
  }
}

/** "10:42 AM": when it ended. */
export const endedText = (hazard: Hazard, words: Words, now: Instant): string =>
  timeText(endOf(hazard, now), words, now);
