import enums from '@catalog/enums.json';
import type { Ahead, Side, Word } from './ahead';
import { type SpeedUnit, speedUnit } from './speedUnit';

const M_PER_MILE = 1609.344;
const M_PER_FOOT = 0.3048;

/** Miles for who reads the language of a country that drives by them ("en-US"), else kilometers. */
export function unitOfLanguage(language: string): SpeedUnit {
  const [, region = ''] = /-([A-Za-z]{2})\b/.exec(language) ?? [];
  // "en" alone is what browsers of the United States say most.
  return language.toLowerCase() === 'en' ? speedUnit(enums.mphCountries[0] ?? '') : speedUnit(region);
}

const rounded = (value: number, step: number): number => Math.max(step, Math.round(value / step) * step);

/** How far, as it is read at a glance: "500 ft", "0.4 mi", "350 m", "1.2 km"; "Here" within. */
export function farText(unit: SpeedUnit, meters: number): string {
  if (meters === 0) return 'Here';
  if (unit === 'mph') {
    const feet = meters / M_PER_FOOT;
    return feet < 1000 ? `${rounded(feet, 50)} ft` : `${(meters / M_PER_MILE).toFixed(1)} mi`;
  }
  return meters < 975 ? `${rounded(meters, meters < 200 ? 10 : 50)} m` : `${(meters / 1000).toFixed(1)} km`;
}

/** How long: "20 seconds", in steps that can be read while they change; '' while standing or within. */
export function soonText(seconds: number | null, meters: number): string {
  if (seconds === null || meters === 0) return '';
  if (seconds < 10) return `${countOf(Math.max(1, Math.round(seconds)), 'second')}`;
  return seconds < 90 ? `${rounded(seconds, 5)} seconds` : `${Math.round(seconds / 60)} minutes`;
}

const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Where the arrow points. */
export const sideText: Readonly<Record<Side, string>> = {
  ahead: 'ahead',
  left: 'ahead on the left',
  right: 'ahead on the right',
};

const milesSpoken: readonly (readonly [below: number, words: string])[] = [
  [0.35, 'a quarter mile'],
  [0.65, 'half a mile'],
  [0.9, 'three quarters of a mile'],
  [1.1, 'one mile'],
];

/** How far, as it is said: "half a mile", "500 feet", "800 meters". */
export function farSpoken(unit: SpeedUnit, meters: number): string {
  if (unit === 'mph') {
    const miles = meters / M_PER_MILE;
    if (miles < 0.19) return `${rounded(meters / M_PER_FOOT, 100)} feet`;
    return milesSpoken.find(([below]) => miles < below)?.[1] ?? `${miles.toFixed(1)} miles`;
  }
  if (meters < 950) return `${rounded(meters, meters < 200 ? 50 : 100)} meters`;
  const kilometers = rounded(meters / 1000, 0.5);
  return kilometers === 1 ? 'one kilometer' : `${kilometers} kilometers`;
}

/** The sentence of a word: "Fire truck on scene ahead, half a mile"; the second one "Fire truck on scene, close ahead". */
export function spoken({ of, word }: Word, unit: SpeedUnit): string {
  return word === 1 ? firstSentence(of, unit) : `${of.alert.what}, close ahead`;
}

const firstSentence = ({ alert, meters }: Ahead, unit: SpeedUnit): string =>
  meters === 0 ? alert.what : `${alert.what} ahead, ${farSpoken(unit, meters)}`;

/** What the start screen lets one hear. */
export const testSentence = (unit: SpeedUnit): string =>
  `This is a test. Fire truck on scene ahead, ${farSpoken(unit, unit === 'mph' ? M_PER_MILE / 2 : 800)}`;
