import type { SearchMiddleware } from '@tanstack/react-router';

/** What the addresses of a section say behind their path, such as filters. */
export interface KeptSearch {
  /** the parts of the search of an address that are the section's; none until whoever says them is there */
  keys: readonly string[];
  /** what an address must say now; whoever has it tells when it is there, because the sign-in must not wait for it */
  now: () => Readonly<Record<string, string | undefined>>;
  /** Addresses of the section that say nothing of these keep what is on. */
  readonly keep: SearchMiddleware<object>;
}

export function keptSearch(keys: readonly string[] = []): KeptSearch {
  const kept: KeptSearch = {
    keys,
    now: () => ({}),
    keep: ({ search, next }) => {
      const asked = next(search);
      return kept.keys.some(key => (asked as Record<string, unknown>)[key] !== undefined)
        ? asked
        : { ...asked, ...kept.now() };
    },
  };
  return kept;
}
