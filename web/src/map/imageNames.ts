/** Images that the map draws when a style first asks for them: these words, then a family of areas and a color, or a color. */
export const AREA_IMAGE = 'lightbar-area-';
export const HATCH_IMAGE = 'lightbar-hatch-';
/** A sign: these words, then its plate, fill, edge, ink and glyph with slashes between them. */
export const SIGN_IMAGE = 'lightbar-sign-';
/** An arrow along a line, to the east before it is turned: these words, then its color. */
export const ARROW_IMAGE = 'lightbar-arrow-';
/** A mark of a trip: these words, then its form (tripMarks.ts), fill, edge with slashes between them. */
export const TRIP_IMAGE = 'lightbar-trip-';
/** A clear square as large as the core of a mark. */
export const ROOM_IMAGE = 'lightbar-room';
export const ROOM_PX = 26;
