import notoCyrillic400 from '@fontsource/noto-sans/files/noto-sans-cyrillic-400-normal.woff2?url';
import notoCyrillic500 from '@fontsource/noto-sans/files/noto-sans-cyrillic-500-normal.woff2?url';
import notoGreek400 from '@fontsource/noto-sans/files/noto-sans-greek-400-normal.woff2?url';
import notoGreek500 from '@fontsource/noto-sans/files/noto-sans-greek-500-normal.woff2?url';
import notoLatin400 from '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2?url';
import notoLatin500 from '@fontsource/noto-sans/files/noto-sans-latin-500-normal.woff2?url';
import notoLatin600 from '@fontsource/noto-sans/files/noto-sans-latin-600-normal.woff2?url';
import notoLatinExt400 from '@fontsource/noto-sans/files/noto-sans-latin-ext-400-normal.woff2?url';
import notoLatinExt500 from '@fontsource/noto-sans/files/noto-sans-latin-ext-500-normal.woff2?url';
import notoLatinExt600 from '@fontsource/noto-sans/files/noto-sans-latin-ext-600-normal.woff2?url';
import type { FontFacesSpecification } from 'maplibre-gl';
import { MEDIUM, REGULAR, SEMIBOLD } from './fontNames';

// The ranges of the files as their package's stylesheet states them.
const LATIN =
  'U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,U+2000-206F,U+20AC,U+2122,' +
  'U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const LATIN_EXT =
  'U+100-130,U+132-151,U+154-2BA,U+2BD-2C5,U+2C7-2CC,U+2CE-2D7,U+2DD-2FF,U+1D00-1DBF,U+1E00-1E9F,' +
  'U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';
const GREEK = 'U+370-377,U+37A-37F,U+384-38A,U+38C,U+38E-3A1,U+3A3-3FF';
const CYRILLIC = 'U+301,U+400-45F,U+490-491,U+4B0-4B1,U+2116';

function face(url: string, range: string, origin: string): { url: string; 'unicode-range': string[] } {
  return { url: new URL(url, origin).href, 'unicode-range': range.split(',') };
}

/** The style's `font-faces`: shipped files only, no glyph server. MapLibre wants absolute addresses. */
export function fontFaces(origin: string): FontFacesSpecification {
  return {
    [REGULAR]: [
      face(notoLatin400, LATIN, origin),
      face(notoLatinExt400, LATIN_EXT, origin),
      face(notoGreek400, GREEK, origin),
      face(notoCyrillic400, CYRILLIC, origin),
    ],
    [MEDIUM]: [
      face(notoLatin500, LATIN, origin),
      face(notoLatinExt500, LATIN_EXT, origin),
      face(notoGreek500, GREEK, origin),
      face(notoCyrillic500, CYRILLIC, origin),
    ],
    [SEMIBOLD]: [face(notoLatin600, LATIN, origin), face(notoLatinExt600, LATIN_EXT, origin)],
  };
}
