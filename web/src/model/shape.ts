import limits from '@catalog/limits.json';
import type { LineString, MultiPolygon, Polygon } from 'geojson';
import type { Schemas } from '~/api';
import { cornerAfter, isCrossed, type Ring, type Spot, turn } from './shapeSides';

/** What may stand in `area_geom`, longitude first; a circle has none. */
export type ShapeGeometry = Polygon | MultiPolygon | LineString;

/** A circle as the wire has it: `point_geom` and `radius_dist` in meters. */
export type Circle = Schemas['PointGeom'] & Pick<Schemas['Area'], 'radius_dist'>;

/** Why a shape is refused: the field and the sentence of the server. */
export interface ShapeProblem {
  field: 'area_geom' | 'point_geom' | 'radius_dist';
  message: string;
}

const EARTH_M = limits.area.sphereRadiusM.value;
const MAX_VERTICES = limits.area.maxVertices.value;
const MAX_ALTITUDE_M = limits.area.maxAltitudeM.value;
const RAD = Math.PI / 180;
const FIXED = 1e7;
const HALF_TURN = 180 * FIXED;

/** The largest closed shape, in square meters: half a square mile of 1609 m. */
export const MAX_SHAPE_M2 = limits.area.maxSquareMiles.value * limits.area.metersPerMile.value ** 2;
/** The radius of a circle, in meters. */
export const CIRCLE_MIN_M = limits.area.circleMinM.value;
export const CIRCLE_MAX_M = limits.area.circleMaxM.value;

const INVALID = 'Exclusion shape is invalid: ';
const TOO_LARGE = 'Polygon area is too large, please keep area under .5 square miles';
const TOO_FEW = 'Exclusions must have at least 3 points';
const UNREADABLE = `${INVALID}it must be a GeoJSON Polygon, MultiPolygon or LineString`;
const OFF_MAP = `${INVALID}a point is not on the map`;
const ALTITUDE = `${INVALID}an altitude must be from -${MAX_ALTITUDE_M} to ${MAX_ALTITUDE_M} meters`;
const TOO_MANY = `${INVALID}it has more than ${MAX_VERTICES} points`;
const OPEN = `${INVALID}a ring must end where it begins`;
const SHORT_LINE = `${INVALID}a line must have at least 2 points`;
const CROSSED = `${INVALID}its outline crosses or touches itself`;
const HOLE = `${INVALID}a hole must be inside its outline and outside other holes`;
const OVERLAP = `${INVALID}its parts overlap`;
const POLE = `${INVALID}it reaches a pole`;
const MERIDIAN = `${INVALID}it crosses the 180th meridian`;
const RADIUS = `The radius must be from ${CIRCLE_MIN_M} to ${CIRCLE_MAX_M} meters`;
const CENTER_OFF_MAP = 'The center is not on the map';

/** Degrees on the grid of stored positions; halves away from 0, as the server rounds. */
const onGrid = (deg: number): number => Math.sign(deg) * Math.round(Math.abs(deg * FIXED));
const isOnMap = (lat: number, lng: number): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180;

type Position = readonly [lng: number, lat: number, ...rest: number[]];

const listOf =
  <T>(one: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.every(one);
const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length >= 2 && value.length <= 4 && value.every(v => typeof v === 'number');
const isLine = listOf(isPosition);
const isPolygon = listOf(isLine);
const isMultiPolygon = listOf(isPolygon);

/** A shape as it was drawn or sent: rings on the grid, without repeats. */
interface Drawn {
  polygons: Ring[][];
  line: Spot[];
  isLine: boolean;
  isOpen: boolean;
  isHigh: boolean;
}

function spotsOf(positions: readonly Position[]): Spot[] {
  const out: Spot[] = [];
  for (const [lng, lat] of positions) {
    const spot = { x: onGrid(lng), y: onGrid(lat) };
    if (!same(out.at(-1), spot)) out.push(spot);
  }
  return out;
}

const same = (p: Spot | undefined, q: Spot | undefined): boolean => p?.x === q?.x && p?.y === q?.y;

/** Reads a geometry; a sentence when it is not to be judged further. */
function draw(geometry: unknown): Drawn | string {
  const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
  let polygons: Position[][][] = [];
  let line: Position[] = [];
  if (type === 'Polygon' && isPolygon(coordinates)) polygons = [coordinates];
  else if (type === 'MultiPolygon' && isMultiPolygon(coordinates)) polygons = coordinates;
  else if (type === 'LineString' && isLine(coordinates)) line = coordinates;
  else return UNREADABLE;
  const rings = polygons.flat();
  if (line.length + rings.reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0) > MAX_VERTICES) return TOO_MANY;
  if (![...rings, line].flat().every(([lng, lat]) => isOnMap(lat, lng))) return OFF_MAP;
  const isClosed = (ring: Position[]) => ring[0]?.[0] === ring.at(-1)?.[0] && ring[0]?.[1] === ring.at(-1)?.[1];
  return {
    polygons: polygons.map(one => one.map(ring => withoutEnd(spotsOf(ring)))),
    line: spotsOf(line),
    isLine: type === 'LineString',
    isOpen: !rings.every(isClosed),
    isHigh: [...rings, line].flat().some(([, , alt]) => Math.abs(alt ?? 0) > MAX_ALTITUDE_M),
  };
}

const withoutEnd = (spots: Spot[]): Spot[] =>
  spots.length > 1 && same(spots[0], spots.at(-1)) ? spots.slice(0, -1) : spots;

const hasThree = (ring: Ring): boolean => ring.some(p => !same(p, ring[0]) && !same(p, ring[1]));

/** Whether a ring, going the shorter way from corner to corner, goes all around the earth. */
function isAroundPole(ring: Ring): boolean {
  let sum = 0;
  for (const [i, p] of ring.entries()) {
    const d = cornerAfter(ring, i).x - p.x;
    sum += d > HALF_TURN ? d - 2 * HALF_TURN : d < -HALF_TURN ? d + 2 * HALF_TURN : d;
  }
  return sum !== 0;
}

/** Why the shape cannot be matched at all. */
function unplaced(drawn: Drawn): string | undefined {
  if (drawn.isLine && drawn.line.length < 2) return SHORT_LINE;
  if (!drawn.isLine && !drawn.polygons.length) return TOO_FEW;
  for (const rings of drawn.polygons) {
    if (!rings.length) return TOO_FEW;
    for (const ring of rings) {
      if (!hasThree(ring)) return TOO_FEW;
      if (isAroundPole(ring)) return POLE;
    }
  }
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const p of [...drawn.polygons.flat(2), ...drawn.line]) {
    if (Math.abs(p.y) === 90 * FIXED) return POLE;
    [west, east] = [Math.min(west, p.x), Math.max(east, p.x)];
  }
  return east - west >= HALF_TURN ? MERIDIAN : undefined;
}

/** Whether an edge is met by a ray from p to the east, or p lies on it. */
function meets(a: Spot, b: Spot, p: Spot): 'ray' | 'on' | undefined {
  const [south, north] = b.y < a.y ? [b, a] : [a, b];
  if (p.y < south.y || p.y > north.y) return undefined;
  const side = turn(south, north, p);
  if (side === 0 && p.x >= Math.min(a.x, b.x) && p.x <= Math.max(a.x, b.x)) return 'on';
  return side > 0 && p.y < north.y ? 'ray' : undefined;
}

/** Whether a spot lies inside of rings by the count of edges that a ray meets, or on one of them. */
function isWithin(rings: readonly Ring[], p: Spot): boolean {
  let inside = false;
  for (const ring of rings) {
    for (const [i, a] of ring.entries()) {
      const met = meets(a, cornerAfter(ring, i), p);
      if (met === 'on') return true;
      if (met) inside = !inside;
    }
  }
  return inside;
}

/** Looks at rings that do not meet: one corner tells where the whole ring lies. */
function misplaced(polygons: readonly Ring[][]): string | undefined {
  for (const rings of polygons) {
    const [outline, ...holes] = rings as [Ring, ...Ring[]];
    for (const hole of holes) {
      const corner = hole[0] as Spot;
      if (!isWithin([outline], corner)) return HOLE;
      if (holes.some(other => other !== hole && isWithin([other], corner))) return HOLE;
    }
    if (polygons.some(other => other !== rings && isWithin(other, outline[0] as Spot))) return OVERLAP;
  }
  return undefined;
}

/** The size of a ring of great circles: for each side the excess of the triangle with the pole. */
function ringM2(ring: Ring): number {
  let sum = 0;
  for (const [i, p] of ring.entries()) {
    const q = cornerAfter(ring, i);
    const [t1, t2] = [Math.tan((p.y / FIXED) * (RAD / 2)), Math.tan((q.y / FIXED) * (RAD / 2))];
    sum += Math.atan2(Math.tan(((q.x - p.x) / FIXED) * (RAD / 2)) * (t1 + t2), 1 + t1 * t2);
  }
  return Math.abs(2 * sum) * EARTH_M ** 2;
}

function drawnM2(drawn: Drawn): number {
  let m2 = 0;
  for (const rings of drawn.polygons) for (const [i, ring] of rings.entries()) m2 += i ? -ringM2(ring) : ringM2(ring);
  return m2;
}

function breach(drawn: Drawn): string | undefined {
  const sentence = unplaced(drawn) ?? (drawn.isOpen ? OPEN : drawn.isHigh ? ALTITUDE : undefined);
  if (sentence) return sentence;
  if (isCrossed(drawn.polygons.flat())) return CROSSED;
  return misplaced(drawn.polygons) ?? (drawnM2(drawn) > MAX_SHAPE_M2 ? TOO_LARGE : undefined);
}

/**
 * Why a drawn or imported geometry is refused, in the server's words (decisions, Geometry); undefined when it is
 * good. `exclusion`: it is for a type that is an exclusion, which a line cannot be.
 */
export function shapeProblem(geometry: unknown, exclusion?: 'exclusion'): ShapeProblem | undefined {
  const drawn = draw(geometry);
  const message =
    typeof drawn === 'string' ? drawn : (breach(drawn) ?? (exclusion && drawn.isLine ? TOO_FEW : undefined));
  return message === undefined ? undefined : { field: 'area_geom', message };
}

/** The size of a geometry in square meters on the sphere; 0 for a line and for what is no shape. */
export function shapeM2(geometry: ShapeGeometry): number {
  const drawn = draw(geometry);
  return typeof drawn === 'string' || unplaced(drawn) ? 0 : drawnM2(drawn);
}

/** Whether a position lies in the geometry or on its outline; a line contains nothing. */
export function shapeContains(geometry: ShapeGeometry, lat: number, lng: number): boolean {
  const drawn = draw(geometry);
  return typeof drawn !== 'string' && isWithin(drawn.polygons.flat(), { x: onGrid(lng), y: onGrid(lat) });
}

/** How far a circle reaches, in degrees of latitude, and east at the latitude where it is widest. */
function reachOf({ lat, radius_dist }: Circle): { north: number; east: number } {
  const north = radius_dist / (EARTH_M * RAD);
  return { north, east: Math.min(180, north / Math.cos(Math.min(90, Math.abs(lat) + north / 2) * RAD)) };
}

/** Why a circle is refused; undefined when it is good. */
export function circleProblem(circle: Circle): ShapeProblem | undefined {
  const { lat, lon, radius_dist } = circle;
  if (!(radius_dist >= CIRCLE_MIN_M && radius_dist <= CIRCLE_MAX_M)) return { field: 'radius_dist', message: RADIUS };
  if (!isOnMap(lat, lon)) return { field: 'point_geom', message: CENTER_OFF_MAP };
  const { north, east } = reachOf(circle);
  if (Math.abs(lat) + north >= 90) return { field: 'point_geom', message: POLE };
  return Math.abs(lon) + east > 180 ? { field: 'point_geom', message: MERIDIAN } : undefined;
}

/** The size of a circle in square meters on the sphere. */
export function circleM2(radiusM: number): number {
  return 4 * Math.PI * EARTH_M ** 2 * Math.sin(radiusM / EARTH_M / 2) ** 2;
}

/** Whether a position lies in a circle: flat at the middle latitude, as the server measures. */
export function circleContains({ lat, lon, radius_dist }: Circle, atLat: number, atLng: number): boolean {
  const [y, x] = [onGrid(atLat) / FIXED, onGrid(atLng) / FIXED];
  const turned = lon - x;
  const east = turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned;
  return Math.hypot(east * Math.cos(((lat + y) / 2) * RAD), lat - y) * (EARTH_M * RAD) <= radius_dist;
}
