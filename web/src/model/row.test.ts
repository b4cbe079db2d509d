import { expect, it } from 'vitest';
import { timed } from './row';

it('reads the named instants, and leaves the rest as the wire has it', () => {
  const row = { id: 'a', since: '2026-11-21T10:00:00Z', until: null, made: '2026-11-21T10:00:00Z' };
  expect(timed(row, ['since', 'until'])).toEqual({
    ...row,
    since: Date.parse('2026-11-21T10:00:00Z'),
    until: 0,
  });
});
