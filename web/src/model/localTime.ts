import { TZDate } from '@date-fns/tz';
import { dateText } from './format';
import type { Instant } from './instant';

const PATTERN = "yyyy-MM-dd'T'HH:mm";
const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/;

/** An instant as a field of date and time has it (2026-11-21T18:00), by the organization's clock; '' for none. */
export const localText = (at: Instant, timeZone: string): string => dateText(at, timeZone, PATTERN);

/**
 * The instant that such a field says; 0 for none. A time that the change of the clock leaves out is the one as long
 * after the change.
 */
export function instantOfLocal(text: string, timeZone: string): Instant {
  const [, year, month, day, hour, minute] = (FORM.exec(text) ?? []).map(Number);
  if (!year || !month || !day || hour === undefined || minute === undefined) return 0;
  const at = new TZDate(year, month - 1, day, hour, minute, timeZone).getTime();
  return Number.isFinite(at) ? at : 0;
}

/** Every time zone of the browser, and the present one if it is not among them. */
export function timeZones(present: string): string[] {
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')];
  return all.includes(present) || present === '' ? all : [present, ...all];
}
