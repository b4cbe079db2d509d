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

/**
 * Reads 'lat, lng' (a comma, a semicolon or white space between the numbers; a
 * pair of round brackets is forgiven). null when it is not a place on earth.
 */
export function parseLatLng(text: string): LatLng | null {
  const match = /^\s*\(?\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*(?:[,;]\s*|\s+)([+-]?\d{1,3}(?:\.\d+)?)°?\s*\)?\s*$/.exec(text);
  if (!match) return null;
  const lat = Number(match[1]);
  const lng = Number(match[2]);
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
