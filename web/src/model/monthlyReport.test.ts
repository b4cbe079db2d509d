import { describe, expect, it } from 'vitest';
import { comparedMonths, monthText } from './monthlyReport';

// Its words are in vectors.test.ts.
describe('a month', () => {
  it('is named, with its year where that is another one', () => {
    expect(monthText({ year: 2026, month: 11 })).toBe('November 2026');
    expect(comparedMonths({ year: 2026, month: 11 })).toEqual({ before: 'October', yearBefore: 'November 2025' });
    expect(comparedMonths({ year: 2026, month: 1 })).toEqual({ before: 'December 2025', yearBefore: 'January 2025' });
  });
});
