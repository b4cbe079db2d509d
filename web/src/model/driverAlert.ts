import limits from '@catalog/limits.json';
import type { Position } from 'geojson';
import { isObject } from '~/api';
import { type Instant, instantOf } from './instant';

/** What the stream of driver alerts carries, as a driver may be told of it. */
export interface DriverAlert {
  readonly id: string;
  readonly category: Category;
  /** "Fire truck on scene"; no more than 40 characters. */
  readonly what: string;
  readonly road: string;
  /** The direction of the traffic that is concerned, degrees; null: all directions. */
  readonly bearing: number | null;
  readonly expiresAt: Instant;
  /** Longitude first: one place, or a line in the direction of its traffic. */
  readonly line: readonly Position[];
}

export type Category = 'vehicle' | 'closure' | 'hazard';

/** What stands where a publisher says nothing of its own. */
const plain: Readonly<Record<Category, string>> = {
  vehicle: 'Emergency vehicle',
  closure: 'Road work',
  hazard: 'Hazard',
};

const MESSAGE = limits.alerts.messageText.value;
const ID = 200;
/** A line with more points is thinned: none is drawn here. */
const POINTS = 1000;

/** A feature of the stream; undefined for what is none, or cannot be shown for any time. */
export function driverAlertOf(wire: unknown): DriverAlert | undefined {
  if (!isObject(wire)) return undefined;
  const { id, properties, geometry } = wire as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '' || id.length > ID || !isObject(properties)) return undefined;
  const fields = properties as Readonly<Record<string, unknown>>;
  const expiresAt = typeof fields.expires_at === 'string' ? instantOf(fields.expires_at) : 0;
  const line = lineOf(geometry);
  if (expiresAt === 0 || !line) return undefined;
  const category = categoryOf(fields.category);
  return {
    id,
    category,
    what: whatOf(fields.message) || plain[category],
    road: typeof fields.road_name === 'string' ? fields.road_name.slice(0, 100) : '',
    bearing: bearingOf(fields.traffic_bearing),
    expiresAt,
    line,
  };
}

const categoryOf = (value: unknown): Category =>
  typeof value === 'string' && Object.hasOwn(plain, value) ? (value as Category) : 'hazard';

/** The publisher's words; that it is ahead or near is said by distance and arrow. */
const whatOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, MESSAGE)
        .replace(/[\s,]+(ahead|nearby)\.?$/i, '')
    : '';

const bearingOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? ((value % 360) + 360) % 360 : null;

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  value.length >= 2 &&
  Number.isFinite(value[0]) &&
  Number.isFinite(value[1]) &&
  Math.abs(value[0]) <= 180 &&
  Math.abs(value[1]) <= 90;

function lineOf(geometry: unknown): readonly Position[] | undefined {
  if (!isObject(geometry)) return undefined;
  const { type, coordinates } = geometry as Readonly<Record<string, unknown>>;
  if (type === 'Point') return isPosition(coordinates) ? [coordinates] : undefined;
  if (type !== 'LineString' || !Array.isArray(coordinates)) return undefined;
  if (coordinates.length < 2 || !coordinates.every(isPosition)) return undefined;
  const step = Math.ceil(coordinates.length / POINTS);
  return coordinates.filter((_, at) => at % step === 0 || at === coordinates.length - 1);
}
