import vectors from '@catalog/vectors/monthly.json';
import { describe, expect, it } from 'vitest';
import { changeOf, comparedMonths, kindText, type MonthlyFigure, monthText } from './monthlyReport';

type Kind = MonthlyFigure['kind'];
const unitOf = (miles: boolean) => (miles ? 'mph' : 'km/h');

describe('the words of a monthly report', () => {
  it.each(vectors.words)('%o', ({ kind, value, miles, text }) => {
    expect(kindText(kind as Kind, value, unitOf(miles))).toBe(text);
  });

  it.each(vectors.changes)('%o', ({ kind, now, before, miles, sign, by, percent }) => {
    expect(changeOf(kind as Kind, now, before, unitOf(miles))).toEqual({ sign, by, percent });
  });

  it('name a month, and its year where that is another one', () => {
    expect(monthText({ year: 2026, month: 11 })).toBe('November 2026');
    expect(comparedMonths({ year: 2026, month: 11 })).toEqual({ before: 'October', yearBefore: 'November 2025' });
    expect(comparedMonths({ year: 2026, month: 1 })).toEqual({ before: 'December 2025', yearBefore: 'January 2025' });
  });
});
