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

/** Whether what points can be over something without pressing it: a finger leaves what it touched when it is lifted. */
export const hovers = ({ pointerType }: { pointerType: string }): boolean => pointerType !== 'touch';
