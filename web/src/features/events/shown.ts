import { useMemo } from 'react';
import { liveStore, useAtNow, useRows } from '~/live';
import type { Location } from '~/model/location';
import { type LocationFilter, passesLocation, recentFrom } from '~/model/locationFilter';
import { useSameIds } from '~/section/useSameIds';
import { useWords } from '~/section/words';
import { type EventsView, eventsView, useEventsView } from './view';

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

/** An event of the list: as it lives, else as the server has found it. */
export const listedEvent = (id: string): Location | undefined =>
  liveStore.of('location').get(id) ?? eventsView.get().found.find(row => row.id === id);

/** The ids that the list shows, in order; another array only when they are others. What grows too old goes within a minute. */
export function useShownIds(): readonly string[] {
  const rows = useRows('location');
  const { timeZone } = useWords();
  const time = useEventsView(view => view.time);
  const search = useEventsView(view => view.search);
  const found = useEventsView(view => view.found);
  const minute = useAtNow(now => Math.floor(now / MINUTE_MS) * MINUTE_MS);
  const ids = useMemo(
    () => shownEvents(rows, { time, search, found }, minute, timeZone).map(row => row.id),
    [rows, time, search, found, minute, timeZone],
  );
  return useSameIds(ids);
}
