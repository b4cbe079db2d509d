/** Where a sheet rests, from low to high. */
export const sheetStops = ['peek', 'half', 'full'] as const;
export type SheetStop = (typeof sheetStops)[number];

/** Handle, title and counts stay in sight. */
const PEEK_PX = 132;
/** What full leaves of the map, so that the way back is seen. */
const ABOVE_FULL_PX = 12;

/** Height in px of a stop within the available height. */
export function sheetHeight(stop: SheetStop, available: number): number {
  if (stop === 'peek') return Math.min(PEEK_PX, available);
  if (stop === 'full') return Math.max(PEEK_PX, available - ABOVE_FULL_PX);
  return Math.max(PEEK_PX, Math.round(available * 0.54));
}

/** The stop whose height is nearest. */
export function nearestStop(height: number, available: number): SheetStop {
  let best: SheetStop = 'half';
  for (const stop of sheetStops) {
    if (Math.abs(sheetHeight(stop, available) - height) < Math.abs(sheetHeight(best, available) - height)) best = stop;
  }
  return best;
}
