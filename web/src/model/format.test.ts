import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { countOf } from './format';

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
