import limits from '@catalog/limits.json';

interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

const DECIMALS = limits.map.coordinateDecimals.value;

/** Cuts a coordinate to 7 decimals, toward zero, without trailing zeros: 41.86231239 → "41.8623123". */
export function truncateCoordinate(degrees: number): string {
  // Through the decimal text: arithmetic (×1e7, floor) would turn 0.29 into 0.2899999.
  const [whole = '0', fraction = ''] = degrees.toFixed(12).split('.');
  const kept = fraction.slice(0, DECIMALS).replace(/0+$/, '');
  const text = kept === '' ? whole : `${whole}.${kept}`;
  return text === '-0' ? '0' : text;
}

/** "lat, lng" as it is copied and as the search box takes it. */
export function formatLatLng(place: LatLng): string {
  return `${truncateCoordinate(place.lat)}, ${truncateCoordinate(place.lng)}`;
}

const NUMBER = String.raw`\d{1,3}(?:\.\d+)?`;
/** Degrees, then minutes, then seconds, as far as they are said. */
const PART = String.raw`(\d{1,2}(?:[.,]\d+)?)`;
const ANGLE = String.raw`(\d{1,3}(?:[.,]\d+)?)(?:(?:\s*°\s*|\s+)${PART}(?:(?:\s*'\s*|\s+)${PART})?)?\s*[°'"]?`;
const BETWEEN = String.raw`\s*[,;]?\s*`;

const POINTED = new RegExp(String.raw`^([+-]?${NUMBER})°?(?:\s*[,;]\s*|\s+)([+-]?${NUMBER})°?$`);
const COMMAS = /^([+-]?\d{1,3},\d+)°?(?:\s*;\s*|\s+)([+-]?\d{1,3},\d+)°?$/;
const LETTERS_BEHIND = new RegExp(`^${ANGLE}\\s*([NSEW])${BETWEEN}${ANGLE}\\s*([NSEW])$`);
const LETTERS_BEFORE = new RegExp(`^([NSEW])\\s*${ANGLE}${BETWEEN}([NSEW])\\s*${ANGLE}$`);
const SIGNED = new RegExp(`^([+-]?)(?=\\d+\\s*°)${ANGLE}${BETWEEN}([+-]?)(?=\\d+\\s*°)${ANGLE}$`);

type Said = string | undefined;

/** What a number says, with a point or a comma before its decimals. */
const numberOf = (said: string) => Number(said.replace(',', '.'));

/** Degrees of an angle; NaN where a part that others follow has decimals, or there are 60 minutes or seconds. */
function degreesOf(degrees: Said, minutes: Said, seconds: Said): number {
  const parts = [degrees, minutes, seconds].filter(part => part !== undefined);
  const wrong = parts.some(
    (part, at) => (at > 0 && numberOf(part) >= 60) || (at < parts.length - 1 && !/^\d+$/.test(part)),
  );
  return wrong ? Number.NaN : parts.reduce((sum, part, at) => sum + numberOf(part) / 60 ** at, 0);
}

/** Two angles with the letters of their hemispheres, in either order. */
function lettered(one: string, a: number, other: string, b: number): [number, number] | null {
  const signed = (letter: string, degrees: number) => (letter === 'S' || letter === 'W' ? -degrees : degrees);
  const isLat = (letter: string) => letter === 'N' || letter === 'S';
  if (isLat(one) === isLat(other)) return null;
  const [first, second] = [signed(one, a), signed(other, b)];
  return isLat(one) ? [first, second] : [second, first];
}

function pairOf(text: string): [number, number] | null {
  const plain = POINTED.exec(text) ?? COMMAS.exec(text);
  if (plain) return [numberOf(plain[1] ?? ''), numberOf(plain[2] ?? '')];
  const behind = LETTERS_BEHIND.exec(text);
  if (behind) {
    const [, d, m, s, letter = '', d2, m2, s2, letter2 = ''] = behind;
    return lettered(letter, degreesOf(d, m, s), letter2, degreesOf(d2, m2, s2));
  }
  const before = LETTERS_BEFORE.exec(text);
  if (before) {
    const [, letter = '', d, m, s, letter2 = '', d2, m2, s2] = before;
    return lettered(letter, degreesOf(d, m, s), letter2, degreesOf(d2, m2, s2));
  }
  const signed = SIGNED.exec(text);
  if (!signed) return null;
  const [, sign, d, m, s, sign2, d2, m2, s2] = signed;
  return [degreesOf(d, m, s) * (sign === '-' ? -1 : 1), degreesOf(d2, m2, s2) * (sign2 === '-' ? -1 : 1)];
}

/** One way of writing for each sign that people and programs have for the same: minus, degrees, minutes, seconds. */
function plainly(text: string): string {
  const geo = /^\s*geo:([^;?]*)/i.exec(text);
  // RFC 5870: an altitude may follow, which says nothing of the place.
  const said = geo ? (geo[1] ?? '').split(',').slice(0, 2).join(',') : text;
  return said
    .replace(/[\u2212\u2010-\u2013]/g, '-')
    .replace(/[º˚]|deg(?:rees?)?/gi, '°')
    .replace(/''|[″“”]/g, '"')
    .replace(/[′’‘´`]/g, "'")
    .replace(/^\s*\(([^()]*)\)\s*$/, '$1')
    .trim()
    .toUpperCase();
}

/**
 * Reads a position as people copy it, latitude first unless letters say
 * otherwise: '39.7, -75.5', '39,7 -75,5', '39.7° N, 75.5° W', '39°44'41.4"N
 * 75°32'54.2"W', 'geo:39.7,-75.5'. null when it is not a place on earth.
 */
export function parseLatLng(text: string): LatLng | null {
  if (text.length > 100) return null;
  const pair = pairOf(plainly(text));
  if (!pair) return null;
  const [lat, lng] = pair;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
