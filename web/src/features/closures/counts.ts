import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { useIsLoaded, useRows } from '~/live';
import { type Closure, type ClosureStatus, type ClosureType, closureStatus } from '~/model/closure';
import type { Instant } from '~/model/instant';
import { heartbeatOf, useTurns } from './shown';

/** How many closures there are of each kind, whatever the filters show. */
export interface ClosureCounts {
  types: Record<ClosureType, number>;
  /** those in service */
  statuses: Record<ClosureStatus, number>;
  outOfService: number;
}

export function countClosures(closures: readonly Closure[], now: Instant): ClosureCounts {
  const counts: ClosureCounts = {
    types: { automated: 0, feed: 0, manual: 0 },
    statuses: { active: 0, standby: 0, pending: 0, offline: 0 },
    outOfService: 0,
  };
  for (const closure of closures) {
    counts.types[closure.closure_type]++;
    if (closure.is_in_service) counts.statuses[closureStatus(closure, now, heartbeatOf(closure))]++;
    else counts.outOfService++;
  }
  return counts;
}

/** The counts now; undefined until the list is there: a part of it must not pass for all. */
export function useClosureCounts(): ClosureCounts | undefined {
  const rows = useRows('closure');
  const isLoaded = useIsLoaded();
  const turn = useTurns(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` says that time may have changed what counts
  return useMemo(() => (isLoaded ? countClosures(rows, serverClock.now()) : undefined), [rows, isLoaded, turn]);
}
