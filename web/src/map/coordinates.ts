import { formatLatLng, truncateCoordinate } from '~/lib/coordinates';
import type { LatLng } from './types';

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
const appleLink = (place: LatLng): string => `https://maps.apple.com/?daddr=${encodeURIComponent(pair(place))}`;

/** The ways to a place: each opens in a new tab, or in its app on a phone. */
export const waysTo = (place: LatLng): readonly { name: string; href: string; label: string }[] =>
  [
    { name: 'Google Maps', href: navigationLink(place) },
    { name: 'Waze', href: wazeLink(place) },
    { name: 'Apple Maps', href: appleLink(place) },
  ].map(way => ({ ...way, label: `Go to ${formatLatLng(place)} with ${way.name}` }));
