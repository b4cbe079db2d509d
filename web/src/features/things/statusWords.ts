import { countOf } from '~/model/format';
import type { Words } from '~/model/organization';
import { Status, statusLabel } from '~/model/status';

/**
 * The word of a status for many assets at once: that of responders, the general one, or both, as the organization's
 * assets are. Standby and stationary read the same in rows; where they stand side by side they need words of their own.
 */
export function wordFor(status: Status, { responders }: Pick<Words, 'responders'>): string {
  if (status === Status.STATIONARY) return 'Standby, stationary';
  const word = statusLabel(status, true);
  const general = statusLabel(status, false);
  if (responders === 'all' || word === general) return word;
  return responders === 'none' ? general : `${word} / ${general}`;
}

/** How many assets have a status; those out of service beside the others, as the head of the list counts them. */
export function ofStatus(
  { byStatus, oosByStatus }: { byStatus: readonly number[]; oosByStatus: readonly number[] },
  status: Status,
): { inService: number; oos: number } {
  const oos = oosByStatus[status] ?? 0;
  return { inService: (byStatus[status] ?? 0) - oos, oos };
}

/** What a screen reader hears after a press has changed the list. */
export const shownText = (shown: number): string => `${countOf(shown, 'asset')} shown`;
