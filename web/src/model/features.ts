import type { Schemas } from '~/api';
import { type Box, boxOf, contains, type LatLng, type Shape } from './areaShape';
import { circleProblem, shapeProblem } from './shape';

export type Feature = Schemas['Feature'];

/** A shape of a zone or hazard as the geometry of areas has it: a point is a circle, without a radius a place. */
export function shapeOf({ geometry, properties }: Feature): Shape {
  if (geometry.type !== 'Point') return { lat: 0, lng: 0, radius_dist: 0, area_geom: geometry as Shape['area_geom'] };
  const [lng = 0, lat = 0] = geometry.coordinates;
  return { lat, lng, radius_dist: properties.radius_dist ?? 0, area_geom: null };
}

/** West, south, east and north of shapes; at least one. */
export function boxAround(features: readonly Feature[]): Box {
  const boxes = features.map(feature => boxOf(shapeOf(feature)));
  const most = (side: 0 | 1 | 2 | 3, pick: (...values: number[]) => number) => pick(...boxes.map(box => box[side]));
  return [most(0, Math.min), most(1, Math.min), most(2, Math.max), most(3, Math.max)];
}

/** The middle of shapes: where their marker stands. */
export function middleOf(features: readonly Feature[]): LatLng {
  const [west, south, east, north] = boxAround(features);
  return { lat: (south + north) / 2, lng: (west + east) / 2 };
}

/** Whether a place is in one of the shapes. */
export const isWithin = (features: readonly Feature[], at: LatLng): boolean =>
  features.some(feature => contains(shapeOf(feature), at));

/** Why a shape is refused: the law of areas holds for it too. undefined when it is well. */
export function featureProblem(feature: Feature): string | undefined {
  const { lat, lng, radius_dist: radius, area_geom: geometry } = shapeOf(feature);
  const problem = geometry ? shapeProblem(geometry) : circleProblem({ lat, lon: lng, radius_dist: radius });
  return problem?.message.replace(/^Exclusion shape is invalid/, 'Zone shape is invalid');
}
