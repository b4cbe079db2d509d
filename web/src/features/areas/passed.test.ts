import { expect, it } from 'vitest';
import type { Schemas } from '~/api';
import { foldedVisits } from './passed';

const visit = (id: string, seconds: number | null) =>
  ({
    thing_id: id,
    arrived_at: '2026-11-20T10:00:00.000Z',
    left_at: seconds === null ? null : new Date(Date.parse('2026-11-20T10:00:00Z') + seconds * 1000).toISOString(),
  }) as Schemas['Visit'];

it('folds neighbors that only drove past, and nobody who stayed or is still there', () => {
  const [a, b, c, d, e] = [visit('a', 3), visit('b', 7), visit('c', 30), visit('d', 29.9), visit('e', null)];
  expect(foldedVisits([a, b, c, d, e])).toEqual([{ passes: [a, b] }, c, d, e]);
  expect(foldedVisits([c, a, b])).toEqual([c, { passes: [a, b] }]);
  expect(foldedVisits([])).toEqual([]);
});
