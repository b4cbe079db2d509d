import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import type { DrawKind, Drawn, Draft as DrawnDraft } from '~/map/draw/shape';
import { type Feature, featureProblem } from '~/model/features';
import { required, text } from '~/model/rules';
import { type Zone, zoneOfWire } from '~/model/zone';
import { ZONE_TYPES } from './words';

export const DESCRIPTION_MAX = limits.text.description.value;
export const ALERT_MAX = limits.text.alertMessage.value;
export const ID_MAX = limits.zone.idText.value;
export const SHAPES_MAX = limits.zone.shapes.value;
const { expirySeconds, expirySecondsMin, expirySecondsMax } = limits.zone;
export const EXPIRY_HINT = `Seconds after the last alerting asset has left, from ${expirySecondsMin.value} to ${expirySecondsMax.value}`;

const tooLong = (max: number) => z.maxLength(max, `${max} Max Characters`);
const isExpiry = (typed: string) =>
  /^\d+$/.test(typed) && Number(typed) >= expirySecondsMin.value && Number(typed) <= expirySecondsMax.value;

/** The rules of a zone, by the names of the wire. `features`: its shapes as a text; null for one that nobody has drawn yet. */
export const zoneSchema = z.object({
  description: z.string().check(z.trim(), required, tooLong(DESCRIPTION_MAX)),
  alerting_zone_type_name: z.string().check(required),
  alert_message: z.string().check(z.trim(), tooLong(ALERT_MAX)),
  external_id: text(ID_MAX),
  default_expiry: z
    .string()
    .check(
      z.trim(),
      z.refine(isExpiry, `Must be a number from ${expirySecondsMin.value} to ${expirySecondsMax.value}`),
    ),
  features: z.string().check(
    z.check(context => {
      const message = shapesProblem(shapesIn(context.value));
      if (message) context.issues.push({ code: 'custom', message, input: context.value });
    }),
  ),
});

export type ZoneDraft = z.infer<typeof zoneSchema>;

/** The shapes of a draft; null for one that nobody has drawn yet. */
export const shapesIn = (said: string): (Feature | null)[] => JSON.parse(said) as (Feature | null)[];
export const shapesText = (shapes: readonly (Feature | null)[]): string => JSON.stringify(shapes);

/** Why the shapes cannot be saved. */
function shapesProblem(shapes: readonly (Feature | null)[]): string | undefined {
  const drawn = shapes.filter(shape => shape !== null);
  if (drawn.length === 0) return 'Draw the zone on the map.';
  const problems = shapes.map(shape => shape && featureProblem(shape));
  const index = problems.findIndex(Boolean);
  return index < 0 ? undefined : `${shapes.length > 1 ? `Shape ${index + 1}: ` : ''}${problems[index]}`;
}

/** What a new zone begins with: nothing drawn. */
export const newZone = (): ZoneDraft => ({
  description: '',
  alerting_zone_type_name: ZONE_TYPES[0]?.id ?? '',
  alert_message: '',
  external_id: '',
  default_expiry: String(expirySeconds.value),
  features: shapesText([null]),
});

/** What the edit of a zone begins with, beside what its row calls alike. */
export const formOf = (zone: Zone): Partial<ZoneDraft> => ({
  default_expiry: String(zone.expiryS),
  features: shapesText(zone.shapes),
});

/** The body of POST and PUT: what was changed. */
export function writeOf({ features, default_expiry, ...said }: Partial<ZoneDraft>): Schemas['ZoneWrite'] {
  const drawn = features === undefined ? null : shapesIn(features).filter(shape => shape !== null);
  return {
    ...said,
    ...(default_expiry !== undefined && { default_expiry: Number(default_expiry) }),
    ...(drawn && { features: { type: 'FeatureCollection', features: drawn } }),
  };
}

/** The zone as it stands now, of a refused save; undefined when the refusal shows something else. */
export const zoneNow = (current: object): Zone | undefined =>
  'alerting_zone_type_name' in current ? zoneOfWire(current as Schemas['Zone']) : undefined;

/** How a shape is drawn; `kept`: it has a hole, and stays as it is. */
export function kindOf(shape: Feature | null | undefined): DrawKind | 'kept' | null {
  if (!shape) return null;
  const { type, coordinates } = shape.geometry;
  if (type === 'Point') return 'circle';
  if (type === 'LineString') return 'line';
  return coordinates.length === 1 ? 'polygon' : 'kept';
}

/** A shape as it is drawn. */
export function drawnOf(shape: Feature | null | undefined): Drawn | null {
  if (!shape) return null;
  const { geometry, properties } = shape;
  if (geometry.type !== 'Point') return geometry;
  const [lng = 0, lat = 0] = geometry.coordinates;
  return { type: 'Circle', center: { lat, lng }, radiusM: properties.radius_dist ?? 0 };
}

const whole = (geometry: Feature['geometry'], properties: Feature['properties'] = {}): Feature => ({
  type: 'Feature',
  geometry,
  properties,
});

/** What has been drawn as a shape. */
export const featureDrawn = (drawn: Drawn): Feature =>
  drawn.type === 'Circle'
    ? whole({ type: 'Point', coordinates: [drawn.center.lng, drawn.center.lat] }, { radius_dist: drawn.radiusM })
    : whole(drawn as Feature['geometry']);

/** What is drawn as a shape, also while it has too few points; null for nothing. */
export function shapeDrawn(kind: DrawKind, { points, radiusM }: DrawnDraft): Feature | null {
  const positions = points.map(({ lat, lng }) => [lng, lat]);
  const [first] = positions;
  if (!first) return null;
  if (kind === 'circle') return whole({ type: 'Point', coordinates: first }, { radius_dist: radiusM });
  if (kind === 'line') return whole({ type: 'LineString', coordinates: positions });
  return whole({ type: 'Polygon', coordinates: [[...positions, first]] });
}

/** The points of an outline as those of a line, and back; null where they are none of the other kind. */
export function shapeAs(kind: DrawKind, shape: Feature | null | undefined): Feature | null {
  const drawn = drawnOf(shape);
  if (!drawn || drawn.type === 'Circle' || kind === 'circle') return null;
  const positions = drawn.type === 'LineString' ? drawn.coordinates : (drawn.coordinates[0] ?? []).slice(0, -1);
  const points = positions.map(([lng = 0, lat = 0]) => ({ lat, lng }));
  return kind === 'polygon' && points.length < 3 ? null : shapeDrawn(kind, { points, radiusM: 0, isClosed: true });
}
