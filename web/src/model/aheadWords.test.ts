import { expect, it } from 'vitest';
import type { Ahead } from './ahead';
import { farSpoken, farText, soonText, spoken, testSentence, unitOfLanguage } from './aheadWords';

it('reads and says distances by the country of the language', () => {
  const units = ['en-US', 'en', 'en-GB', 'es-PR', 'de-DE', 'zh-Hant-TW', 'fr', ''].map(unitOfLanguage);
  expect(units).toEqual(['mph', 'mph', 'mph', 'mph', 'km/h', 'km/h', 'km/h', 'km/h']);
  expect([0, 5, 152, 300, 420, 805, 1950].map(m => farText('mph', m))).toEqual([
    'Here',
    '50 ft',
    '500 ft',
    '1000 ft',
    '0.3 mi',
    '0.5 mi',
    '1.2 mi',
  ]);
  expect([0, 3, 152, 420, 970, 990, 1950].map(m => farText('km/h', m))).toEqual([
    'Here',
    '10 m',
    '150 m',
    '400 m',
    '950 m',
    '1.0 km',
    '1.9 km',
  ]);
  expect([20, 150, 420, 805, 1300, 1609, 1990].map(m => farSpoken('mph', m))).toEqual([
    '100 feet',
    '500 feet',
    'a quarter mile',
    'half a mile',
    'three quarters of a mile',
    'one mile',
    '1.2 miles',
  ]);
  expect([20, 160, 420, 805, 1000, 1300, 1990].map(m => farSpoken('km/h', m))).toEqual([
    '50 meters',
    '150 meters',
    '400 meters',
    '800 meters',
    'one kilometer',
    '1.5 kilometers',
    '2 kilometers',
  ]);
});

it('says how long in steps that can be read', () => {
  const texts = [0.4, 1.2, 9.4, 11, 23, 44, 120].map(s => soonText(s, 100));
  expect(texts).toEqual(['1 second', '1 second', '9 seconds', '10 seconds', '25 seconds', '45 seconds', '2 minutes']);
  expect([soonText(null, 100), soonText(0, 0)]).toEqual(['', '']);
});

it('speaks short sentences', () => {
  const of = { alert: { what: 'Fire truck on scene' }, meters: 800 } as Ahead;
  expect(spoken({ of, word: 1 }, 'mph')).toBe('Fire truck on scene ahead, half a mile');
  expect(spoken({ of, word: 2 }, 'mph')).toBe('Fire truck on scene, close ahead');
  expect(spoken({ of: { ...of, meters: 0 }, word: 1 }, 'mph')).toBe('Fire truck on scene');
  expect(testSentence('km/h')).toBe('This is a test. Fire truck on scene ahead, 800 meters');
});
