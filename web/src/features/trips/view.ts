import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { type ParsedTripParams, parseTripParams, type TripParams } from '~/model/trip';
import { createView } from '~/section/view';

/** What is asked, as the address says it: who comes back to the section finds it again. */
export const tripParamsView = createView<TripParams>({ things: undefined, from: undefined, to: undefined });

/** What is asked; null for nothing yet. */
export function useTripParams(): ParsedTripParams | null {
  const said = useStore(tripParamsView);
  return useMemo(() => parseTripParams(said, serverClock.now()), [said]);
}
