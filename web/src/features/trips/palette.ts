/** Assets whose trips are shown together have a color and a letter each, in the order in which they were chosen. */
export type TripColor = 0 | 1 | 2 | 3 | 4;

const VARIABLES = ['--trip-1', '--trip-2', '--trip-3', '--trip-4', '--trip-5'] as const;

/** The color of the asset at a place, as stylesheets have it. */
export const colorOf = (color: TripColor): string => `var(${VARIABLES[color]})`;

/** A to E; one more that was chosen, and cannot be shown, has the next. */
export const letterOf = (index: number): string => String.fromCharCode(65 + index);
