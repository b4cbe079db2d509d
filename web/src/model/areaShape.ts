import type { Area } from './area';

/** [longitude, latitude] in degrees. */
export type Position = readonly [number, number];
type Ring = readonly Position[];

export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

const EARTH_M = 6371008.8;
const RAD = Math.PI / 180;

export type Shape = Pick<Area, 'lat' | 'lng' | 'radius' | 'geometry'>;

/** The polygons of a shape, each an outer ring and its holes; of a line and a circle none. */
function polygonsOf({ geometry }: Pick<Area, 'geometry'>): readonly (readonly Ring[])[] {
  const { type, coordinates } = (geometry ?? {}) as { type?: string; coordinates?: unknown };
  if (type === 'Polygon') return [coordinates as Ring[]];
  return type === 'MultiPolygon' ? (coordinates as Ring[][]) : [];
}

const ringsOf = (shape: Pick<Area, 'geometry'>): readonly Ring[] => polygonsOf(shape).flat();

/** Its points as they were drawn; of a circle the middle. */
export function pointsOf(shape: Shape): readonly Position[] {
  const { type, coordinates } = (shape.geometry ?? {}) as { type?: string; coordinates?: unknown };
  if (type === 'LineString') return coordinates as Position[];
  const rings = ringsOf(shape);
  return rings.length > 0 ? rings.flat() : [[shape.lng, shape.lat]];
}

/** West, south, east and north of it. */
export type Box = readonly [west: number, south: number, east: number, north: number];

export function boxOf(shape: Shape): Box {
  const dLat = shape.geometry ? 0 : shape.radius / EARTH_M / RAD;
  const dLng = dLat / Math.cos(shape.lat * RAD);
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lng, lat] of pointsOf(shape)) {
    west = Math.min(west, lng - dLng);
    east = Math.max(east, lng + dLng);
    south = Math.min(south, lat - dLat);
    north = Math.max(north, lat + dLat);
  }
  return [west, south, east, north];
}

/** Meters between near places. */
function metersBetween(a: LatLng, b: LatLng): number {
  const x = (b.lng - a.lng) * Math.cos(((a.lat + b.lat) / 2) * RAD);
  return Math.hypot(x, b.lat - a.lat) * RAD * EARTH_M;
}

/** Whether a place is in it: a circle's edge belongs to it, holes do not, and nothing is in a line. */
export function contains(shape: Shape, at: LatLng): boolean {
  if (!shape.geometry) return metersBetween(shape, at) <= shape.radius;
  let inside = false;
  for (const ring of ringsOf(shape)) {
    for (let i = 1; i < ring.length; i++) {
      const [lngA, latA] = ring[i - 1] as Position;
      const [lngB, latB] = ring[i] as Position;
      if (latA > at.lat === latB > at.lat) continue;
      if (at.lng < lngA + ((at.lat - latA) / (latB - latA)) * (lngB - lngA)) inside = !inside;
    }
  }
  return inside;
}

/** Its size on the ground in square meters; a line has none. */
export function squareMeters(shape: Shape): number {
  if (!shape.geometry) return Math.PI * shape.radius ** 2;
  return polygonsOf(shape).reduce((total, [outer = [], ...holes]) => {
    const taken = holes.reduce((sum, hole) => sum + ringSquareMeters(hole), 0);
    return total + ringSquareMeters(outer) - taken;
  }, 0);
}

function ringSquareMeters(ring: Ring): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [lngA, latA] = ring[i - 1] as Position;
    const [lngB, latB] = ring[i] as Position;
    sum += (lngB - lngA) * RAD * (2 + Math.sin(latA * RAD) + Math.sin(latB * RAD));
  }
  return Math.abs(sum * EARTH_M * EARTH_M) / 2;
}

/** Meters along a line. */
export function lengthMeters(shape: Shape): number {
  const points = pointsOf(shape).map(([lng, lat]) => ({ lng, lat }));
  return points.slice(1).reduce((sum, to, i) => sum + metersBetween(points[i] as LatLng, to), 0);
}
