import { useQuery } from '@tanstack/react-query';
import { api, asFailure, type Schemas, texts } from '~/api';
import { useDebounced } from '~/lib/debounce';
import { nearMeters } from '~/map/geometry';
import type { SpeedUnit } from '~/model/format';

export type LatLng = Schemas['LatLng'];
export type Directions = Schemas['Directions'];

/** A hand that goes on drawing asks once. */
const SETTLED_MS = 250;

/** The line along the road through points, in the direction of traffic. Throws the client's failure. */
export const fetchDirections = (waypoints: readonly LatLng[], signal?: AbortSignal): Promise<Directions> =>
  api.data('POST /directions', { body: { waypoints: [...waypoints] }, signal });

/** The road at a place, followed for so many meters, the way round that is nearest to a heading in degrees. */
export const askAhead = (here: LatLng, heading: number, meters: number, signal?: AbortSignal): Promise<Directions> =>
  api.data('POST /directions', {
    body: { waypoints: [here], heading_deg: Math.round(turned(heading)), distance_m: meters },
    signal,
  });

/** The line that a text describes, or those that it may mean (`choice`, from 1, takes one); `near` is what is looked at. */
export const askDescribed = (
  text: string,
  near: LatLng | null,
  choice?: number,
  signal?: AbortSignal,
): Promise<Directions> =>
  api.data('POST /directions', { body: { text, ...(near && { near }), ...(choice && { choice }) }, signal });

/** Why no line was laid for a text: what was not understood, in the server's words. */
export const sayDescribed = (error: unknown): string => {
  const { fields } = asFailure(error);
  return fields.text ?? sayRoute(error);
};

/** The direction of the traffic of a way: as it was described, else as the line leads. */
export const directionIn = (way: Directions): string => way.direction || directionOf(way.route);

/** What a way fills in of a closure. */
export const FILLED = ['road_name', 'street_start', 'street_end', 'direction'] as const;
export type Filled = Record<(typeof FILLED)[number], string>;

/** Points as the map draws a line; null for what is none. */
export const lineOf = (points: readonly LatLng[]) =>
  points.length > 1 ? { type: 'LineString' as const, coordinates: points.map(({ lat, lng }) => [lng, lat]) } : null;

/** What the line through points is kept under, so that it is not asked for twice. */
export const directionsKey = (points: readonly LatLng[]) =>
  ['directions', JSON.stringify(points.map(({ lat, lng }) => ({ lat, lng })))] as const;

/** What the directions service says of a failure, or the catalog's words (requirements 8.geo). */
export function sayRoute(error: unknown): string {
  const { code, fields, message } = asFailure(error);
  return fields.waypoints ?? (code === 'directions_failed' && message ? message : texts.closure.routeFailure);
}

/** The line through points as they stand once the hand rests; `points` says what it goes through. */
export function useDirections(points: readonly LatLng[], isAsked: boolean) {
  const now = JSON.stringify(points);
  const key = useDebounced(now, SETTLED_MS);
  const settled = JSON.parse(key) as LatLng[];
  const query = useQuery({
    queryKey: directionsKey(settled),
    queryFn: ({ signal }) => fetchDirections(settled, signal),
    enabled: isAsked && key === now && settled.length > 1,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { points: settled, way: query.data, failure: query.error, retry: async () => (await query.refetch()).data };
}

const gap = (a: LatLng, b: LatLng): number => nearMeters(a.lat, a.lng, b.lat, b.lng);

export const metersAlong = (line: readonly LatLng[]): number =>
  line.slice(1).reduce((sum, to, i) => sum + gap(line[i] as LatLng, to), 0);

/** A way that is much longer than what was meant, both in meters, goes round the block. */
export const isDetour = (way: number, meant: number): boolean => way > 2 * meant + 150;

const M_PER_MILE = 1609.344;
const M_PER_FT = 0.3048;

/** "0.42 mi", "340 ft"; "1.2 km", "340 m". */
export function distanceText(meters: number, unit: SpeedUnit): string {
  if (unit === 'km/h') return meters < 1000 ? `${Math.round(meters)} m` : `${(meters / 1000).toFixed(1)} km`;
  return meters < M_PER_MILE / 10 ? `${Math.round(meters / M_PER_FT)} ft` : `${(meters / M_PER_MILE).toFixed(2)} mi`;
}

const RAD = Math.PI / 180;

/** Degrees from 0 to 360. */
export const turned = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** The direction from one place to another near it, in degrees. */
export function headingBetween(from: LatLng, to: LatLng): number {
  const east = (to.lng - from.lng) * Math.cos(((from.lat + to.lat) / 2) * RAD);
  return turned(Math.atan2(east, to.lat - from.lat) / RAD);
}

/** The direction that the traffic of a line goes: N, E, S or W; '' without one. */
export function directionOf(line: readonly LatLng[]): string {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || (first.lat === last.lat && first.lng === last.lng)) return '';
  return ['N', 'E', 'S', 'W'][Math.round(headingBetween(first, last) / 90) % 4] ?? '';
}

/** Of a road that is driven both ways: N and S, E and W. */
export const oppositeOf = (direction: string): string => ({ N: 'S', S: 'N', E: 'W', W: 'E' })[direction] ?? '';
