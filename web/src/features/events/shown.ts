import type { Location } from '~/model/location';
import { type LocationFilter, passesLocation, recentFrom } from '~/model/locationFilter';
import type { Listing } from '~/section/listing';
import { type EventsView, eventsSection } from './view';

const MINUTE_MS = 60_000;

/**
 * The rows that the filter shows at an instant (server time), in their order: those of the live picture, then what the
 * server has found beyond them.
 */
export function shownEvents(
  rows: readonly Location[],
  { time, search, found }: LocationFilter & Pick<EventsView, 'found'>,
  now: number,
  timeZone: string,
) {
  const from = recentFrom(time, now, timeZone);
  const kept = new Set(found.length > 0 ? rows.map(row => row.id) : []);
  const all = found.length > 0 ? [...rows, ...found.filter(row => !kept.has(row.id))] : rows;
  return all.filter(row => passesLocation(row, search, from));
}

/** The events that the section shows. What grows too old goes within a minute. */
export const SHOWN: Listing<'location', EventsView> = {
  type: 'location',
  section: eventsSection,
  ids: (rows, view, now, timeZone) => shownEvents(rows, view, now, timeZone).map(row => row.id),
  turn: (_, now) => String(Math.floor(now / MINUTE_MS)),
  beyond: ({ found }) => found,
};
