/**
 * What the addresses of the Live section say of its filters; the live picture, which the sign-in must not wait for, tells
 * when it is there.
 */
export const kept: { now: () => Record<string, string | undefined> } = { now: () => ({}) };

/** Addresses of the section that say nothing of filters keep those that are on. */
export function keepSearch<T extends object>({ search, next }: { search: T; next: (search: T) => T }): T {
  const asked = next(search);
  const now = kept.now();
  return FILTER_KEYS.some(key => (asked as Record<string, unknown>)[key] !== undefined) ? asked : { ...asked, ...now };
}

/** The parts of the search of an address that are filters of the Live section. */
export const FILTER_KEYS = ['q', 'status', 'type', 'relation', 'hide'] as const;
