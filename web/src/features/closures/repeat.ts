import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { texts } from '~/api';
import type { Instant } from '~/model/instant';
import { localText } from '~/model/localTime';
import { endClock, minutesBetween, nextTimes, type Recurrence } from '~/model/recurrence';

export const EXCEPT_MAX = limits.closure.recurExcept.value;
/** How many of the next times screens name. */
export const NEXT_SHOWN = 3;

/** How a pattern is filled in: by the names of the wire, but for `end`, a time of the day. */
export const patternFields = z.object({
  days: z.array(z.number()),
  start: z.string(),
  end: z.string(),
  from: z.string(),
  until: z.string(),
  except: z.array(z.string()),
  timezone: z.string(),
});

export type PatternDraft = z.infer<typeof patternFields>;

/** Nothing is said of a pattern. */
export const NO_PATTERN: PatternDraft = {
  days: [],
  start: '',
  end: '',
  from: '',
  until: '',
  except: [],
  timezone: '',
};

/** What a new pattern begins with: the nights of the week, from today on. */
export const newPattern = (now: Instant, timezone: string): PatternDraft => ({
  ...NO_PATTERN,
  days: [1, 2, 3, 4, 5],
  start: '21:00',
  end: '05:00',
  from: localText(now, timezone).slice(0, 10),
  timezone,
});

export function patternDraft(pattern: Recurrence | null): PatternDraft {
  if (!pattern) return NO_PATTERN;
  const { days, start, from, until, except, timezone } = pattern;
  return { days: [...days], start, end: endClock(pattern), from, until, except: [...except], timezone };
}

export const patternOf = ({ end, ...said }: PatternDraft): Recurrence => ({
  ...said,
  minutes: minutesBetween(said.start, end),
});

type Wrong = Partial<Record<`recurrence.${keyof PatternDraft}`, string>>;

/** The rules of a pattern, in the server's words (fleet/recurrence.go). */
export function patternWrong(draft: PatternDraft, now: Instant): Wrong {
  const { required } = texts.validation;
  const wrong: Wrong = {};
  if (draft.days.length === 0) wrong['recurrence.days'] = required;
  for (const field of ['start', 'end', 'from', 'until'] as const) {
    if (draft[field] === '') wrong[`recurrence.${field}`] = required;
  }
  if (Object.keys(wrong).length > 0) return wrong;
  if (draft.until < draft.from) wrong['recurrence.until'] = "The last day can't be before the first";
  else if (draft.until > yearAfter(draft.from)) {
    wrong['recurrence.until'] = 'The last day must be within a year of the first';
  } else if (nextTimes(patternOf(draft), now, 1).length === 0) {
    wrong['recurrence.until'] = 'It never starts with this pattern. Choose later days.';
  }
  return wrong;
}

/** The same day a year later; that of 29 February is 1 March. */
function yearAfter(day: string): string {
  const at = new Date(`${day}T00:00Z`);
  at.setUTCFullYear(at.getUTCFullYear() + 1);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
}
