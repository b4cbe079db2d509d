import { createStore } from '~/lib/store';
import type { ThingTrips } from './wire';

/** What the map and the timeline show: the chosen assets with their trips, and the one that is looked at. */
export interface ShownTrips {
  /** the asked time, ms */
  from: number;
  to: number;
  things: { id: string; name: string; letter: string; color: 0 | 1 | 2 | 3 | 4; trips: ThingTrips }[];
  selected: { thingId: string; runId: string } | undefined;
}

export const shownTrips = createStore<ShownTrips | undefined>(undefined);
