import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countOf, dateText, dayStart, whenText } from './format';

it('says how many of what', () => {
  expect([0, 1, 2, 1200].map(count => countOf(count, 'asset'))).toEqual([
    '0 assets',
    '1 asset',
    '2 assets',
    '1,200 assets',
  ]);
  expect(countOf(2, 'entry', 'entries')).toBe('2 entries');
});

// A count written by hand forgets the separator, or the one.
it('no other place says a count and its noun by hand', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  const byHand = /\$\{([\w.]+)\} \$\{\1 === 1 \?/;
  const found = files.filter(name => name !== 'model/format.ts' && byHand.test(readFileSync(`src/${name}`, 'utf8')));
  expect(found).toEqual([]);
});

// spec: D.time.01
describe('an instant', () => {
  const at = Date.UTC(2026, 0, 1, 3, 30);

  // Whatever clock this machine has, it is not both of these.
  it.each([
    ['America/New_York', '2025-12-31 22:30', Date.UTC(2025, 11, 31, 5), '2025-12-31', '22:30'],
    ['Asia/Tokyo', '2026-01-01 12:30', Date.UTC(2025, 11, 31, 15), '2026-01-01', '12:30'],
  ])('shows by the clock of an organization in %s', (zone, text, day, date, time) => {
    expect(dateText(at, zone, 'yyyy-MM-dd HH:mm')).toBe(text);
    expect(dateText(at, zone, 'yyyy-MM-dd')).toBe(date);
    expect(dayStart(at, zone)).toBe(day);
    expect(whenText(at, zone, at + 3_600_000, 'HH:mm')).toBe(time);
  });

  // A text that the browser makes by itself has the browser's zone.
  it('is shown by no other clock anywhere', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name =>
      /(?<!\.test|testing)\.tsx?$/.test(name),
    );
    const ownClock =
      /\.toLocale(Date|Time)String\((?![^)]*timeZone)|\.to(Date|Time)String\(|\.get(FullYear|Month|Date|Day|Hours|Minutes)\(\)|import \{[^}]*\bformat\b[^}]*\} from 'date-fns'/;
    // Those of export and trip are asked of a date with a zone; the page has the year of the copyright.
    const known = ['model/format.ts', 'model/export.ts', 'model/trip.ts', 'features/signin/PublicPage.tsx'];
    const found = files.filter(name => !known.includes(name) && ownClock.test(readFileSync(`src/${name}`, 'utf8')));
    expect(found).toEqual([]);
  });
});
