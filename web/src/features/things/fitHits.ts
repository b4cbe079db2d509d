import { mapHolder } from '~/section/view';

/** How often the map has come to rest since it was last shown what a search found: once by that move itself. */
let rests = 0;
let isSearching = false;
let off: (() => void) | undefined;

/**
 * Shows what a search has found, as "Show All" does. Whoever moves the map meanwhile keeps it there, until another
 * search begins. The end of a search ('') moves nothing.
 */
export function fitHits(search: string, found: number): void {
  const map = mapHolder.get();
  const isMoved = isSearching && rests > 1;
  isSearching = search !== '';
  if (!isSearching) off?.();
  if (!map || !isSearching || found === 0 || isMoved) return;
  off?.();
  map.showAll();
  rests = 0;
  off = map.on('view', () => {
    rests++;
  });
}
