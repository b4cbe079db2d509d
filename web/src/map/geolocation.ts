import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';
import type { LatLng } from './types';

const texts = catalog.texts.geolocation;
const PERMISSION_DENIED = 1;

export type Located = { readonly place: LatLng } | { readonly failure: string };

/** The sentence for a failure (requirements 8.geo); code 1 is GeolocationPositionError.PERMISSION_DENIED. */
export function failureText(code: number | 'unsupported', name: string): string {
  if (code === 'unsupported') return texts.unsupported;
  return code === PERMISSION_DENIED ? texts.denied.replace('{name}', name) : texts.unavailable;
}

/** Asks the browser where the user is (time-out 10 s, a fix may be 30 s old); resolves always. */
export function locate(geolocation: Geolocation | undefined, name: string): Promise<Located> {
  if (!geolocation) return Promise.resolve({ failure: failureText('unsupported', name) });
  return new Promise(resolve => {
    geolocation.getCurrentPosition(
      ({ coords }) => resolve({ place: { lat: coords.latitude, lng: coords.longitude } }),
      ({ code }) => resolve({ failure: failureText(code, name) }),
      {
        enableHighAccuracy: true,
        timeout: limits.ui.geolocationTimeoutMs.value,
        maximumAge: limits.ui.geolocationMaxAgeMs.value,
      },
    );
  });
}
