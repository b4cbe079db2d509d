import enums from '@catalog/enums.json';
import type { Schemas } from '~/api';
import { capital, whenText } from './format';
import { type Instant, instantOf } from './instant';

/** A finding as lists and the stream tell it. */
export type WireFinding = Schemas['Finding'];

/** What a finding is about, beside its asset. */
export interface About {
  type: NonNullable<WireFinding['about']>['type'];
  id: string;
  name: string;
}

interface Mailed {
  id: string;
  name: string;
  at: Instant;
}

/** What the watchdog found about an asset: it should alert and does not, or alerts and should not. */
export interface Finding {
  id: string;
  rule: string;
  /** '': it is about an integration or a closure as a whole */
  thingId: string;
  thingName: string;
  organizationId: string;
  about: About | null;
  beganAt: Instant;
  /** 0: it is still so */
  endedAt: Instant;
  /** its rule was on trial: nobody was told */
  isTrial: boolean;
  mailed: readonly Mailed[];
  /** quiet hours keep its mail back */
  isHeld: boolean;
}

export const findingOfWire = (w: WireFinding): Finding => ({
  id: w.id,
  rule: w.rule,
  thingId: w.thing_id ?? '',
  thingName: w.thing_name,
  organizationId: w.organization_id,
  about: w.about && { type: w.about.type, id: w.about.id, name: w.about.name },
  beganAt: instantOf(w.began_at),
  endedAt: instantOf(w.ended_at),
  isTrial: w.trial,
  mailed: w.mailed.map(one => ({ id: one.user_id, name: one.name, at: instantOf(one.at) })),
  isHeld: w.held,
});

export const isOpenFinding = ({ endedAt }: Pick<Finding, 'endedAt'>): boolean => endedAt === 0;

/** How far a finding has come; a lower one is older. It is mailed, and it ends; neither is taken back. */
export const stepOfFinding = ({ endedAt, mailed }: Pick<Finding, 'endedAt' | 'mailed'>): number =>
  (endedAt > 0 ? Number.MAX_SAFE_INTEGER / 2 : 0) + mailed.length;

const byId = (a: Finding, b: Finding) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/** Open ones first, newest first; ended ones by their ends. */
export const compareFindings = (a: Finding, b: Finding): number => {
  if (isOpenFinding(a) !== isOpenFinding(b)) return isOpenFinding(a) ? -1 : 1;
  return (isOpenFinding(a) ? b.beganAt - a.beganAt : b.endedAt - a.endedAt) || byId(a, b);
};

/** The findings of two sources, each once: the one that has come further. In order. */
export function mergedFindings(...sources: readonly (readonly Finding[])[]): Finding[] {
  const known = new Map<string, Finding>();
  for (const finding of sources.flat()) {
    const before = known.get(finding.id);
    if (!before || stepOfFinding(finding) >= stepOfFinding(before)) known.set(finding.id, finding);
  }
  return [...known.values()].sort(compareFindings);
}

interface RuleWords {
  /** what it means, in a sentence */
  means: string;
  /** beside an asset, where there is little room */
  tag: string;
  /** behind the asset's name */
  is: string;
  was: string;
}

/** How the watchdog's rules are spoken of. */
const RULES: Readonly<Record<string, RuleWords>> = {
  not_alerting_at_incident: {
    means: 'An asset is on scene, and drivers are not alerted because its lights are off.',
    tag: 'Lights off on scene',
    is: 'is at an incident and its lights are off',
    was: 'was at an incident and its lights were off',
  },
  not_alerting_on_closure: {
    means: 'The closure that follows an asset is active, and drivers are not alerted because its lights are off.',
    tag: 'Lights off on closure',
    is: 'has an active closure that follows it, and its lights are off',
    was: 'had an active closure that follows it, and its lights were off',
  },
  not_alerting_enroute: {
    means: 'An asset drives toward an incident, and drivers are not alerted because its lights are off.',
    tag: 'Lights off on the way',
    is: 'is on the way to an incident and its lights are off',
    was: 'was on the way to an incident and its lights were off',
  },
  alerting_at_station: {
    means: 'An asset is at its station, and drivers are alerted because its lights are on.',
    tag: 'Lights on at station',
    is: 'is at a station and its lights are on',
    was: 'was at a station and its lights were on',
  },
  position_without_lights: {
    means: 'An asset says where it is, but its device does not say whether its lights are on.',
    tag: 'Lights not reported',
    is: 'reports its position, but not its lights',
    was: 'reported its position, but not its lights',
  },
  lights_without_position: {
    means: 'An asset says that its lights are on, but not where it is, so drivers are not alerted.',
    tag: 'Position not reported',
    is: 'reports its lights, but not its position',
    was: 'reported its lights, but not its position',
  },
  old_configuration: {
    means: 'A device still has an older configuration than the one it was given.',
    tag: 'Older configuration',
    is: 'still has an older configuration',
    was: 'had an older configuration',
  },
  provider_silent: {
    means: 'An integration fails, or its provider sends no reports of an asset that is linked to it.',
    tag: 'Provider silent',
    is: 'gets no reports from its provider',
    was: 'got no reports from its provider',
  },
  closure_left: {
    means: 'A closure that somebody drew is active. Assets stood on it, and now none has been heard there for a while.',
    tag: 'Nobody on closure',
    is: 'is active, but no asset has been heard on it',
    was: 'was active, but no asset was heard on it',
  },
};

/** Where a rule finds something of no asset: what it is then. */
const UNNAMED: Readonly<Record<string, string>> = { closure_left: 'A closure', provider_silent: 'An integration' };

/** Behind the name of an integration as a whole. */
const WHOLE = { is: 'brings no reports', was: 'brought no reports' };

/** What a rule is called; one that this side does not know yet by its name. */
export const ruleTitle = (rule: string): string =>
  enums.watchdogRules.find(one => one.name === rule)?.displayName ?? capital(rule.replaceAll('_', ' '));

export const ruleWords = (rule: string): RuleWords =>
  RULES[rule] ?? { means: '', tag: ruleTitle(rule), is: 'was found', was: 'was found' };

/** The rules to choose from. */
export const ruleOptions = enums.watchdogRules.map(({ name, displayName }) => ({ id: name, label: displayName }));

/** What is found of which a sentence speaks: the asset, or what the finding is about where there is none. */
export const subjectOf = ({ rule, thingId, thingName, about }: Finding): string =>
  thingName || about?.name || (thingId === '' && UNNAMED[rule]) || 'An asset';

/** Behind the name: "is at an incident and its lights are off, since 10:42 AM". */
export function findingText(finding: Finding, timeZone: string, now: Instant): string {
  const { is, was } = finding.thingId === '' && finding.rule === 'provider_silent' ? WHOLE : ruleWords(finding.rule);
  // A time is not broken before its AM.
  const when = (at: Instant) => whenText(at, timeZone, now).replace(/ (?=[AP]M$)/, '\u00a0');
  if (isOpenFinding(finding)) return `${is}, since ${when(finding.beganAt)}`;
  return `${was}, ${when(finding.beganAt)} to ${when(finding.endedAt)}`;
}
