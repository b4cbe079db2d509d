import { liveStore, useAtNow } from '~/live';
import { type Closure, isClosureActive, lineOf } from '~/model/closure';
import { type Day, splitClosures } from '~/model/closureFilter';
import { nextEnd } from '~/model/ending';
import { dayStart } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Listing } from '~/section/listing';
import { type ClosuresView, closuresSection } from './view';

const MINUTE_MS = 60_000;
const HALF_PAST_A_DAY_MS = 36 * 60 * MINUTE_MS;

/** An instant and its day, by the organization's clock. */
function dayOf(now: Instant, timeZone: string): Day {
  const from = dayStart(now, timeZone);
  return { now, from, to: dayStart(from + HALF_PAST_A_DAY_MS, timeZone) };
}

/** The last sign of life of the asset that drives a closure, as the live picture has it. */
export const heartbeatOf = ({ thing }: Closure): Instant => (thing ? (liveStore.thing(thing.id)?.heartbeatAt ?? 0) : 0);

const startOf = (closure: Closure): Instant => closure.start_time;
const endOf = (closure: Closure): Instant => closure.end_time;

/** Changes when time alone may change what is shown: with each start and end, and each minute for what is slower. */
const turn = (rows: readonly Closure[], now: Instant): string =>
  `${nextEnd(rows, startOf, now)} ${nextEnd(rows, endOf, now)} ${Math.floor(now / MINUTE_MS)}`;

export const useTurns = (rows: readonly Closure[]): string => useAtNow(now => turn(rows, now));

/** The closures that the section shows. */
export const SHOWN: Listing<'closure', ClosuresView> = {
  type: 'closure',
  section: closuresSection,
  ids: (rows, view, now, timeZone) => splitClosures(rows, view, dayOf(now, timeZone), heartbeatOf).shown,
  turn,
};

/** There is a line to draw. */
export const hasLine = (closure: Closure): boolean => lineOf(closure).length > 1;

/** Whether a road is closed at an instant, as far as there is a line to draw. */
export const isActiveNow = (closure: Closure, now: Instant): boolean =>
  closure.is_in_service && isClosureActive(closure, now) && hasLine(closure);
