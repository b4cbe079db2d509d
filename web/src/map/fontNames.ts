/** What the fonts of the map are called; their files are in `fonts`. */
export const REGULAR = 'Noto Sans Regular';
export const MEDIUM = 'Noto Sans Medium';
export const SEMIBOLD = 'Noto Sans SemiBold';
