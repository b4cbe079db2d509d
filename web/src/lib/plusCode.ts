/** Plus Codes (Open Location Code): a grid of 1/8000° (some 14 m) said in ten letters, in eleven with a finer one. */
const ALPHABET = '23456789CFGHJMPQRVWX';
const BEFORE_SIGN = 8;
const PAIRS = 10;
const MOST = 15;
const PER_DEGREE = 8000;
/** Rows and columns of the finer grids within one cell of ten letters: 5 and 4 a letter. */
const LAT_UNITS = PER_DEGREE * 5 ** 5;
const LNG_UNITS = PER_DEGREE * 4 ** 5;

interface Position {
  readonly lat: number;
  readonly lng: number;
}

const letter = (digit: number): string => ALPHABET.charAt(digit);

/** Whole cells; what a product of decimals lacks to one (16.179 × 25e6) is no part of the position. */
const cellsOf = (degrees: number, units: number): number => Math.floor(Math.round(degrees * units * 1e6) / 1e6);

/** The code of a position, of 10 letters (about 14 m) or 11 to 15 (3 m and finer). */
export function plusCode({ lat, lng }: Position, letters = PAIRS): string {
  const length = Math.min(MOST, Math.max(PAIRS, letters));
  let row = Math.min(cellsOf(lat, LAT_UNITS) + 90 * LAT_UNITS, 180 * LAT_UNITS - 1);
  let column = (cellsOf(lng, LNG_UNITS) + 180 * LNG_UNITS) % (360 * LNG_UNITS);
  let fine = '';
  for (let i = PAIRS; i < MOST; i++) {
    fine = letter((row % 5) * 4 + (column % 4)) + fine;
    row = Math.floor(row / 5);
    column = Math.floor(column / 4);
  }
  let code = '';
  for (let i = 0; i < PAIRS; i += 2) {
    code = letter(row % 20) + letter(column % 20) + code;
    row = Math.floor(row / 20);
    column = Math.floor(column / 20);
  }
  return `${code.slice(0, BEFORE_SIGN)}+${(code + fine).slice(BEFORE_SIGN, length)}`;
}

/** A code's letters, and how many are missing at its beginning (0 for a full one); null for what is no code. */
function lettersOf(text: string): { letters: string; missing: number } | null {
  const match = /^([2-9CFGHJMPQRVWX]*)(0*)\+([2-9CFGHJMPQRVWX]*)$/.exec(text.toUpperCase());
  if (!match) return null;
  const [, before = '', zeros = '', after = ''] = match;
  const length = before.length + zeros.length;
  if (length % 2 === 1 || length > BEFORE_SIGN || after.length === 1 || length + after.length === 0) return null;
  if (zeros && (length !== BEFORE_SIGN || before.length % 2 === 1 || before === '' || after !== '')) return null;
  const missing = BEFORE_SIGN - length;
  const letters = (before + after).slice(0, MOST - missing);
  const isOnEarth = ALPHABET.indexOf(letters.charAt(0)) <= 8 && ALPHABET.indexOf(letters.charAt(1)) <= 17;
  return missing > 0 || isOnEarth ? { letters, missing } : null;
}

/** The middle of a full code's cell. */
function middleOf(letters: string): { lat: number; lng: number } {
  let row = 0;
  let column = 0;
  let height = LAT_UNITS * 400;
  let width = LNG_UNITS * 400;
  for (let i = 0; i < letters.length; i++) {
    const digit = ALPHABET.indexOf(letters.charAt(i));
    if (i >= PAIRS) {
      height /= 5;
      width /= 4;
      row += Math.floor(digit / 4) * height;
      column += (digit % 4) * width;
    } else if (i % 2 === 0) {
      height /= 20;
      row += digit * height;
    } else {
      width /= 20;
      column += digit * width;
    }
  }
  const lat = Math.min(90, (row + height / 2) / LAT_UNITS - 90);
  return { lat, lng: (column + width / 2) / LNG_UNITS - 180 };
}

/**
 * The middle of a code's cell; of a short code ("PFV2+VJ") the one nearest to `near`. null for what is no code, and
 * for a short one without a place to be near to.
 */
export function readPlusCode(text: string, near: Position | null): { lat: number; lng: number } | null {
  const code = lettersOf(text);
  if (!code) return null;
  const { letters, missing } = code;
  if (missing === 0) return middleOf(letters);
  if (!near) return null;
  const found = middleOf(plusCode(near).replace('+', '').slice(0, missing) + letters);
  const step = 20 ** (2 - missing / 2); // degrees that the missing letters tell
  if (near.lat + step / 2 < found.lat && found.lat - step >= -90) found.lat -= step;
  else if (near.lat - step / 2 > found.lat && found.lat + step <= 90) found.lat += step;
  if (near.lng + step / 2 < found.lng) found.lng -= step;
  else if (near.lng - step / 2 > found.lng) found.lng += step;
  found.lng = ((found.lng + 540) % 360) - 180;
  return found;
}
