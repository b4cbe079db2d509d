import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { addMonths } from 'date-fns';
import * as z from 'zod/mini';
import { asFailure, type Operation, type Schemas, say, texts } from '~/api';
import { type Closure, closureOfWire, isClosureActive, isClosureScheduled } from '~/model/closure';
import { type Instant, instantText } from '~/model/instant';
import { instantOfLocal, localText } from '~/model/localTime';
import { required, text } from '~/model/rules';
import { sayField } from '~/section/noun';
import type { LatLng } from './directions';
import { NO_PATTERN, patternDraft, patternFields, patternOf, patternWrong } from './repeat';

export const DESCRIPTION_MAX = limits.text.description.value;
export const ALERT_MAX = limits.text.alertMessage.value;
export const ID_MAX = limits.text.wzdxId.value;
const NAME_MAX = limits.text.name.value;
const STREET_MAX = limits.text.address.value;
export const LANES_MAX = limits.closure.lanes.value;
export const WAYPOINTS_MAX = limits.closure.waypoints.value;
const MONTHS = limits.closure.activeMonths.value;

export const MODES = [
  { id: 'active', label: 'Active' },
  { id: 'scheduled', label: 'Scheduled' },
  { id: 'inactive', label: 'Inactive' },
] as const;
export type Mode = (typeof MODES)[number]['id'];

/** Of a scheduled one. */
export const REPEATS = [
  { id: 'once', label: 'Once' },
  { id: 'nights', label: 'Repeats' },
] as const;

export const TYPES = [
  { id: 'manual', label: 'Manual' },
  { id: 'automated', label: 'Automated' },
] as const;

const tooLong = (max: number) => z.maxLength(max, `${max} Max Characters`);

/** By the names of the wire, but for `mode`, `repeats` and `both`; times as clocks of the organization show them, lines as texts. */
const closureFields = z.object({
  closure_type: z.enum(['manual', 'automated']),
  /** the asset that drives an automated one */
  thing_id: z.string(),
  mode: z.enum(['active', 'scheduled', 'inactive']),
  start_time: z.string(),
  end_time: z.string(),
  repeats: z.enum(['once', 'nights']),
  recurrence: patternFields,
  description: z.string().check(z.trim(), required, tooLong(DESCRIPTION_MAX)),
  alert_message: z.string().check(z.trim(), tooLong(ALERT_MAX)),
  direction: z.string(),
  impacted_lanes: z.array(z.number()),
  total_lanes: z.number(),
  road_name: text(NAME_MAX),
  street_start: text(STREET_MAX),
  street_end: text(STREET_MAX),
  vehicle_impact: z.string(),
  location_method: z.string(),
  group_id: text(NAME_MAX),
  is_in_service: z.boolean(),
  is_wzdx_compliant: z.boolean(),
  external_id: z.string().check(z.trim(), tooLong(ID_MAX)),
  /** the points that were set, in the direction of traffic */
  user_route: z.string(),
  /** the line along the road through them; '' until it is known */
  calculated_route: z.string(),
  /** the other direction as well: a closure of its own */
  both: z.boolean(),
});

export type ClosureDraft = z.infer<typeof closureFields>;

/** What the rules of a closure depend on beside it. */
export interface FormContext {
  timeZone: string;
  /** its organization publishes work zones */
  isWzdx: boolean;
  now: () => Instant;
}

/** The rules of a closure (requirements 4.form and 5.closure). */
export const closureSchema = (context: FormContext) =>
  closureFields.check(
    z.check<ClosureDraft>(({ value, issues }) => {
      for (const [field, message] of Object.entries({ ...timesWrong(value, context), ...restWrong(value, context) })) {
        issues.push({ code: 'custom', message, path: field.split('.'), input: value });
      }
    }),
  );

type Wrong = Partial<Record<keyof ClosureDraft | `recurrence.${string}`, string>>;

const isRepeated = ({ mode, repeats }: Pick<ClosureDraft, 'mode' | 'repeats'>): boolean =>
  mode === 'scheduled' && repeats === 'nights';

/** Active: from now to an end; scheduled: both, or a pattern; inactive: none. An automated one has none of its own. */
function timesWrong(draft: ClosureDraft, { timeZone, now }: FormContext): Wrong {
  const { mode, start_time, end_time } = draft;
  if (draft.closure_type === 'automated' || mode === 'inactive') return {};
  if (isRepeated(draft)) return patternWrong(draft.recurrence, now());
  const start = mode === 'active' ? now() : instantOfLocal(start_time, timeZone);
  const end = instantOfLocal(end_time, timeZone);
  const wrong: Wrong = start === 0 ? { start_time: 'Start date required' } : {};
  if (end === 0) wrong.end_time = 'End date required';
  else if (mode === 'scheduled' && start !== 0 && end <= start) wrong.end_time = 'End time must be after Start time';
  else if (end <= now()) wrong.end_time = 'End time must be in the future';
  else if (start !== 0 && end > addMonths(start, MONTHS).getTime()) {
    wrong.end_time = `End date must be within ${MONTHS} months`;
  }
  return wrong;
}

function restWrong(draft: ClosureDraft, { isWzdx }: FormContext): Wrong {
  const wrong: Wrong = {};
  if (draft.closure_type === 'automated' && draft.thing_id === '') wrong.thing_id = texts.validation.required;
  if (routeIn(draft.user_route).length < 2) wrong.user_route = texts.closure.route;
  if (isWzdx && draft.direction === '') wrong.direction = texts.validation.required;
  if (draft.total_lanes > 0 && draft.impacted_lanes.some(lane => lane > draft.total_lanes)) {
    wrong.impacted_lanes = `The road has ${draft.total_lanes} lanes`;
  }
  if (isWzdx && draft.is_wzdx_compliant) {
    for (const field of ['external_id', 'location_method', 'vehicle_impact'] as const) {
      if (draft[field] === '') wrong[field] = texts.validation.required;
    }
  }
  return wrong;
}

export const routeIn = (said: string): LatLng[] => (said === '' ? [] : (JSON.parse(said) as LatLng[]));
export const routeText = (route: readonly LatLng[]): string =>
  route.length === 0 ? '' : JSON.stringify(route.map(({ lat, lng }) => ({ lat, lng })));

/** What a new closure begins with: active, and nothing drawn. */
export const newClosure = (): ClosureDraft => ({
  closure_type: 'manual',
  thing_id: '',
  mode: 'active',
  start_time: '',
  end_time: '',
  repeats: 'once',
  recurrence: NO_PATTERN,
  description: '',
  alert_message: '',
  direction: '',
  impacted_lanes: [],
  total_lanes: 0,
  road_name: '',
  street_start: '',
  street_end: '',
  vehicle_impact: '',
  location_method: '',
  group_id: '',
  is_in_service: true,
  is_wzdx_compliant: false,
  external_id: '',
  user_route: '',
  calculated_route: '',
  both: false,
});

/** One that comes again is scheduled, also in one of its nights, until the last of them is over. */
function modeOf(closure: Closure, now: Instant): Mode {
  const isActive = isClosureActive(closure, now);
  if (isActive && !closure.recurrence) return 'active';
  return isActive || isClosureScheduled(closure, now) ? 'scheduled' : 'inactive';
}

/** What the edit of a closure begins with, beside what its row calls alike: one whose end has passed is inactive. */
export function formOf(closure: Closure, { timeZone, now }: FormContext): Partial<ClosureDraft> {
  const mode = modeOf(closure, now());
  return {
    closure_type: closure.closure_type === 'automated' ? 'automated' : 'manual',
    thing_id: closure.thing?.id ?? '',
    mode,
    repeats: closure.recurrence ? 'nights' : 'once',
    recurrence: patternDraft(closure.recurrence),
    start_time: mode === 'scheduled' ? localText(closure.start_time, timeZone) : '',
    end_time: mode === 'inactive' ? '' : localText(closure.end_time, timeZone),
    impacted_lanes: [...closure.impacted_lanes],
    total_lanes: closure.total_lanes ?? 0,
    user_route: routeText(closure.user_route),
    calculated_route: routeText(closure.calculated_route),
    both: false,
  };
}

const TIMES = ['mode', 'start_time', 'end_time', 'repeats', 'recurrence'] as const;

/** What two people edit as one thing: the times, the line, the lanes of the road. */
export const CLOSURE_PARTS = [TIMES, ['user_route', 'calculated_route'], ['impacted_lanes', 'total_lanes']] as const;

/**
 * The body of POST and PUT: what was changed; the times go together, and so does the line. The type never changes.
 * `was` is what is edited: a time of it that stands as it was is sent to the millisecond, of which a form shows minutes.
 */
export function writeOf(
  changes: Partial<ClosureDraft>,
  values: ClosureDraft,
  { timeZone }: Pick<FormContext, 'timeZone'>,
  was?: Pick<Closure, 'start_time' | 'end_time'>,
): Schemas['ClosureWrite'] {
  const { user_route, calculated_route, both: _, closure_type, thing_id, ...rest } = changes;
  const { mode, start_time, end_time, repeats, recurrence, ...said } = rest;
  const isAutomated = values.closure_type === 'automated';
  const isTimed = !isAutomated && TIMES.some(name => name in changes);
  const isDrawn = user_route !== undefined || calculated_route !== undefined;
  return {
    ...said,
    ...(isAutomated && closure_type && { closure_type }),
    ...(isAutomated && thing_id && { thing_id }),
    ...(isTimed && timesOf(values, timeZone, was)),
    ...(isDrawn && linesOf(values)),
  };
}

/** What is left out of them means none. A pattern that no longer stands is taken away. */
function timesOf(draft: ClosureDraft, timeZone: string, was?: Pick<Closure, 'start_time' | 'end_time'>) {
  const { mode, start_time, end_time, recurrence } = draft;
  if (isRepeated(draft)) return { recurrence: patternOf(recurrence) };
  const at = (local: string, had = 0) =>
    instantText(had !== 0 && localText(had, timeZone) === local ? had : instantOfLocal(local, timeZone)) ?? '';
  return {
    ...(recurrence.days.length > 0 && { recurrence: null }),
    is_active: mode === 'active',
    ...(mode === 'scheduled' && { start_time: at(start_time, was?.start_time) }),
    ...(mode !== 'inactive' && { end_time: at(end_time, was?.end_time) }),
  };
}

/** What was clicked, the line along the road, and its ends. */
function linesOf({ user_route, calculated_route }: ClosureDraft) {
  const clicked = routeIn(user_route);
  const along = routeIn(calculated_route);
  const line = along.length > 1 ? along : clicked;
  const ends = [line[0], line.at(-1)].filter(end => end !== undefined);
  return { user_route: clicked, calculated_route: line, geocoded_route: ends };
}

/** The closure as it stands now, of a refused save; undefined when the refusal shows something else. */
export const closureNow = (current: object): Closure | undefined =>
  'closure_type' in current ? closureOfWire(current as Schemas['Closure']) : undefined;

/** The server's sentence stands at its field; under the buttons stands what the catalog says. */
export const sayClosure = (operation: Operation) => (error: unknown) =>
  asFailure(error).message.includes('unique') ? say(operation, error) : sayField(operation)(error);

const choices = (list: readonly { name: string; displayName: string }[]) =>
  list.map(({ name, displayName }) => ({ id: name, label: displayName }));
export const METHODS = choices(enums.locationMethods);
export const IMPACTS = choices(enums.vehicleImpacts);
