import monthly from '@catalog/monthly.json';
import { fill, type Schemas } from '~/api';
import { countText, DATE_PATTERNS, dateText, distanceText, NONE, type SpeedUnit } from './format';
import { instantOf } from './instant';

/** What happened in a month of an organization. */
export type MonthlyReport = Schemas['MonthlyReport'];
export type MonthlyReportWhole = Schemas['MonthlyReportWhole'];
export type MonthlyMail = Schemas['MonthlyMail'];
export type MonthlyFigures = Schemas['MonthlyFigures'];
export type MonthlyRowsOf = 'assets' | 'incidents' | 'runs' | 'closures';

type Kind = keyof typeof monthly.ways;

/** A figure of a report and what people read of it (catalog/monthly.json). */
export interface MonthlyFigure {
  name: string;
  section: string;
  displayName: string;
  kind: Kind;
  isMain: boolean;
  means: string;
  /** stands where nothing is known */
  unknown: string;
  /** the rows that it counts; none where nothing of ours is counted */
  rows: MonthlyRowsOf | undefined;
}

const ROWS = ['assets', 'incidents', 'runs', 'closures'] as const satisfies readonly MonthlyRowsOf[];
export const isRowsOf = (text: string): text is MonthlyRowsOf => ROWS.some(one => one === text);

export const monthlyFigures: readonly MonthlyFigure[] = monthly.figures.map(figure => ({
  ...figure,
  kind: figure.kind as Kind,
  isMain: figure.isMain ?? false,
  unknown: figure.unknown ?? NONE,
  rows: isRowsOf(figure.rows) ? figure.rows : undefined,
}));

export const monthlySections: readonly { name: string; displayName: string }[] = monthly.sections;

type Value = (of: MonthlyFigures) => number | null;

const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** Each figure's number, in its kind's unit: a count, milliseconds, meters, a share of 1; null where it is not known. */
const values: Readonly<Record<string, Value>> = {
  assets: m => m.assets.total,
  inService: m => m.assets.in_service,
  incidents: m => m.incidents.total,
  toSceneMedian: m => m.incidents.to_scene.median_ms,
  toSceneP90: m => m.incidents.to_scene.p90_ms,
  toSceneLongest: m => m.incidents.to_scene.longest_ms,
  toSceneCount: m => m.incidents.to_scene.count,
  onSceneMedian: m => m.incidents.on_scene.median_ms,
  onSceneP90: m => m.incidents.on_scene.p90_ms,
  onSceneLongest: m => m.incidents.on_scene.longest_ms,
  onSceneCount: m => m.incidents.on_scene.count,
  runs: m => m.driving.runs,
  runTime: m => m.driving.run_ms,
  distance: m => m.driving.run_distance_m + m.driving.other_distance_m,
  runDistance: m => m.driving.run_distance_m,
  otherDistance: m => m.driving.other_distance_m,
  lightsOn: m => m.driving.alerting_ms,
  alertPoints: m => m.driving.alert_points,
  closures: m => m.closures.total,
  closureTime: m => m.closures.active_ms,
  publishedTime: m => m.closures.published_ms,
  confirmed: m => m.closures.confirmed,
  expired: m => m.closures.expired,
  requests: m => (m.feeds.is_counted ? m.feeds.requests : null),
  driversAlerted: m => m.feeds.drivers_alerted,
  cover: m => shareOf(m.stations.covered_ms, m.stations.of_ms),
  stations: m => m.stations.total,
  complete: m => shareOf(m.data.covered_ms, m.data.of_ms),
  points: m => m.data.points,
  silentDays: m => m.data.silent_days,
  refused: m => m.data.refused,
  damaged: m => m.data.damaged_blocks,
};

/** Null where it is not known. */
export function figureValue({ name }: MonthlyFigure, of: MonthlyFigures): number | null {
  const value = values[name];
  if (!value) throw new Error(`no figure ${name}`);
  return value(of);
}

/** A length of time: "45 s", "6 min 40 s", "1 h 24 min", "1,312 h". */
export function lengthText(ms: number): string {
  const seconds = Math.floor(Math.max(ms, 0) / 1000 + 0.5);
  const two = (first: number, unit: string, second: number, small: string) =>
    `${countText(first)} ${unit}${second === 0 ? '' : ` ${second} ${small}`}`;
  const minutes = Math.floor(seconds / 60);
  if (seconds < 60) return `${seconds} s`;
  if (minutes < 60) return two(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  return hours < 100 ? two(hours, 'h', minutes % 60, 'min') : `${countText(hours)} h`;
}

/** The tenths of a percent, cut so that only the whole reads 100%; what a sum of floats lacks to a whole one is given. */
const tenths = (share: number) => Math.floor(Math.min(Math.max(share, 0), 1) * 1000 + 1e-9);
const tenthsText = (of: number) => (of / 10).toFixed(1).replace(/\.0$/, '');

/** A share as it is read: "98.7%". */
export const shareText = (share: number): string => `${tenthsText(tenths(share))}%`;

/** A share of a whole; "–" of nothing. */
export function partText(part: number, whole: number): string {
  const share = shareOf(part, whole);
  return share === null ? NONE : shareText(share);
}

/** A number in the words of its kind. */
export function kindText(kind: Kind, value: number, unit: SpeedUnit): string {
  switch (kind) {
    case 'span':
    case 'time':
      return lengthText(value);
    case 'distance':
      return distanceText(unit, value);
    case 'share':
      return shareText(value);
    default:
      return countText(value);
  }
}

/** A figure of a month as it is read. */
export function figureText(figure: MonthlyFigure, of: MonthlyFigures, unit: SpeedUnit): string {
  const value = figureValue(figure, of);
  return value === null ? figure.unknown : kindText(figure.kind, value, unit);
}

/** How a figure has changed: more (1), less (-1), or the same as far as one can read. */
export interface MonthlyChange {
  sign: -1 | 0 | 1;
  /** "12", "1 min 20 s"; empty for the same */
  by: string;
  /** "+18%"; empty where it says nothing */
  percent: string;
}

const SAME: MonthlyChange = { sign: 0, by: '', percent: '' };
const signText = (sign: number) => (sign < 0 ? '−' : '+');

/** What differs between two numbers, rounded as they are read: the size, and its words. */
function differenceOf(kind: Kind, now: number, before: number, unit: SpeedUnit): [number, string] {
  const size = Math.abs(now - before);
  if (kind === 'share') {
    const points = Math.abs(tenths(now) - tenths(before));
    return [points, points === 10 ? '1 point' : `${tenthsText(points)} points`];
  }
  if (kind === 'span' || kind === 'time') {
    const whole = Math.floor(size / 1000 + 0.5) * 1000;
    return [whole, lengthText(whole)];
  }
  return [kind === 'distance' && size < 50 ? 0 : size, kindText(kind, size, unit)];
}

export function changeOf(kind: Kind, now: number, before: number, unit: SpeedUnit): MonthlyChange {
  const [size, by] = differenceOf(kind, now, before, unit);
  if (size === 0) return SAME;
  const sign = now < before ? -1 : 1;
  const percent = kind === 'share' || before <= 0 ? 0 : Math.floor((Math.abs(now - before) / before) * 100 + 0.5);
  return { sign, by, percent: percent >= 1 ? `${signText(sign)}${countText(percent)}%` : '' };
}

/** A figure beside that of another month, which may have no report: "12 more than in October (+18%)". */
export function comparedText(
  figure: MonthlyFigure,
  now: MonthlyFigures,
  then: MonthlyFigures | null,
  month: string,
  unit: SpeedUnit,
): { text: string; sign: -1 | 0 | 1 } {
  const { words, ways } = monthly;
  const none = (text: string) => ({ text, sign: 0 as const });
  if (!then) return none(fill(words.noReport, { month }));
  const [value, before] = [figureValue(figure, now), figureValue(figure, then)];
  if (before === null) return none(fill(words.notKnown, { month }));
  if (value === null) return none(fill(words.was, { value: kindText(figure.kind, before, unit), month }));
  const { sign, by, percent } = changeOf(figure.kind, value, before, unit);
  if (sign === 0) return none(fill(words.same, { month }));
  const way = ways[figure.kind][sign > 0 ? 0 : 1] ?? '';
  return { text: fill(percent ? words.changedBy : words.changed, { by, way, month, percent }), sign };
}

/** The same for a table: "+12 (+18%)", "same"; empty without a report. */
export function changeText(
  figure: MonthlyFigure,
  now: MonthlyFigures,
  then: MonthlyFigures | null,
  unit: SpeedUnit,
): string {
  if (!then) return '';
  const [value, before] = [figureValue(figure, now), figureValue(figure, then)];
  if (value === null || before === null) return NONE;
  const { sign, by, percent } = changeOf(figure.kind, value, before, unit);
  return sign === 0 ? 'same' : `${signText(sign)}${by}${percent && ` (${percent})`}`;
}

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2014, month)).toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' }),
);

/** "November 2026". */
export const monthText = ({ year, month }: { year: number; month: number }): string => `${MONTHS[month - 1]} ${year}`;

/** The months that a report is compared with, the year only where it is another one: "October", "November 2025". */
export function comparedMonths({ year, month }: { year: number; month: number }): {
  before: string;
  yearBefore: string;
} {
  return {
    before: month === 1 ? monthText({ year: year - 1, month: 12 }) : (MONTHS[month - 2] ?? ''),
    yearBefore: monthText({ year: year - 1, month }),
  };
}

/** An instant by the clock of the report. */
export const momentText = (at: string | null, timeZone: string): string =>
  dateText(instantOf(at), timeZone, `${DATE_PATTERNS.monthFirst} ${DATE_PATTERNS.time}`) || NONE;

/** "Nov-01-2026 to Nov-30-2026". */
export function spanText({ start_at, end_at, time_zone }: MonthlyReport): string {
  const day = (at: number) => dateText(at, time_zone, DATE_PATTERNS.monthFirst);
  return `${day(instantOf(start_at))} to ${day(instantOf(end_at) - 1)}`;
}

/** Whether late reports may still change it. */
export const mayChange = ({ final_at, made_at }: MonthlyReport): boolean => instantOf(final_at) > instantOf(made_at);

/** Sentences that say what a report lacks. */
export function lacksOf(report: MonthlyReportWhole): string[] {
  const { words } = monthly;
  const { data, feeds } = report.figures;
  const numbered = (n: number, one: string, several: string) => (n === 1 ? one : fill(several, { n: countText(n) }));
  const out: string[] = [];
  if (data.damaged_blocks > 0) out.push(numbered(data.damaged_blocks, words.damagedOne, words.damaged));
  const share = shareOf(data.covered_ms, data.of_ms);
  if (share !== null && share < 1) out.push(fill(words.silence, { share: shareText(share) }));
  if (data.refused === null) out.push(words.refusedUnknown);
  else if (data.refused > 0) out.push(numbered(data.refused, words.refusedOne, words.refused));
  if (!feeds.is_counted) out.push(words.feedsUnknown);
  if (mayChange(report)) out.push(fill(words.mayChange, { at: momentText(report.final_at, report.time_zone) }));
  return out;
}
