import limits from '@catalog/limits.json';
import type { Hazard } from './hazard';
import type { Instant } from './instant';

/** How long a hazard that has ended is listed, and a clearing can be undone. */
export const ENDED_MS = limits.hazard.keptMs.value;

/** Whether it stands at an instant (server time): one that has expired never does, whatever was said of it last. */
export const isHazardActive = ({ is_active, expires_at }: Hazard, now: Instant): boolean =>
  is_active && expires_at > now;

/** When it ended, as far as it has by an instant; 0 of one that stands. */
export const endOf = (hazard: Hazard, now: Instant): Instant =>
  isHazardActive(hazard, now) ? 0 : hazard.ended_at || Math.min(hazard.expires_at, now);

/** What a list of hazards shows. */
export interface HazardFilter {
  /** null = all; never none of them */
  types: ReadonlySet<string> | null;
  /** those that stand, or those that have ended within a day */
  ended: boolean;
}

/** The hazards that a filter shows at an instant: the latest first, of ended ones the latest end. */
export function shownHazards(hazards: readonly Hazard[], { types, ended }: HazardFilter, now: Instant): Hazard[] {
  const shown = hazards.filter(hazard => {
    if (types !== null && !types.has(hazard.type)) return false;
    const end = endOf(hazard, now);
    return ended ? end > now - ENDED_MS && end > 0 : end === 0;
  });
  return ended ? shown.sort((a, b) => endOf(b, now) - endOf(a, now)) : shown;
}
