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

// Coordinates as people and programs write them. The server reads the same (internal/geo/coordinates.go);
// catalog/vectors/coordinates.json pins both.
const MOST = 200;
const DECIMAL = String.raw`([+-]?\d{1,3}(?:\.\d+)?)`;
const POINTED = String.raw`([+-]?\d{1,3}\.\d+)`;
const COMMAED = String.raw`([+-]?\d{1,3},\d+)`;
const PART = String.raw`(\d{1,2}(?:[.,]\d+)?)`;
/** Degrees, then minutes, then seconds, as far as they are said. */
const ANGLE = String.raw`(\d{1,3}(?:[.,]\d+)?)(?:(?:\s*[°:]\s*|\s+|-)${PART}(?:(?:\s*[':]\s*|\s+|-)${PART})?)?\s*[°'"]?`;
const MARKED = String.raw`(\d{1,3})\s*°(?:\s*${PART}(?:(?:\s*'\s*|\s+)${PART})?)?\s*['"]?`;
const BETWEEN = String.raw`\s*[,;]?\s*`;

/** Two numbers, latitude first. */
const PLAIN = [
  new RegExp(String.raw`^${DECIMAL}\s*°?(?:\s*[,;]\s*|\s+)${DECIMAL}\s*°?$`),
  // Decimal commas: the comma that parts the two has a blank or a sign behind it.
  new RegExp(String.raw`^${COMMAED}\s*°?(?:\s*[;/]\s*|\s*,\s+|\s+)${COMMAED}\s*°?$`),
  new RegExp(String.raw`^${COMMAED}\s*°?,([+-]\d{1,3},\d+)\s*°?$`),
  new RegExp(String.raw`^${POINTED}\s*/\s*${POINTED}$`),
  // ISO 6709.
  /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)\/?$/,
];
/** Where links have the place: a pin before what the map looks at. */
const LINKED = [
  new RegExp(`!3D${DECIMAL}!4D${DECIMAL}`),
  new RegExp(`[?&]MLAT=${DECIMAL}&MLON=${DECIMAL}`),
  new RegExp(String.raw`[?&](?:Q|QUERY|LL|DADDR|DESTINATION|COORDINATE)=(?:LOC:)?${DECIMAL},\+?${DECIMAL}`),
  new RegExp(String.raw`/MAPS/(?:SEARCH|PLACE)/${DECIMAL},\+?${DECIMAL}(?:[/?&#]|$)`),
  new RegExp(`[@]${DECIMAL},${DECIMAL}`),
  new RegExp(String.raw`#MAP=[\d.]+/${DECIMAL}/${DECIMAL}`),
];
const LETTERS_BEHIND = new RegExp(String.raw`^${ANGLE}\s*([NSEW])${BETWEEN}${ANGLE}\s*([NSEW])$`);
const LETTERS_BEFORE = new RegExp(String.raw`^([NSEW])\s*${ANGLE}${BETWEEN}([NSEW])\s*${ANGLE}$`);
const SIGNED = new RegExp(`^([+-]?)${MARKED}${BETWEEN}([+-]?)${MARKED}$`);
const WKT = new RegExp(
  String.raw`^(?:SRID=4326;)?\s*POINT\s*(?:Z?M?)\s*\(\s*${DECIMAL}\s+${DECIMAL}(?:\s+[\d.+-]+){0,2}\s*\)$`,
);
const LAT = String.raw`LAT(?:ITUDE)?\.?\s*[:=]?\s*`;
const LNG = String.raw`(?:LONG?(?:ITUDE)?|LNG)\.?\s*[:=]?\s*`;
const LAT_FIRST = new RegExp(String.raw`^${LAT}(.+?)\s*[,;&]?\s*${LNG}(.+)$`);
const LNG_FIRST = new RegExp(String.raw`^${LNG}(.+?)\s*[,;&]?\s*${LAT}(.+)$`);

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
  for (const pair of text.startsWith('HTTP') ? LINKED : PLAIN) {
    const [found, lat = '', lng = ''] = pair.exec(text) ?? [];
    if (found !== undefined) return [numberOf(lat), numberOf(lng)];
  }
  const point = WKT.exec(text);
  if (point) return [numberOf(point[2] ?? ''), numberOf(point[1] ?? '')];
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
  const said = text
    .replace(/[\u2212\u2010-\u2013]/g, '-')
    .replace(/[º˚]/g, '°')
    .replace(/[″“”]/g, '"')
    .replace(/[′’‘´`]/g, "'")
    .trim()
    .toUpperCase();
  // Android writes a pin as the search of a map that looks anywhere.
  const [, pin] = /^GEO:0,0\?(?:[^#]*&)?Q=(?:LOC:)?([^&(]*)/.exec(said) ?? [];
  if (pin !== undefined) return pin.replaceAll('%2C', ',').replaceAll('+', ' ').trim();
  const [, uri] = /^GEO:([^;?]*)/.exec(said) ?? [];
  // RFC 5870: an altitude may follow, which says nothing of the place.
  if (uri !== undefined) return uri.split(',').slice(0, 2).join(',');
  if (/^HTTPS?:\/\//.test(said)) return said.replaceAll('%2C', ',');
  const plain = said
    .replace(/[.,; ]+$/, '')
    .replace(/^[([{]([^()[\]{}]*)[)\]}]$/, '$1')
    .trim()
    .replaceAll("''", '"')
    .replace(/DEG(?:REES?)?\.?/g, '°')
    .replace(/MIN(?:UTES?)?\.?/g, "'")
    .replace(/SEC(?:ONDS?)?\.?/g, '"')
    .replace(/\b(?:NORTH|SOUTH|EAST|WEST)\b/g, word => word.charAt(0))
    .replace(/(\d)\s*D\s*(\d)/g, '$1°$2')
    .replace(/(°[\d.,]+)\s*M\s*(?:([\d.,]+)\s*S)?/g, (_, minutes, seconds) =>
      seconds === undefined ? `${minutes}'` : `${minutes}'${seconds}"`,
    );
  const [, lat, lng] = LAT_FIRST.exec(plain) ?? [];
  if (lat !== undefined) return `${lat}; ${lng}`;
  const [, second, first] = LNG_FIRST.exec(plain) ?? [];
  return first === undefined ? plain : `${first}; ${second}`;
}

/**
 * Reads a position as people copy it, latitude first unless letters or labels say otherwise: '39.7, -75.5',
 * '39,7 -75,5', '39.7° N, 75.5° W', '39°44'41.4"N 75°32'54.2"W', 'geo:39.7,-75.5', or a link to a map. null when it is
 * not a place on earth.
 */
export function parseLatLng(text: string): LatLng | null {
  if ([...text].length > MOST) return null;
  const pair = pairOf(plainly(text));
  if (!pair) return null;
  const [lat, lng] = pair;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
