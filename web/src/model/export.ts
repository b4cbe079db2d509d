import limits from '@catalog/limits.json';
import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns';
import { type Schemas, texts } from '~/api';
import { lineError } from './address';
import type { Instant } from './instant';
import { localText } from './localTime';

/** A file of what happened in a stretch of time, and how far it is. */
export type Export = Schemas['Export'];
export type ExportType = 'incident' | 'point' | 'asset' | 'closure';

/** So many assets an export takes at most. */
export const MOST_EXPORTED = limits.export.things.value;
/** So many days of the calendar an export may span. */
export const EXPORT_DAYS = limits.export.days.value;

/**
 * A time of the form. The instant stands beside its text: the hour that a change of the clock repeats means two
 * instants, and the same instant reads otherwise in UTC.
 */
export interface ExportTime {
  text: string;
  /** 0 for none */
  at: Instant;
}

export const exportTime = (at: Instant, timeZone: string): ExportTime => ({ text: localText(at, timeZone), at });

type Write = Required<Schemas['ExportWrite']>;
type TimeName = 'export_start_time' | 'export_end_time';

/** What is asked for, by the names of the wire; its times as a form has them. */
export type ExportAsk = Omit<Write, 'id' | 'export_type' | TimeName> & Record<TimeName, ExportTime>;

/** A sentence for each part of what is asked for that is wrong. */
export type ExportFaults = Partial<Record<keyof ExportAsk, string>>;

/** The law of exports (requirements 5.export); `timeZone` is where their days begin. */
export function exportFaults(type: ExportType, ask: ExportAsk, timeZone: string, now: Instant): ExportFaults {
  const faults: ExportFaults = {};
  const title = ask.title.trim();
  const wrong = title === '' ? texts.validation.required : lineError(title, limits.text.name.value);
  if (wrong) faults.title = wrong;
  Object.assign(faults, timeFaults(ask.export_start_time.at, ask.export_end_time.at, timeZone, now));
  const assets = ask.thing_uuids.length;
  if (type === 'point' && assets === 0) faults.thing_uuids = 'Must select at least 1 Asset';
  if (assets > MOST_EXPORTED) faults.thing_uuids = `${MOST_EXPORTED} Assets max`;
  if (type === 'closure' && assets === 0 && ask.closures_to_include.length === 0)
    faults.closures_to_include = 'Must include at least 1 Closure type or Asset';
  if (ask.formats.length === 0) faults.formats = 'Choose at least one format';
  return faults;
}

function timeFaults(from: Instant, to: Instant, timeZone: string, now: Instant): ExportFaults {
  const start = from === 0 ? texts.validation.required : from > now ? 'Must be past date' : undefined;
  return {
    ...(start && { export_start_time: start }),
    ...endFault(from, to, timeZone, now),
  };
}

function endFault(from: Instant, to: Instant, timeZone: string, now: Instant): ExportFaults {
  const fault = (export_end_time: string) => ({ export_end_time });
  if (to === 0) return fault(texts.validation.required);
  if (to > now) return fault('Must be past date');
  if (from === 0) return {};
  if (to === from) return fault('Dates must be different');
  if (to < from) return fault('End time must be after Start time');
  // Days of the calendar: one on which clocks change is a day.
  const last = addDays(new TZDate(from, timeZone), EXPORT_DAYS).getTime();
  return to > last ? fault('Exceeds max time range') : {};
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A stretch of time that is offered. */
interface Preset {
  readonly label: string;
  readonly time: (now: Instant, timeZone: string) => { from: Instant; to: Instant };
}

const lastDays =
  (days: number): Preset['time'] =>
  now => {
    const to = Math.floor(now / MINUTE) * MINUTE;
    return { from: to - days * DAY, to };
  };

/** The month before this one, by the clock of the export. */
const lastMonth: Preset['time'] = (now, timeZone) => {
  const today = new TZDate(now, timeZone);
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const first = (of: number) => new TZDate(year, of, 1, timeZone).getTime();
  return { from: first(month - 1), to: first(month) };
};

/** What the form offers instead of two times. */
export const EXPORT_PRESETS: readonly Preset[] = [
  { label: 'Last 24 hours', time: lastDays(1) },
  { label: 'Last 7 days', time: lastDays(7) },
  { label: 'Last calendar month', time: lastMonth },
];

/** Whether more becomes of an export. One that waits for its turn counts as in progress (requirements 4.export). */
export const isMaking = ({ status }: Pick<Export, 'status'>): boolean =>
  status === 'requested' || status === 'in_progress';

/** What the server says of an export that somebody has stopped. */
const CANCELED = 'It was canceled.';

export type ExportState = 'making' | 'completed' | 'failed' | 'canceled';

export function exportState(row: Pick<Export, 'status' | 'error'>): ExportState {
  if (isMaking(row)) return 'making';
  if (row.status === 'completed') return 'completed';
  return row.error === CANCELED ? 'canceled' : 'failed';
}

/** The size of a file: "0 bytes", "820 kB", "4.2 MB". */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [size, unit] = [bytes, 0];
  // 999.95 would read as 1000.0 of the smaller unit.
  while (size >= 999.95 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}
