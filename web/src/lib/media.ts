import { useSyncExternalStore } from 'react';

/** Whether a media query holds, kept up to date; false where there is no window. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    changed => {
      const list = globalThis.matchMedia?.(query);
      list?.addEventListener('change', changed);
      return () => list?.removeEventListener('change', changed);
    },
    () => globalThis.matchMedia?.(query).matches ?? false,
    () => false,
  );
}
