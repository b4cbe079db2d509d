import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { type AskedTrips, askedTrips, type SaidTrips } from '~/model/trip';
import { createView } from '~/section/view';

/** What is asked, as the address says it: who comes back to the section finds it again. */
export const saidView = createView<SaidTrips>({ things: undefined, from: undefined, to: undefined });

/** What is asked; null for nothing yet. */
export function useAsked(): AskedTrips | null {
  const said = useStore(saidView);
  return useMemo(() => askedTrips(said, serverClock.now()), [said]);
}
