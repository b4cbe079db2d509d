import type { Schemas } from '~/api';

/** One report of a position. */
export type TripPoint = Schemas['TripPoint'];
/** A stretch of time: end is excluded. */
export type TripSpan = Schemas['Stretch'];
/** A stop of at least two minutes within a trip. */
export type TripStop = Schemas['TripStop'];
/** A run, or a movement outside of runs. */
export type Trip = Schemas['Trip'];
/** What an asset did in the asked time. */
export type ThingTrips = Schemas['ThingTrips'];
/** When there are reports of an asset. */
export type Coverage = Schemas['Coverage'];
