import { expect, it } from 'vitest';
import { proposedFeedId } from './feedId';

it('goes on as the organization numbers its closures, else begins with its initials and the year', () => {
  expect(proposedFeedId([], 'Wilmington Fire Dept', 2026)).toBe('WFD-2026-0001');
  expect(proposedFeedId(['', 'bridge'], 'Wilmington Fire Dept', 2026)).toBe('WFD-2026-0001');
  expect(proposedFeedId(['DE-95-0017', 'DE-95-0009'], 'Any', 2026)).toBe('DE-95-0018');
  expect(proposedFeedId(['Z99'], 'Any', 2026)).toBe('Z100');
  expect(proposedFeedId([], '', 2026)).toBe('C-2026-0001');
});
