import type { FeatureCollection } from 'geojson';
import type { LatLng, LatLngBounds } from './types';

const RAD = Math.PI / 180;
export const EARTH_M = 6371008.8;
const PER_TURN = 1 / 360;

/** Longitude to web mercator x, 0…1 from west to east. */
export const mercatorX = (lng: number): number => lng * PER_TURN + 0.5;

/** Latitude to web mercator y, 0…1 from north to south. */
export function mercatorY(lat: number): number {
  const sin = Math.sin(lat * RAD);
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
}

/** Up to this far from the origin the series is used; its error there is below 1e-9 of the world. */
const SERIES_WITHIN_DEG = 1.5;

/**
 * mercatorY relative to that of an origin, for many latitudes: near the origin by
 * its Taylor series (four terms, no logarithm), farther away exactly.
 */
export class MercatorSeries {
  readonly #lat: number;
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  readonly #d: number;

  constructor(originLat: number) {
    const sec = 1 / Math.cos(originLat * RAD);
    const tan = Math.tan(originLat * RAD);
    const scale = -1 / (2 * Math.PI);
    this.#lat = originLat;
    this.#a = scale * sec * RAD;
    this.#b = (scale * sec * tan * RAD ** 2) / 2;
    this.#c = (scale * (sec * tan ** 2 + sec ** 3) * RAD ** 3) / 6;
    this.#d = (scale * (sec * tan ** 3 + 5 * sec ** 3 * tan) * RAD ** 4) / 24;
  }

  /** Web mercator y of a latitude minus that of the origin. */
  y(lat: number): number {
    const x = lat - this.#lat;
    if (Math.abs(x) > SERIES_WITHIN_DEG) return mercatorY(lat) - mercatorY(this.#lat);
    return x * (this.#a + x * (this.#b + x * (this.#c + x * this.#d)));
  }
}

/** Difference of longitudes the short way round, -180…180. */
export function lngDelta(to: number, from: number): number {
  const delta = to - from;
  if (delta > 180) return delta - 360;
  return delta < -180 ? delta + 360 : delta;
}

/** The place itself, of one that was seen in a copy of the world beside it. */
export const onEarth = ({ lat, lng }: LatLng): LatLng => ({ lat, lng: lng - 360 * Math.round(lng / 360) });

/** Meters between near places (equirectangular; exact enough below some kilometers). */
export function nearMeters(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const x = lngDelta(lng2, lng1) * Math.cos(((lat1 + lat2) / 2) * RAD);
  const y = lat2 - lat1;
  return Math.sqrt(x * x + y * y) * RAD * EARTH_M;
}

/** The smallest box around the places; null for none. Does not cross the antimeridian. */
export function boundsOf(places: Iterable<LatLng>): LatLngBounds | null {
  let south = Infinity;
  let west = Infinity;
  let north = -Infinity;
  let east = -Infinity;
  for (const { lat, lng } of places) {
    if (lat < south) south = lat;
    if (lat > north) north = lat;
    if (lng < west) west = lng;
    if (lng > east) east = lng;
  }
  return south <= north ? { south, west, north, east } : null;
}

/** Grows a box by a share of its size on every side; latitudes stay on the mercator map. */
export function growBounds(bounds: LatLngBounds, share: number): LatLngBounds {
  const dLat = (bounds.north - bounds.south) * share;
  const dLng = (bounds.east - bounds.west) * share;
  return {
    south: Math.max(-85.051129, bounds.south - dLat),
    west: bounds.west - dLng,
    north: Math.min(85.051129, bounds.north + dLat),
    east: bounds.east + dLng,
  };
}

export function containsBounds(outer: LatLngBounds, inner: LatLngBounds): boolean {
  return (
    inner.south >= outer.south && inner.north <= outer.north && inner.west >= outer.west && inner.east <= outer.east
  );
}

/** A line through the places, as GeoJSON. */
export function lineFeature(points: readonly LatLng[]): FeatureCollection {
  const coordinates = points.map(point => [point.lng, point.lat]);
  return {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry: { type: 'LineString', coordinates }, properties: {} }],
  };
}

const CIRCLE_SIDES_MIN = 24;
const CIRCLE_SIDES_MAX = 64;

/** The place so many meters east and north of another (equirectangular; for some kilometers). */
export function moved(from: LatLng, eastM: number, northM: number): LatLng {
  const lat = from.lat + northM / (RAD * EARTH_M);
  return { lat, lng: from.lng + eastM / (RAD * EARTH_M * Math.cos(from.lat * RAD)) };
}

/**
 * The sides of a circle: half a meter from it at most. Thousands of them are copied to the map's worker, and most are
 * stations of 100 m.
 */
const sidesOf = (radiusM: number): number =>
  Math.min(CIRCLE_SIDES_MAX, Math.max(CIRCLE_SIDES_MIN, 4 * Math.ceil((Math.PI * Math.sqrt(radiusM)) / 4)));

/** A circle on the ground as a closed ring of [longitude, latitude]. */
export function circleRing(center: LatLng, radiusM: number): [number, number][] {
  const sides = sidesOf(radiusM);
  return Array.from({ length: sides + 1 }, (_, i) => {
    const turn = (2 * Math.PI * (i % sides)) / sides;
    const { lat, lng } = moved(center, radiusM * Math.sin(turn), radiusM * Math.cos(turn));
    return [lng, lat];
  });
}

/** The place itself, or the one on the edge of a circle that is on the way to it. */
export function withinCircle(center: LatLng, radiusM: number, place: LatLng): LatLng {
  const away = nearMeters(center.lat, center.lng, place.lat, place.lng);
  if (away <= radiusM) return place;
  const share = radiusM / away;
  return {
    lat: center.lat + (place.lat - center.lat) * share,
    lng: center.lng + lngDelta(place.lng, center.lng) * share,
  };
}

/** CSS px that a meter takes on the map at a latitude and zoom (MapLibre's world is one tile of 512 px). */
export const pxPerMeter = (lat: number, zoom: number): number =>
  (512 * 2 ** zoom) / (2 * Math.PI * EARTH_M * Math.cos(lat * RAD));
