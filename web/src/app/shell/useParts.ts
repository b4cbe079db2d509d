import { useEffect } from 'react';
import { fetchParts } from '~/lib/chunk';
import { streamStore } from '~/live';

/** Safari has no idle callback: then a moment after the list. */
const LATER_MS = 1000;

/** A page that is never idle (a busy map, a slow machine) fetches them all the same. */
const AT_MOST_MS = 10_000;

/**
 * Fetches every part of the app once the list is there and the page is idle, and what did not come whenever the network
 * is back: who loses it must still be able to open an asset whose data is in memory.
 */
export function useParts(): void {
  useEffect(() => {
    let waits = true;
    const fetch = () => {
      if (streamStore.get().asOf === 0 || !waits) return;
      waits = false;
      const idle = window.requestIdleCallback ?? (run => setTimeout(run, LATER_MS));
      idle(() => void fetchParts(), { timeout: AT_MOST_MS });
    };
    const again = () => void fetchParts();
    fetch();
    const off = streamStore.subscribe(fetch);
    window.addEventListener('online', again);
    return () => {
      waits = false;
      off();
      window.removeEventListener('online', again);
    };
  }, []);
}
