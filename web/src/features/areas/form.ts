import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { type Schemas, texts } from '~/api';
import { formatLatLng, parseLatLng, truncateCoordinate } from '~/lib/coordinates';
import { ADDRESS_FIELDS, type Address, isEmptyAddress } from '~/model/address';
import { AREA_TYPES, type Area, areaOfWire } from '~/model/area';
import { boxOf } from '~/model/areaShape';
import { addressCheck, addressRules, required, text } from '~/model/rules';
import { circleProblem, shapeProblem } from '~/model/shape';
import { type AreaGeometry, closedRing, ringAt, ringsIn } from './rings';

export const SHAPES = [
  { id: 'polygon', label: 'Polygon' },
  { id: 'line', label: 'Line' },
  { id: 'circle', label: 'Circle' },
] as const;
export type ShapeId = (typeof SHAPES)[number]['id'];

export const NAME_MAX = limits.text.name.value;
export const DESC_MAX = limits.text.description.value;
const { stationRadiusM } = limits.area;

const POSITION = texts.area.position;
export const typeById = (id: string) => AREA_TYPES.find(type => type.id === id);

/** What is drawn of a polygon or line, as `area_geom` of the form has it: GeoJSON as a text, '' for nothing. */
export const geometryIn = (text: string): AreaGeometry | null =>
  text === '' ? null : (JSON.parse(text) as AreaGeometry);
export const geometryText = (geometry: AreaGeometry | null): string => (geometry ? JSON.stringify(geometry) : '');

/** The points of an outline as those of a line, and back; nothing where that would lose some of a shape, or be none. */
export function drawnAs(shape: ShapeId, text: string): string {
  const drawn = geometryIn(text);
  if (!drawn || shape === 'circle') return text;
  if (drawn.type === 'LineString') {
    if (shape === 'line') return text;
    const { coordinates } = drawn;
    return coordinates.length < 3 ? '' : geometryText({ type: 'Polygon', coordinates: [closedRing(coordinates)] });
  }
  if (shape === 'polygon') return text;
  const [ring, ...others] = ringsIn(drawn);
  if (!ring || others.length > 0) return '';
  return geometryText({ type: 'LineString', coordinates: ringAt(drawn, ring).slice(0, -1) });
}

/** The shape of a type whose shape nobody has drawn: what is not excluded is a circle of 100 m. */
export const shapeFor = (typeId: string): ShapeId => (typeById(typeId)?.isExclusion ? 'polygon' : 'circle');

/** Whether there is nothing yet of the shape that is chosen. */
export const isUndrawn = ({ shape, point_geom, area_geom }: Pick<AreaDraft, 'shape' | 'point_geom' | 'area_geom'>) =>
  (shape === 'circle' ? point_geom : area_geom) === '';

/** The shape that a draft says, if it says one. */
function shapeOf({ shape, point_geom, radius_dist, area_geom }: AreaDraft) {
  if (shape === 'circle') {
    const at = parseLatLng(point_geom);
    return at && { ...at, radius_dist: Number(radius_dist), area_geom: null };
  }
  const geometry = geometryIn(area_geom);
  const at = geometry && middleOf(geometry);
  return at && { ...at, radius_dist: 0, area_geom: geometry };
}

/** Where the marker of a draft stands, as far as something is drawn. */
export function markerOf(form: AreaDraft): { lat: number; lng: number } | null {
  const shape = isUndrawn(form) ? null : shapeOf(form);
  return shape && { lat: shape.lat, lng: shape.lng };
}

/** Where the marker of a shape stands: in the middle of its box, cut to what is kept of a place. */
function middleOf(geometry: AreaGeometry) {
  const shape = { lat: 0, lng: 0, radius_dist: 0, area_geom: geometry as unknown as Record<string, unknown> };
  const [west, south, east, north] = boxOf(shape);
  const middle = (a: number, b: number) => Number(truncateCoordinate((a + b) / 2));
  return { lat: middle(south, north), lng: middle(west, east) };
}

const areaFields = z.object({
  name: z.string().check(z.trim(), required, z.maxLength(NAME_MAX, `${NAME_MAX} Max Characters`)),
  ez_type_id: z.string().check(required),
  desc: text(DESC_MAX),
  is_active: z.boolean(),
  shape: z.enum(['polygon', 'line', 'circle']),
  point_geom: z.string().check(z.trim()),
  radius_dist: z.string().check(z.trim()),
  area_geom: z.string(),
  ...addressRules,
});

export type AreaDraft = z.infer<typeof areaFields>;

/** The rules of an area (requirements 5.area), by the names of the wire. */
export const areaSchema = areaFields.check(
  addressCheck('optional'),
  z.check<AreaDraft>(context => {
    const [field, message] = shapeError(context.value) ?? [];
    if (field && message) context.issues.push({ code: 'custom', message, path: [field], input: context.value });
  }),
);

type ShapeError = readonly [field: 'point_geom' | 'radius_dist' | 'area_geom', message: string];

/** The field of the shape that is wrong, and why, by the law of shapes; null when all is well. */
export function shapeError(form: Omit<AreaDraft, 'name'>): ShapeError | null {
  const { shape, point_geom, radius_dist, area_geom, ez_type_id } = form;
  if (isUndrawn(form)) return [shape === 'circle' ? 'point_geom' : 'area_geom', POSITION];
  if (shape === 'circle') {
    const at = parseLatLng(point_geom);
    if (!at) return ['point_geom', POSITION];
    const problem = circleProblem({ lat: at.lat, lon: at.lng, radius_dist: Number(radius_dist) });
    return problem ? [problem.field, problem.message] : null;
  }
  const isExclusion = typeById(ez_type_id)?.isExclusion ?? false;
  const problem = shapeProblem(geometryIn(area_geom), isExclusion ? 'exclusion' : undefined);
  return problem ? ['area_geom', problem.message] : null;
}

/** What a new area begins with: an exclusion, without a shape (requirements 2.areas). */
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

/** What the edit of an area begins with, beside what its row calls alike. */
export function formOf(area: Area): Partial<AreaDraft> {
  const geometry = area.area_geom as unknown as AreaGeometry | null;
  return {
    ez_type_id: area.typeId,
    shape: !geometry ? 'circle' : geometry.type === 'LineString' ? 'line' : 'polygon',
    point_geom: geometry ? '' : formatLatLng(area),
    radius_dist: String(area.radius_dist || stationRadiusM.value),
    area_geom: geometryText(geometry),
    ...area.address,
  };
}

const SHAPE_FIELDS = ['shape', 'point_geom', 'radius_dist', 'area_geom'] as const;

/** What two people edit as one thing. */
export const AREA_PARTS = [SHAPE_FIELDS, ADDRESS_FIELDS] as const;

/**
 * The body of POST and PUT: what was changed; a shape as a whole. `had` is the address until now: where there was none
 * and is none, nothing of it is sent, because the server takes an address whole or not at all; one that was emptied is
 * sent as empty texts.
 */
export function writeOf(changes: Partial<AreaDraft>, form: AreaDraft, had?: Address): Schemas['AreaWrite'] {
  const { shape: _, point_geom, radius_dist, area_geom, ...said } = changes;
  const rest = isEmptyAddress(form) ? { ...withoutAddress(said), ...cleared(had) } : said;
  const isShape = SHAPE_FIELDS.some(field => field in changes);
  const drawn = isShape ? shapeOf(form) : null;
  if (!drawn) return rest;
  const { lat, lng, radius_dist: radius, area_geom: geometry } = drawn;
  return {
    ...rest,
    point_geom: { lat, lon: lng },
    area_geom: geometry as Record<string, unknown> | null,
    ...(geometry === null && { radius_dist: radius }),
  };
}

const withoutAddress = <Said extends object>(said: Said) =>
  Object.fromEntries(Object.entries(said).filter(([name]) => !(name in addressRules)));

/** An address that was there and is to be no more: its country goes with it. */
const cleared = (had?: Address) =>
  had && !isEmptyAddress(had) ? Object.fromEntries(Object.keys(addressRules).map(name => [name, ''])) : {};

/** The area as it stands now, of a refused save; undefined when the refusal shows something else. */
export const areaNow = (current: object): Area | undefined =>
  'ez_type' in current ? areaOfWire(current as Schemas['Area']) : undefined;
