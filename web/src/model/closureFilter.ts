import {
  type Closure,
  type ClosureStatus,
  type ClosureType,
  closureStatus,
  isClosureActive,
  lastActive,
} from './closure';
import type { Instant } from './instant';

const DAY_MS = 86_400_000;

export const CLOSURE_TIMES = ['active', 'today', 'dayAgo', 'all'] as const;
/** Those that stand now, stood or are to stand today, stood within a day, or all (requirements 3.enum). */
export type ClosureTime = (typeof CLOSURE_TIMES)[number];

/** What a list of closures shows. */
export interface ClosureFilter {
  /** as `searchOf` makes it */
  search: string;
  /** null = all */
  types: ReadonlySet<ClosureType> | null;
  statuses: ReadonlySet<ClosureStatus>;
  /** those out of service too */
  outOfService: boolean;
  time: ClosureTime;
}

/** Active, standby and pending: offline is false (requirements 4.closure). */
export const DEFAULT_STATUSES: ReadonlySet<ClosureStatus> = new Set(['active', 'standby', 'pending']);

/** The filter of a fresh screen. */
export const DEFAULT_CLOSURES: ClosureFilter = {
  search: '',
  types: null,
  statuses: DEFAULT_STATUSES,
  outOfService: false,
  time: 'all',
};

/** The filter that hides nothing; the search stays. */
export const everyClosure = (search: string): ClosureFilter => ({
  ...DEFAULT_CLOSURES,
  search,
  statuses: new Set([...DEFAULT_STATUSES, 'offline']),
  outOfService: true,
});

/** An instant, and when the organization's day began and ends that it lies in. */
export interface Day {
  now: Instant;
  from: Instant;
  to: Instant;
}

/** Whether it stood, stands or is to stand at some instant of a span. */
function touches(closure: Closure, from: Instant, to: Instant, now: Instant): boolean {
  if (closure.start_time !== 0 && closure.start_time < to && closure.end_time > from) return true;
  const last = lastActive(closure, now);
  return last.from !== 0 && last.from < to && last.to >= from;
}

function passesTime(closure: Closure, time: ClosureTime, { now, from, to }: Day): boolean {
  switch (time) {
    case 'active':
      return isClosureActive(closure, now);
    case 'today':
      return touches(closure, from, to, now);
    case 'dayAgo':
      return touches(closure, now - DAY_MS, now, now);
    default:
      return true;
  }
}

/** Whether a filter shows a closure of this status. */
function passesClosure(closure: Closure, status: ClosureStatus, f: ClosureFilter, day: Day): boolean {
  if (!closure.is_in_service && !f.outOfService) return false;
  if (f.types !== null && !f.types.has(closure.closure_type)) return false;
  if (!f.statuses.has(status)) return false;
  return passesTime(closure, f.time, day) && (f.search === '' || closure.searchKey.includes(f.search));
}

/**
 * Which closures a filter shows at an instant, active ones first by their end, and which it hides (requirements 4.closure).
 * `heardAt` tells the last sign of life of a closure's asset.
 */
export function splitClosures(
  closures: readonly Closure[],
  filter: ClosureFilter,
  day: Day,
  heardAt: (closure: Closure) => Instant = () => 0,
): { shown: string[]; hidden: string[] } {
  const [active, others, hidden]: [Closure[], string[], string[]] = [[], [], []];
  for (const closure of closures) {
    const status = closureStatus(closure, day.now, closure.closure_type === 'automated' ? heardAt(closure) : 0);
    if (!passesClosure(closure, status, filter, day)) hidden.push(closure.id);
    else if (status === 'active') active.push(closure);
    else others.push(closure.id);
  }
  // What ends next comes first; the sort is stable, so that those that end together stay by name.
  active.sort((a, b) => a.end_time - b.end_time);
  return { shown: [...active.map(({ id }) => id), ...others], hidden };
}
