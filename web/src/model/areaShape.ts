import limits from '@catalog/limits.json';
import type { Area } from './area';
import { circleContains, circleM2, type ShapeGeometry, shapeContains, shapeM2 } from './shape';

/** [longitude, latitude] in degrees. */
export type Position = readonly [number, number];

export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

const EARTH_M = limits.area.sphereRadiusM.value;
const RAD = Math.PI / 180;

export type Shape = Pick<Area, 'lat' | 'lng' | 'radius_dist' | 'area_geom'>;

/** Its points as they were drawn; of a circle the middle. */
export function pointsOf(shape: Shape): readonly Position[] {
  const { type, coordinates } = (shape.area_geom ?? {}) as { type?: string; coordinates?: unknown };
  if (type === 'LineString') return coordinates as Position[];
  if (type === 'Polygon') return (coordinates as Position[][]).flat();
  return type === 'MultiPolygon' ? (coordinates as Position[][][]).flat(2) : [[shape.lng, shape.lat]];
}

/** West, south, east and north of it. */
export type Box = readonly [west: number, south: number, east: number, north: number];

export function boxOf(shape: Shape): Box {
  const dLat = shape.area_geom ? 0 : shape.radius_dist / EARTH_M / RAD;
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

/** Whether a place is in it, or on its edge; nothing is in a line. */
export const contains = ({ lat, lng, radius_dist: radius, area_geom: geometry }: Shape, at: LatLng): boolean =>
  geometry
    ? shapeContains(geometry as unknown as ShapeGeometry, at.lat, at.lng)
    : circleContains({ lat, lon: lng, radius_dist: radius }, at.lat, at.lng);

/** Its size on the ground in square meters; a line has none. */
export const squareMeters = ({ radius_dist: radius, area_geom: geometry }: Shape): number =>
  geometry ? shapeM2(geometry as unknown as ShapeGeometry) : circleM2(radius);

/** Meters along a line. */
export function lengthMeters(shape: Shape): number {
  const points = pointsOf(shape).map(([lng, lat]) => ({ lng, lat }));
  return points.slice(1).reduce((sum, to, i) => sum + metersBetween(points[i] as LatLng, to), 0);
}
