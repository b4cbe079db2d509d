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
