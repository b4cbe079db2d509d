import { describe, expect, it } from 'vitest';
import { recorded, vary } from '~/api/recorded';
import type { Finding } from '~/model/finding';
import { assetOptions, unmailedText } from './findings';
import { bodyOf, foundText, modesText, quietText, readWatchdog, schemaOf } from './watchdog';

const watchdog = recorded('getWatchdog.ok').data;
const all = (mode: 'off' | 'trial' | 'on') => vary(watchdog, { rules: watchdog.rules.map(one => ({ ...one, mode })) });

describe('the form of the settings', () => {
  const schema = schemaOf(watchdog);
  const form = readWatchdog(vary(watchdog, { quiet_from: '22:00', quiet_to: '06:00' }));
  const wrong = (over: Record<string, string>) =>
    schema.safeParse({ ...form, ...over }).error?.issues.map(({ path, message }) => [path.join('.'), message]);

  it('has a field for each rule, and takes quiet hours whole or not at all', () => {
    expect(Object.keys(form)).toEqual([...watchdog.rules.map(({ rule }) => rule), 'quiet_from', 'quiet_to']);
    expect(wrong({})).toBeUndefined();
    expect(wrong({ quiet_from: '', quiet_to: '' })).toBeUndefined();
    expect(wrong({ quiet_from: '' })).toEqual([['quiet_from', 'Enter both times, or neither.']]);
    expect(wrong({ quiet_to: '' })).toEqual([['quiet_to', 'Enter both times, or neither.']]);
    expect(wrong({ quiet_to: '22:00' })).toEqual([['quiet_to', 'Quiet hours must end at another time.']]);
    expect(wrong({ quiet_to: '24:00' })?.[0]).toEqual(['quiet_to', 'Enter a time such as 22:00']);
    expect(wrong({ [watchdog.rules[0]?.rule ?? '']: 'loud' })).toHaveLength(1);
  });

  it('sends what was changed, and nothing else', () => {
    expect(bodyOf({ alerting_at_station: 'on', quiet_to: '' })).toEqual({
      rules: [{ rule: 'alerting_at_station', mode: 'on' }],
      quiet_to: '',
    });
    expect(bodyOf({ quiet_from: '21:30' })).toEqual({ quiet_from: '21:30' });
  });
});

describe('the settings in words', () => {
  it('say what the watchdog does', () => {
    expect(modesText(all('trial'))).toBe('All rules are on trial: nobody is told yet.');
    expect(modesText(all('off'))).toBe('All rules are off.');
    expect(modesText(all('on'))).toBe('9 rules on.');
    const [first, ...rest] = all('trial').rules;
    expect(modesText({ rules: [{ ...first, mode: 'on' } as never, ...rest] })).toBe('1 rule on, 8 on trial.');
    expect(quietText({ quiet_from: '22:00', quiet_to: '06:00' })).toBe('No mail from 10:00 PM to 6:00 AM.');
    expect(quietText({ quiet_from: null, quiet_to: null })).toBe('');
  });

  it.each([
    [0, 'Found nothing in the last 7 days'],
    [1, 'Found once in the last 7 days'],
    [3, 'Found 3 times in the last 7 days'],
  ])('count what was found: %d', (found_7d, text) => expect(foundText({ found_7d })).toBe(text));
});

describe('who was told', () => {
  const found = { isTrial: false, isHeld: false, mailed: [], endedAt: 0 } as unknown as Finding;
  it.each([
    ['on trial', { isTrial: true }, 'Nobody: on trial'],
    ['nobody asked', {}, 'Nobody'],
    ['kept back', { isHeld: true }, 'Will be mailed at 6:00 AM'],
    ['ended meanwhile', { isHeld: true, endedAt: 1 }, 'Nobody: it ended in quiet hours'],
    ['mailed', { mailed: [{ id: 'u', name: 'Dana', at: 1 }] }, ''],
  ])('is said where nobody was: %s', (_, over, text) =>
    expect(unmailedText({ ...found, ...over }, { quiet_to: '06:00' })).toBe(text),
  );
});

it('offers the assets of which something was found, and the one that the address names', () => {
  const rows = ['Engine 12', 'Engine 2', ''].map(
    (thingName, i) => ({ thingId: thingName && `t${i}`, thingName }) as Finding,
  );
  expect(assetOptions(rows, 't9').map(({ label }) => label)).toEqual(['Engine 2', 'Engine 12', 'This asset']);
});
