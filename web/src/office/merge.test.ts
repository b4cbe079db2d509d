import { expect, it } from 'vitest';
import { merge } from './merge';

const BEGUN = { name: 'Main', note: '', lanes: [1], total: 3, line: 'a', road: 'r' };
type Row = typeof BEGUN;
const TOGETHER = [
  ['lanes', 'total'],
  ['line', 'road'],
] as const;

interface Case {
  what: string;
  mine?: Partial<Row>;
  theirs?: Partial<Row>;
  /** what time alone has made of the row that both began with */
  aged?: Partial<Row>;
  /** what is saved with mine on top */
  saved: Partial<Row>;
  /** what stands when theirs is taken, where that is not the same */
  taken?: Partial<Row>;
  clashes?: readonly (keyof Row)[];
}

it.each<Case>([
  { what: 'nobody changed anything', saved: {} },
  { what: 'what I alone changed', mine: { name: 'Mine' }, saved: { name: 'Mine' } },
  { what: 'what they alone changed', theirs: { note: 'Theirs' }, saved: { note: 'Theirs' } },
  {
    what: 'each another field',
    mine: { name: 'Mine' },
    theirs: { note: 'Theirs', lanes: [2], total: 4 },
    saved: { name: 'Mine', note: 'Theirs', lanes: [2], total: 4 },
  },
  { what: 'both the same', mine: { name: 'Same' }, theirs: { name: 'Same' }, saved: { name: 'Same' } },
  {
    what: 'both the same field, and each another one',
    mine: { name: 'Mine', total: 4 },
    theirs: { name: 'Theirs', note: 'Theirs' },
    saved: { name: 'Mine', total: 4, note: 'Theirs' },
    taken: { name: 'Theirs', total: 4, note: 'Theirs' },
    clashes: ['name'],
  },
  {
    what: 'each another half of one thing',
    mine: { lanes: [1, 2] },
    theirs: { total: 2 },
    saved: { lanes: [1, 2] },
    taken: { total: 2 },
    clashes: ['lanes', 'total'],
  },
  { what: 'a line that they moved, road and all', theirs: { line: 'b', road: 's' }, saved: { line: 'b', road: 's' } },
  { what: 'what time changed of both', aged: { name: 'Aged' }, theirs: { name: 'Aged' }, saved: { name: 'Aged' } },
  {
    what: 'mine over what time alone changed of theirs',
    mine: { name: 'Mine' },
    aged: { name: 'Aged' },
    theirs: { name: 'Aged' },
    saved: { name: 'Mine' },
  },
])('puts together $what', ({ mine, theirs, aged, saved, taken = saved, clashes = [] }) => {
  const edits = {
    begun: BEGUN,
    mine: { ...BEGUN, ...mine },
    theirs: { ...BEGUN, ...theirs },
    common: { ...BEGUN, ...aged },
  };
  expect(merge<Row>(edits, TOGETHER)).toEqual({
    mine: { ...BEGUN, ...saved },
    theirs: { ...BEGUN, ...taken },
    clashes,
  });
});
