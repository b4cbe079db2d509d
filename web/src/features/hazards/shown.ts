import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { useAtNow, useRows } from '~/live';
import { nextEnd } from '~/model/ending';
import type { Hazard } from '~/model/hazard';
import { ENDED_MS, isHazardActive, shownHazards } from '~/model/hazardFilter';
import type { Instant } from '~/model/instant';
import { useSameIds } from '~/section/useSameIds';
import { useHazardsView } from './view';

const expiry = ({ isActive, expiresAt }: Hazard): Instant => (isActive ? expiresAt : 0);
/** When it leaves the list of what has ended. */
const leaving = (hazard: Hazard): Instant => (hazard.endedAt || hazard.expiresAt) + ENDED_MS;

/**
 * The ids that the list shows, in order; another array only when they are others. One that expires leaves at once,
 * also while nobody is there to say so.
 */
export function useShownIds(): readonly string[] {
  const rows = useRows('hazard');
  const types = useHazardsView(view => view.types);
  const ended = useHazardsView(view => view.ended);
  const next = useAtNow(now => `${nextEnd(rows, expiry, now)} ${nextEnd(rows, leaving, now)}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `next` says that time has changed what is shown
  const ids = useMemo(
    () => shownHazards(rows, { types, ended }, serverClock.now()).map(({ id }) => id),
    [rows, types, ended, next],
  );
  return useSameIds(ids);
}

/** Changes when time alone ends one of those that stand. */
export const turnOf = (rows: readonly Hazard[], now: Instant): string => String(nextEnd(rows, expiry, now));

/** How many stand now. */
export function useStandingCount(): number {
  const rows = useRows('hazard');
  return useAtNow(now => rows.filter(row => isHazardActive(row, now)).length);
}
