/** How areas look: by family, in form and pattern as well as in color. */
export type AreaFamily = 'station' | 'place' | 'exclusion' | 'slow';

/** A type's family, by its law. */
export function areaFamily(type: { typeName: string; isStation: boolean; isExclusion: boolean }): AreaFamily {
  if (type.isStation) return 'station';
  if (type.isExclusion) return 'exclusion';
  return type.typeName === 'slow_zone' ? 'slow' : 'place';
}

/** The box of a glyph, in px. */
export const GLYPH_PX = 20;

/** Filled forms in that box (even-odd): a house, a disc, a barred disc, a triangle with a bar. */
export const AREA_GLYPHS: Readonly<Record<AreaFamily, string>> = {
  station: 'M10 1 19 9H17V19H3V9H1ZM8 19H12V12H8Z',
  place: 'M10 2A8 8 0 1 1 10 18A8 8 0 1 1 10 2ZM10 7A3 3 0 1 0 10 13A3 3 0 1 0 10 7Z',
  exclusion: 'M10 1A9 9 0 1 1 10 19A9 9 0 1 1 10 1ZM4.5 8.2V11.8H15.5V8.2Z',
  slow: 'M10 1 19.5 18.5H.5ZM9 7V12.5H11V7ZM9 14V16H11V14Z',
};
