import limits from '@catalog/limits.json';
import type { LatLng } from './types';

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

const pair = (place: LatLng): string => `${truncateCoordinate(place.lat)},${truncateCoordinate(place.lng)}`;

/** Waze's documented deep link: shows the place and offers to navigate. */
export const wazeLink = (place: LatLng): string =>
  `https://waze.com/ul?ll=${encodeURIComponent(pair(place))}&navigate=yes`;

/** Google's documented Maps URL for a place. */
export const googleLink = (place: LatLng): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(pair(place))}`;

/** Google's documented Maps URL for directions from where the user is: the "Go" link of a location. */
export const navigationLink = (place: LatLng): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(pair(place))}`;

/** Apple's documented Maps URL for directions from where the user is. */
export const appleLink = (place: LatLng): string => `https://maps.apple.com/?daddr=${encodeURIComponent(pair(place))}`;
