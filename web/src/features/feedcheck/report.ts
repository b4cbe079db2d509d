import type { Schemas } from '~/api';
import { countText } from '~/model/format';

export type Report = Schemas['CheckedFeed'];
export type BrokenRule = Report['rules'][number];

const formatName = { wzdx: 'WZDx', cwz: 'CWZ', cifs: 'Waze CIFS', geojson: 'GeoJSON' } as const;

/** "1 feature", "2,000 features". */
export const counted = (count: number, noun: string) => `${countText(count)} ${count === 1 ? noun : `${noun}s`}`;

/** What was found to be there: "WZDx 4.2 of Harbor County: 279 features, 278 readable". */
export function foundText({ format, version, publisher, features, good }: Report): string {
  const what = [formatName[format], version, publisher && `of ${publisher}`].filter(Boolean).join(' ');
  return `${what}: ${counted(features, 'feature')}, ${countText(good)} readable`;
}

/** The verdict in one sentence. */
export function verdict({ errors, warnings }: Report): string {
  if (errors === 0 && warnings === 0) return 'The feed is valid. No errors or warnings.';
  const found = [errors > 0 && counted(errors, 'error'), warnings > 0 && counted(warnings, 'warning')];
  return `The feed has ${found.filter(Boolean).join(' and ')}.`;
}

/** A rule's name in words: "end_before_start" is "End before start". */
export const ruleName = (rule: string) => rule.charAt(0).toUpperCase() + rule.slice(1).replaceAll('_', ' ');

/** The broken rules, errors first. */
export const worstFirst = ({ rules }: Report): readonly BrokenRule[] =>
  [...rules].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));

/** Where a rule is broken: the places that the report tells. */
export const placesOf = (report: Report, rule: string) => report.problems.filter(one => one.rule === rule);

/** One place: the feature and the path in it; the document itself has neither. */
export const placeText = ({ feature, path }: Report['problems'][number]) =>
  [feature, path].filter(Boolean).join(' ') || 'The document';

/** What is wrong; where members are missing, which: "road_event_id is missing." */
export function messageOf(report: Report, rule: BrokenRule): string {
  if (rule.rule !== 'member_missing') return rule.message;
  const paths = placesOf(report, rule.rule).map(({ path }) => path.split('.').at(-1) ?? '');
  const names = [...new Set(paths)].filter(Boolean);
  if (names.length === 0) return rule.message;
  return `${andMore(names)} ${names.length === 1 ? 'is' : 'are'} missing.`;
}

const NAMED = 3;
const andMore = (names: readonly string[]): string => {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')}, and ${rest} more` : names.join(', ');
};

/** What is particular to a place: the sentence without the rule's own. */
export const detailOf = (rule: BrokenRule, message: string) => message.slice(rule.message.length).trim();

/** The report as a text to copy. */
export function reportText(report: Report): string {
  const rules = worstFirst(report).flatMap(rule => {
    const places = placesOf(report, rule.rule);
    const more = rule.count - places.length;
    return [
      '',
      `${rule.severity} ${rule.rule}, ${rule.count}×: ${messageOf(report, rule)} ${rule.way}`,
      ...places.map(place => `  ${[placeText(place), detailOf(rule, place.message)].filter(Boolean).join(': ')}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
  return [foundText(report), verdict(report), ...rules, ''].join('\n');
}
