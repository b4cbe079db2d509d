// Signs: a plate with a glyph on it, the same on the map and in rows. A zone's plate is a square, a hazard's a triangle,
// a closure's a diamond.

/** The box of a sign, in px. */
export const SIGN_PX = 36;

export type SignShape = 'square' | 'triangle' | 'diamond';

/** The plates in that box, and where the 24 px of a glyph stand on them. */
export const SIGN_PLATES: Readonly<Record<SignShape, { path: string; x: number; y: number; scale: number }>> = {
  square: {
    path: 'M11 4.5H25A6.5 6.5 0 0 1 31.5 11V25A6.5 6.5 0 0 1 25 31.5H11A6.5 6.5 0 0 1 4.5 25V11A6.5 6.5 0 0 1 11 4.5Z',
    x: 9,
    y: 9,
    scale: 0.75,
  },
  triangle: {
    path: 'M20.6 3.5 34 27.5A3 3 0 0 1 31.4 32H4.6A3 3 0 0 1 2 27.5L15.4 3.5A3 3 0 0 1 20.6 3.5Z',
    x: 10.2,
    y: 13.4,
    scale: 0.65,
  },
  diamond: {
    path: 'M20.4 3 33 15.6a3.4 3.4 0 0 1 0 4.8L20.4 33a3.4 3.4 0 0 1-4.8 0L3 20.4a3.4 3.4 0 0 1 0-4.8L15.6 3a3.4 3.4 0 0 1 4.8 0Z',
    x: 10.2,
    y: 10.2,
    scale: 0.65,
  },
};

/** Lines in a box of 24 px, with round ends. */
export const SIGN_GLYPHS = {
  // zones
  school: 'M2 10 12 5 22 10 12 15ZM6 12.5V17C9 19.5 15 19.5 18 17V12.5',
  work: 'M10 4H14L19 20H5ZM8.3 10H15.7M6.7 15H17.3',
  event: 'M4 6H20V20H4ZM4 11H20M9 3V7M15 3V7',
  hazard: 'M12 4 21 20H3ZM12 10V14M12 17V17.01',
  custom: 'M12 3 20 9 17 20H7L4 9Z',
  // hazards
  slow_traffic: 'M4 18A8.5 8.5 0 1 1 20 18M12 17 7.5 12.5',
  stopped_traffic: 'M8.5 3H15.5L21 8.5V15.5L15.5 21H8.5L3 15.5V8.5ZM8 12H16',
  debris: 'M4 8.5 12 4.5 20 8.5V16.5L12 20.5 4 16.5ZM4 8.5 12 12.5 20 8.5M12 12.5V20.5',
  disabled_vehicle: 'M3 17V13L5 12 7 7H17L19 12 21 13V17ZM5 12H19M7 17V20M17 17V20',
  crash: 'M12 2 14.3 7.7 20.7 7 17.3 12 20.7 17 14.3 16.3 12 22 9.7 16.3 3.3 17 6.7 12 3.3 7 9.7 7.7Z',
  wrong_way: 'M6 20V9A5 5 0 0 1 16 9V17M12 13 16 17 20 13',
  animal:
    'M12 13C9.5 13 7.5 15.5 7.5 17.5S9 20 12 20 16.5 19.5 16.5 17.5 14.5 13 12 13ZM5 11V11.5M9 6V6.5M15 6V6.5M19 11V11.5',
  flooding: 'M3 9C5 7 7 7 9 9S13 11 15 9 19 7 21 9M3 16C5 14 7 14 9 16S13 18 15 16 19 14 21 16',
  ice: 'M7 4H17L21 10 12 21 3 10ZM3 10H21M12 21 8.5 10 10.5 4M12 21 15.5 10 13.5 4',
  snow: 'M12 3V21M4.2 7.5 19.8 16.5M19.8 7.5 4.2 16.5',
  fog: 'M5 7H19M3 12H21M6 17H18',
  fire: 'M12 3C12.5 7 17.5 9 17.5 14.5A5.5 5.5 0 0 1 6.5 14.5C6.5 12 8 10.5 9 9.5 9 11.5 10 12.5 11 12.5 12 10 10.5 6.5 12 3Z',
  signal_out: 'M8 3H16V21H8ZM12 7.5V7.51M12 12V12.01M12 16.5V16.51',
  road_damage: 'M6 21 9 3M18 21 15 3M12 4 11 8.5 13.2 11.5 10.8 15 12 20',
  // closures, beside work
  arrow_board: 'M3 5H21V16H3ZM7 10.5H17M14 7.5 17 10.5 14 13.5M8 16V21M16 16V21',
  feed: 'M5 19V19.01M5 12A7 7 0 0 1 12 19M5 5A14 14 0 0 1 19 19',
  other: 'M12 5V14M12 19V19.01',
} as const;

export type SignGlyph = keyof typeof SIGN_GLYPHS;

/** A type that a newer server knows is drawn as something else. */
export const signGlyph = (type: string): SignGlyph => (type in SIGN_GLYPHS ? (type as SignGlyph) : 'other');

/** What a sign looks like: what its plate, its edge and its glyph are painted with. */
export interface SignLook {
  readonly shape: SignShape;
  readonly fill: string;
  readonly edge: string;
  readonly ink: string;
}
