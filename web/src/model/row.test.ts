import { expect, it } from 'vitest';
import { alike, timed } from './row';

it('reads the named instants, and leaves the rest as the wire has it', () => {
  const row = { id: 'a', since: '2026-11-21T10:00:00Z', until: null, made: '2026-11-21T10:00:00Z' };
  expect(timed(row, ['since', 'until'])).toEqual({
    ...row,
    since: Date.parse('2026-11-21T10:00:00Z'),
    until: 0,
  });
});

it('begins a form with what the row calls alike and holds in the same type', () => {
  const blank = { name: '', lanes: 0, at: '', shape: '' };
  const row = { id: 'a', name: 'Paving', lanes: null, at: 7, shape: { type: 'Point' } };
  expect(alike(blank, row)).toEqual({ name: 'Paving' });
});
