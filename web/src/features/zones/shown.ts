import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { useAtNow, useRows } from '~/live';
import { nextEnd } from '~/model/ending';
import type { Instant } from '~/model/instant';
import type { Zone } from '~/model/zone';
import { isZoneActive, splitZones } from '~/model/zoneFilter';
import { useSameIds } from '~/section/useSameIds';
import { useZonesView } from './view';

const until = (zone: Zone) => (zone.isActive ? zone.activeUntil : 0);

/** The ids that the list shows, in order; another array only when they are others. What goes to standby by itself does so at once. */
export function useShownIds(): readonly string[] {
  const rows = useRows('zone');
  const search = useZonesView(view => view.search);
  const types = useZonesView(view => view.types);
  const status = useZonesView(view => view.status);
  const next = useAtNow(now => nextEnd(rows, until, now));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `next` says that time has changed what is shown
  const split = useMemo(
    () => splitZones(rows, { search, types, status }, serverClock.now()),
    [rows, search, types, status, next],
  );
  return useSameIds(split.shown);
}

/** Changes when time alone puts one on standby. */
export const turnOf = (rows: readonly Zone[], now: Instant): string => String(nextEnd(rows, until, now));

/** How many are active now. */
export function useStandingCount(): number {
  const rows = useRows('zone');
  return useAtNow(now => rows.filter(row => isZoneActive(row, now)).length);
}
