import type { FeatureCollection, Point } from 'geojson';
import { lngDelta } from './geometry';
import type { LatLng, MapLocation } from './types';

/** Radius of a location's circle at a zoom, as the overlay draws it (12 px at zoom 9 … 30 px at 14). */
export function locationRadiusPx(zoom: number): number {
  const share = Math.min(1, Math.max(0, (zoom - 9) / 5));
  return 12 + 18 * share;
}

/** The incidents on the map. */
export class Locations {
  #byId = new Map<string, MapLocation>();

  set(locations: readonly MapLocation[]): void {
    this.#byId = new Map(locations.map(location => [location.id, location]));
  }

  place(id: string): LatLng | null {
    const found = this.#byId.get(id);
    return found ? { lat: found.lat, lng: found.lng } : null;
  }

  places(): Iterable<LatLng> {
    return this.#byId.values();
  }

  /** The nearest location whose circle is under the place; active ones go first. */
  pick(place: LatLng, zoom: number, reachPx: number): string | null {
    const pxPerLng = (512 * 2 ** zoom) / 360;
    const pxPerLat = pxPerLng / Math.cos((place.lat * Math.PI) / 180);
    const radius = locationRadiusPx(zoom) + reachPx;
    let best: MapLocation | null = null;
    let bestPx = Number.POSITIVE_INFINITY;
    for (const location of this.#byId.values()) {
      const dx = lngDelta(location.lng, place.lng) * pxPerLng;
      const dy = (location.lat - place.lat) * pxPerLat;
      const px = Math.hypot(dx, dy);
      if (px > radius) continue;
      const wins =
        best === null || (location.active && !best.active) || (location.active === best.active && px < bestPx);
      if (!wins) continue;
      best = location;
      bestPx = px;
    }
    return best?.id ?? null;
  }

  /** `faint`: the picture is only "as of". */
  features(selected: string | null, faint = false): FeatureCollection<Point> {
    return {
      type: 'FeatureCollection',
      features: [...this.#byId.values()].map(({ id, lat, lng, active }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lng, lat] },
        properties: { id, active, selected: id === selected, faint },
      })),
    };
  }
}
