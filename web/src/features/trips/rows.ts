import { dayStart } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import type { ThingTrips, Trip } from './wire';

/** A trip in the list, with the place of its asset among those that were asked for. */
export interface TripRowData {
  readonly key: string;
  readonly thingId: string;
  readonly index: number;
  readonly trip: Trip;
  readonly isRun: boolean;
  readonly start: Instant;
}

/** Both parts may hold anything: a slash in one of them must not make two keys the same. */
export const keyOf = (thingId: string, runId: string): string => `${thingId}/${runId}`;

/** The trips of all assets in one list, newest start first. */
export function tripRows(all: readonly ThingTrips[], order: readonly string[]): TripRowData[] {
  const rows = all.flatMap(({ thing_id, runs, other }) => {
    const row = (trip: Trip, isRun: boolean): TripRowData => ({
      key: keyOf(thing_id, trip.run_id),
      thingId: thing_id,
      index: order.indexOf(thing_id),
      trip,
      isRun,
      start: instantOf(trip.run_start),
    });
    return [...runs.map(trip => row(trip, true)), ...other.map(trip => row(trip, false))];
  });
  return rows.sort((a, b) => b.start - a.start || a.index - b.index);
}

/** The day that the trips below it began on. */
export interface DayRow {
  readonly key: string;
  readonly day: Instant;
}

/** What a key of the list stands for. */
export type ListRow = TripRowData | DayRow;

/** The rows with a head for each day, where there are several days. */
export function withDays(rows: readonly TripRowData[], timeZone: string): readonly ListRow[] {
  const days = new Map<Instant, TripRowData[]>();
  for (const row of rows) {
    const day = dayStart(row.start, timeZone);
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  if (days.size < 2) return rows;
  return [...days].flatMap(([day, some]) => [{ key: `day ${day}`, day }, ...some]);
}
