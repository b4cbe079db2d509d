import limits from '@catalog/limits.json';
import { locate } from './geolocation';
import type { LatLng, MapState } from './types';

const ZOOM = limits.map.findMeZoom.value;

export interface FindMeHost {
  /** Brand shown in the geolocation text. */
  readonly name: string;
  state(): MapState;
  patch(change: Partial<MapState>): void;
  goTo(place: LatLng, zoom: number): void;
}

/** The find-me control: shows where the user is and goes there; the second time it takes that away. */
export function findMe({ name, state, patch, goTo }: FindMeHost): void {
  if (state().findMe === 'asking') return;
  if (state().findMe === 'on') {
    patch({ findMe: 'off', me: null });
    return;
  }
  patch({ findMe: 'asking' });
  void locate(navigator.geolocation, name).then(found => {
    if ('failure' in found) {
      patch({ findMe: 'off', notice: { code: 'geolocation', text: found.failure } });
      return;
    }
    patch({ findMe: 'on', me: found.place });
    goTo(found.place, ZOOM);
  });
}
