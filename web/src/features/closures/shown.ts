import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { liveStore, useAtNow, useRows } from '~/live';
import { type Closure, isClosureActive, lineOf } from '~/model/closure';
import { type Day, splitClosures } from '~/model/closureFilter';
import { nextEnd } from '~/model/ending';
import { dayStart } from '~/model/format';
import type { Instant } from '~/model/instant';
import { useSameIds } from '~/section/useSameIds';
import { useWords } from '~/section/words';
import { useClosuresView } from './view';

const MINUTE_MS = 60_000;
const HALF_PAST_A_DAY_MS = 36 * 60 * MINUTE_MS;

/** An instant and its day, by the organization's clock. */
export function dayOf(now: Instant, timeZone: string): Day {
  const from = dayStart(now, timeZone);
  return { now, from, to: dayStart(from + HALF_PAST_A_DAY_MS, timeZone) };
}

/** The last sign of life of the asset that drives a closure, as the live picture has it. */
export const heardAt = ({ thing }: Closure): Instant => (thing ? (liveStore.thing(thing.id)?.heartbeatAt ?? 0) : 0);

const startOf = (closure: Closure): Instant => closure.startTime;
const endOf = (closure: Closure): Instant => closure.endTime;

/** Changes when time alone may change what is shown: with each start and end, and each minute for what is slower. */
export const turnOf = (rows: readonly Closure[], now: Instant): string =>
  `${nextEnd(rows, startOf, now)} ${nextEnd(rows, endOf, now)} ${Math.floor(now / MINUTE_MS)}`;

export const useTurns = (rows: readonly Closure[]): string => useAtNow(now => turnOf(rows, now));

/** The ids that the list shows, in order; another array only when they are others. And how many are hidden. */
export function useShownIds(): { ids: readonly string[]; hidden: number } {
  const rows = useRows('closure');
  const { timeZone } = useWords();
  const filter = useClosuresView(view => view);
  const turn = useTurns(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` says that time may have changed what is shown
  const { shown, hidden } = useMemo(
    () => splitClosures(rows, filter, dayOf(serverClock.now(), timeZone), heardAt),
    [rows, filter, timeZone, turn],
  );
  return { ids: useSameIds(shown), hidden: hidden.length };
}

/** Whether a road is closed at an instant, as far as there is a line to draw. */
export const standsNow = (closure: Closure, now: Instant): boolean =>
  closure.inService && isClosureActive(closure, now) && lineOf(closure).length > 1;

/** How many roads are closed now. */
export function useStandingCount(): number {
  const rows = useRows('closure');
  return useAtNow(now => rows.filter(row => standsNow(row, now)).length);
}
