import enums from '@catalog/enums.json';
import { describe, expect, it } from 'vitest';
import {
  compareFindings,
  type Finding,
  findingText,
  mergedFindings,
  ruleWords,
  stepOfFinding,
  subjectOf,
} from './finding';

const NOON = Date.parse('2026-11-27T17:00:00Z');
const MINUTE = 60_000;
const ZONE = 'America/New_York';

const finding = (over: Partial<Finding> = {}): Finding => ({
  id: 'f1',
  rule: 'not_alerting_at_incident',
  thingId: 't1',
  thingName: 'Engine 12',
  organizationId: 'o1',
  about: null,
  beganAt: NOON,
  endedAt: 0,
  isTrial: false,
  mailed: [],
  isHeld: false,
  ...over,
});

const mail = { id: 'u1', name: 'Dana Moore', at: NOON };

describe('a finding in words', () => {
  it('says since when it is so, and from when to when it was', () => {
    expect(findingText(finding(), ZONE, NOON)).toBe('is at an incident and its lights are off, since 12:00\u00a0PM');
    const ended = finding({ endedAt: NOON + 8 * MINUTE });
    expect(findingText(ended, ZONE, NOON)).toBe(
      'was at an incident and its lights were off, 12:00\u00a0PM to 12:08\u00a0PM',
    );
    expect(findingText(finding(), ZONE, NOON + 24 * 60 * MINUTE)).toMatch(/since Nov-27-2026 12:00\u00a0PM$/);
  });

  it('has words for each rule of the catalog, which tell them from each other', () => {
    const words = enums.watchdogRules.map(({ name }) => ruleWords(name));
    for (const part of ['means', 'tag', 'is', 'was'] as const) {
      expect(new Set(words.map(one => one[part])).size).toBe(words.length);
      expect(words.map(one => one[part])).not.toContain('');
    }
  });

  it('speaks of the closure where it has no crew anymore', () => {
    const about = { type: 'closure', id: 'c1', name: 'Paving' } as const;
    const left = finding({ rule: 'closure_left', thingId: '', thingName: '', about });
    expect(`${subjectOf(left)} ${findingText(left, ZONE, NOON)}`).toBe(
      'Paving is active, but no asset has been heard on it, since 12:00\u00a0PM',
    );
    expect(subjectOf({ ...left, about: null })).toBe('A closure');
  });

  it('speaks of the integration where there is no asset', () => {
    const about = { type: 'integration', id: 'i1', name: 'County fleet' } as const;
    const whole = finding({ rule: 'provider_silent', thingId: '', thingName: '', about });
    expect(`${subjectOf(whole)} ${findingText(whole, ZONE, NOON)}`).toBe(
      'County fleet brings no reports, since 12:00\u00a0PM',
    );
  });
});

describe('the findings of a list and of the stream', () => {
  it('never go back: not from the end, and not from a mail', () => {
    const [found, mailed, ended] = [finding(), finding({ mailed: [mail] }), finding({ endedAt: NOON + MINUTE })];
    expect([found, mailed, ended].map(stepOfFinding)).toEqual(
      [...[found, mailed, ended].map(stepOfFinding)].sort((a, b) => a - b),
    );
    expect(mergedFindings([ended], [found])).toEqual([ended]);
    expect(mergedFindings([found], [mailed])).toEqual([mailed]);
    expect(mergedFindings([mailed], [found])).toEqual([mailed]);
  });

  it('stand with what is open first, the newest first', () => {
    const rows = [
      finding({ id: 'a', endedAt: NOON + 2 * MINUTE }),
      finding({ id: 'b' }),
      finding({ id: 'c', beganAt: NOON + MINUTE }),
      finding({ id: 'd', endedAt: NOON + 3 * MINUTE }),
    ];
    expect(rows.sort(compareFindings).map(({ id }) => id)).toEqual(['c', 'b', 'd', 'a']);
  });
});
