import limits from '@catalog/limits.json';
import type { LineString, Polygon, Position } from 'geojson';
import { EARTH_M, lngDelta, nearMeters } from '../geometry';
import type { LatLng } from '../types';

export type DrawKind = 'circle' | 'polygon' | 'line';

/** GeoJSON has no circle. */
export interface DrawnCircle {
  readonly type: 'Circle';
  readonly center: LatLng;
  /** meters on the ground */
  readonly radiusM: number;
}

/** What somebody has drawn. A polygon has one ring. */
export type Drawn = DrawnCircle | Polygon | LineString;

/** A shape while it is drawn: any number of points, also too few. */
export interface Draft {
  /** the vertices in order, a polygon's first one once; a circle's center alone */
  readonly points: readonly LatLng[];
  /** meters; 0 for what is no circle and for one whose edge is not set */
  readonly radiusM: number;
  /** The last vertex is set: from now on it is edited, not continued. */
  readonly isClosed: boolean;
}

export const NOTHING_DRAWN: Draft = { points: [], radiusM: 0, isClosed: false };

/** So many points make a shape. */
export const LEAST_POINTS: Readonly<Record<DrawKind, number>> = { circle: 1, polygon: 3, line: 2 };
/** A circle smaller than this is a place. */
export const LEAST_RADIUS_M = limits.area.circleMinM.value;

const RAD = Math.PI / 180;
/** A centimeter on the ground. */
const DECIMALS = 1e7;
const CIRCLE_STEPS = 64;

const rounded = (degrees: number): number => Math.round(degrees * DECIMALS) / DECIMALS;
/** As a place is kept: to a centimeter. */
export const kept = ({ lat, lng }: LatLng): LatLng => ({ lat: rounded(lat), lng: rounded(lng) });
export const positionOf = ({ lat, lng }: LatLng): Position => [lng, lat];
export const placeOf = ([lng = 0, lat = 0]: Position): LatLng => kept({ lat, lng });

/** Whether there is enough of it to be a shape. */
export function isWhole(kind: DrawKind, { points, radiusM }: Draft): boolean {
  return points.length >= LEAST_POINTS[kind] && (kind !== 'circle' || radiusM >= LEAST_RADIUS_M);
}

/** Begins with a shape. Throws on one of another kind, or with holes: those are not drawn here. */
export function draftOf(kind: DrawKind, drawn: Drawn | null): Draft {
  if (!drawn) return NOTHING_DRAWN;
  if (drawn.type === 'Circle' && kind === 'circle') {
    return { points: [kept(drawn.center)], radiusM: drawn.radiusM, isClosed: true };
  }
  if (drawn.type === 'Polygon' && kind === 'polygon' && drawn.coordinates.length === 1) {
    return { points: (drawn.coordinates[0] ?? []).slice(0, -1).map(placeOf), radiusM: 0, isClosed: true };
  }
  if (drawn.type === 'LineString' && kind === 'line') {
    return { points: drawn.coordinates.map(placeOf), radiusM: 0, isClosed: true };
  }
  throw new Error(`cannot draw a ${kind} that begins as this ${drawn.type}`);
}

/** What has been drawn; null until it is closed. */
export function drawnOf(kind: DrawKind, draft: Draft): Drawn | null {
  const [first] = draft.points;
  if (!draft.isClosed || !first) return null;
  if (kind === 'circle') return { type: 'Circle', center: first, radiusM: draft.radiusM };
  const coordinates = draft.points.map(positionOf);
  if (kind === 'line') return { type: 'LineString', coordinates };
  return { type: 'Polygon', coordinates: [[...coordinates, positionOf(first)]] };
}

/** The place so many meters north and east of another, on the sphere. */
export function offsetPlace({ lat, lng }: LatLng, northM: number, eastM: number): LatLng {
  const north = northM / EARTH_M / RAD;
  const east = eastM / (EARTH_M * Math.cos(lat * RAD)) / RAD;
  return kept({ lat: Math.max(-90, Math.min(90, lat + north)), lng: lngDelta(lng + east, 0) });
}

/** A circle as a ring that MapLibre can draw: closed, counterclockwise, from its eastern end. */
export function ringOf(center: LatLng, radiusM: number): Position[] {
  const along = radiusM / EARTH_M;
  const lat = center.lat * RAD;
  const ring = Array.from({ length: CIRCLE_STEPS }, (_, step): Position => {
    const bearing = Math.PI / 2 - (2 * Math.PI * step) / CIRCLE_STEPS;
    const toLat = Math.asin(Math.sin(lat) * Math.cos(along) + Math.cos(lat) * Math.sin(along) * Math.cos(bearing));
    const y = Math.sin(bearing) * Math.sin(along) * Math.cos(lat);
    const toLng = center.lng * RAD + Math.atan2(y, Math.cos(along) - Math.sin(lat) * Math.sin(toLat));
    return [toLng / RAD, toLat / RAD];
  });
  return [...ring, ring[0] as Position];
}

/** The mean of a ring's vertices. */
export function middleOf(ring: readonly Position[]): LatLng {
  const open = ring.slice(0, -1);
  const sum = (part: 0 | 1) => open.reduce((total, position) => total + (position[part] ?? 0), 0) / open.length;
  return { lat: sum(1), lng: sum(0) };
}

/** The radius of a ring around its center in meters, to a decimeter. */
export function radiusOf(center: LatLng, ring: readonly Position[]): number {
  const open = ring.slice(0, -1);
  const total = open.reduce((sum, [lng = 0, lat = 0]) => sum + nearMeters(center.lat, center.lng, lat, lng), 0);
  return Math.round((total / open.length) * 10) / 10;
}
