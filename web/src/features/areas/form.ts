import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { type Schemas, texts } from '~/api';
import { formatLatLng, parseLatLng, truncateCoordinate } from '~/lib/coordinates';
import type { LatLng } from '~/map/types';
import { type Address, isEmptyAddress } from '~/model/address';
import { AREA_TYPES, type Area, areaOfWire } from '~/model/area';
import { boxOf, type Position, pointsOf } from '~/model/areaShape';
import { addressCheck, addressRules, required, text } from '~/model/rules';
import { circleProblem, shapeProblem } from '~/model/shape';

/** What somebody draws: a circle, or points that are typed or clicked. `kept`: a shape of several parts, which stays as it is. */
export const SHAPES = [
  { id: 'polygon', label: 'Polygon' },
  { id: 'line', label: 'Line' },
  { id: 'circle', label: 'Circle' },
] as const;
export type ShapeId = (typeof SHAPES)[number]['id'] | 'kept';

export const NAME_MAX = limits.text.name.value;
export const DESC_MAX = limits.text.description.value;
const { stationRadiusM } = limits.area;

const POSITION = texts.area.position;
export const typeById = (id: string) => AREA_TYPES.find(type => type.id === id);

/** The places of lines "lat, lng"; null where a line is none. */
export function placesOf(lines: string): LatLng[] | null {
  const all = lines
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(parseLatLng);
  return all.every(place => place !== null) ? all : null;
}

export const linesOf = (places: readonly LatLng[]): string => places.map(formatLatLng).join('\n');

/** The shape that a draft says, if it says one. */
export function shapeOf(form: Pick<AreaDraft, 'shape' | 'point_geom' | 'radius_dist' | 'area_geom'>) {
  const radius = Number(form.radius_dist);
  if (form.shape === 'circle') {
    const at = parseLatLng(form.point_geom);
    return at && radius > 0 ? { ...at, radius, geometry: null } : null;
  }
  const places = placesOf(form.area_geom) ?? [];
  if (form.shape === 'kept' || places.length < (form.shape === 'line' ? 2 : 3)) return null;
  const geometry = geometryOf(form.shape, places);
  const [west, south, east, north] = boxOf({ lat: 0, lng: 0, radius: 0, geometry });
  return { lat: middle(south, north), lng: middle(west, east), radius: 0, geometry };
}

/** Cut to what is kept of a place, some centimeters. */
const middle = (a: number, b: number) => Number(truncateCoordinate((a + b) / 2));

function geometryOf(shape: 'polygon' | 'line', places: readonly LatLng[]): Record<string, unknown> {
  const points = places.map(({ lat, lng }): Position => [lng, lat]);
  if (shape === 'line') return { type: 'LineString', coordinates: points };
  return { type: 'Polygon', coordinates: [[...points, ...points.slice(0, 1)]] };
}

const areaFields = z.object({
  name: z.string().check(z.trim(), required, z.maxLength(NAME_MAX, `${NAME_MAX} Max Characters`)),
  ez_type_id: z.string().check(required),
  desc: text(DESC_MAX),
  is_active: z.boolean(),
  shape: z.enum(['polygon', 'line', 'circle', 'kept']),
  point_geom: z.string().check(z.trim()),
  radius_dist: z.string().check(z.trim()),
  area_geom: z.string(),
  ...addressRules,
});

export type AreaDraft = z.infer<typeof areaFields>;

/** The rules of an area (specification section 5, Area), by the names of the wire. */
export const areaSchema = areaFields.check(
  addressCheck('optional'),
  z.check<AreaDraft>(context => {
    const [field, message] = shapeError(context.value) ?? [];
    if (field && message) context.issues.push({ code: 'custom', message, path: [field], input: context.value });
  }),
);

type ShapeError = readonly [field: 'point_geom' | 'radius_dist' | 'area_geom', message: string];

/** The field of the shape that is wrong, and why, by the law of shapes. */
function shapeError(form: AreaDraft): ShapeError | null {
  const { shape, point_geom, radius_dist, area_geom, ez_type_id } = form;
  if (shape === 'kept') return null;
  if (shape === 'circle') {
    const at = parseLatLng(point_geom);
    if (!at) return ['point_geom', POSITION];
    const problem = circleProblem({ lat: at.lat, lon: at.lng, radius_dist: Number(radius_dist) });
    return problem ? [problem.field, problem.message] : null;
  }
  const places = placesOf(area_geom);
  if (!places) return ['area_geom', 'Each line is a point: latitude, longitude'];
  if (places.length === 0) return ['area_geom', POSITION];
  const isExclusion = typeById(ez_type_id)?.isExclusion ?? false;
  const problem = shapeProblem(geometryOf(shape, places), isExclusion ? 'exclusion' : undefined);
  return problem ? ['area_geom', problem.message] : null;
}

/** What a new area begins with: an exclusion, without a shape (specification section 2, Areas). */
export const newArea = (countryCode: string): AreaDraft => ({
  name: '',
  ez_type_id: AREA_TYPES.find(type => type.name === 'no_enter')?.id ?? '',
  desc: '',
  is_active: true,
  shape: 'polygon',
  point_geom: '',
  radius_dist: String(stationRadiusM.value),
  area_geom: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  postal_code: '',
  country_code: countryCode,
});

/** What the edit of an area begins with. */
export function formOf(area: Area): AreaDraft {
  const { type, coordinates } = (area.geometry ?? {}) as { type?: string; coordinates?: unknown[] };
  const isOne = type === 'Polygon' && coordinates?.length === 1;
  const shape = !type ? 'circle' : isOne ? 'polygon' : type === 'LineString' ? 'line' : 'kept';
  const points = area.geometry && shape !== 'kept' ? pointsOf(area) : [];
  const open = isOne ? points.slice(0, -1) : points;
  return {
    name: area.name,
    ez_type_id: area.typeId,
    desc: area.desc,
    is_active: area.isActive,
    shape,
    point_geom: formatLatLng(area),
    radius_dist: String(area.radius || stationRadiusM.value),
    area_geom: linesOf(open.map(([lng, lat]) => ({ lat, lng }))),
    ...area.address,
  };
}

const SHAPE_FIELDS = ['shape', 'point_geom', 'radius_dist', 'area_geom'] as const;

/**
 * The body of POST and PUT: what was changed; a shape as a whole. `had` is the address until now: where there was none
 * and is none, nothing of it is sent, because the server takes an address whole or not at all.
 */
export function writeOf(changes: Partial<AreaDraft>, form: AreaDraft, had?: Address): Schemas['AreaWrite'] {
  const { shape: _, point_geom, radius_dist, area_geom, ...said } = changes;
  const isWithout = isEmptyAddress(form) && (!had || isEmptyAddress(had));
  const rest = isWithout ? Object.fromEntries(Object.entries(said).filter(([name]) => !(name in addressRules))) : said;
  const isShape = SHAPE_FIELDS.some(field => field in changes) && form.shape !== 'kept';
  const drawn = isShape ? shapeOf(form) : null;
  if (!drawn) return rest;
  const { lat, lng, radius, geometry } = drawn;
  return {
    ...rest,
    point_geom: { lat, lon: lng },
    area_geom: geometry,
    ...(geometry === null && { radius_dist: radius }),
  };
}

/** The area as it stands now, of a refused save; undefined when the refusal shows something else. */
export const areaNow = (current: object): Area | undefined =>
  'ez_type' in current ? areaOfWire(current as Schemas['Area']) : undefined;
