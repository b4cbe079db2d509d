/** The box of a trip's mark, in px. */
export const TRIP_PX = 40;

export interface TripFormLook {
  readonly path: string;
  readonly width: number;
  readonly dash?: readonly number[];
}

const disc = (radius: number) =>
  `M${20 - radius} 20A${radius} ${radius} 0 1 1 ${20 + radius} 20A${radius} ${radius} 0 1 1 ${20 - radius} 20Z`;

/**
 * Where a trip begins (a disc) and ends (a square), which way it goes (an arrow, to the east), and where its asset is at
 * the clock's instant: a drop whose point is the course, a disc without one, a dashed ring where nothing is known.
 */
export const TRIP_FORMS = {
  start: { path: disc(9.5), width: 2 },
  end: { path: 'M13 11H27A2 2 0 0 1 29 13V27A2 2 0 0 1 27 29H13A2 2 0 0 1 11 27V13A2 2 0 0 1 13 11Z', width: 2 },
  arrow: { path: 'M15.5 14.5 25.5 20 15.5 25.5 17.5 20Z', width: 1.5 },
  head: { path: 'M20 3.5C22 8 32 11 32 20A12 12 0 0 1 8 20C8 11 18 8 20 3.5Z', width: 2.5 },
  round: { path: disc(12), width: 2.5 },
  hollow: { path: disc(12), width: 2.5, dash: [4, 3] },
} as const satisfies Record<string, TripFormLook>;

export type TripForm = keyof typeof TRIP_FORMS;
