import { useSyncExternalStore } from 'react';

/** What rows, measured in px, are laid out for. */
const USUAL_PX = 16;

/** How much larger than usual the browser writes, by its setting or the system's; 1 where nobody has set it. */
export function textScale(): number {
  const px = Number.parseFloat(globalThis.getComputedStyle?.(document.documentElement).fontSize ?? '');
  return px > 0 ? px / USUAL_PX : 1;
}

/** The same, read again when the window changes: a changed setting of the letters lays the page out anew. */
export const useTextScale = (): number => useSyncExternalStore(subscribe, textScale, () => 1);

function subscribe(changed: () => void): () => void {
  globalThis.addEventListener('resize', changed);
  return () => globalThis.removeEventListener('resize', changed);
}
