import { useMemo, useRef } from 'react';
import { useAtNow, useRows } from '~/live';
import type { Location } from '~/model/location';
import { type LocationFilter, passesLocation, recentFrom } from '~/model/locationFilter';
import { useWords } from '~/section/words';
import { useEventsView } from './view';

const MINUTE_MS = 60_000;

/** The rows that the filter shows at an instant (server time), in their order. */
export function shownEvents(rows: readonly Location[], filter: LocationFilter, now: number, timeZone: string) {
  const from = recentFrom(filter.time, now, timeZone);
  return rows.filter(row => passesLocation(row, filter.search, from));
}

/** The ids that the list shows, in order; another array only when they are others. What grows too old goes within a minute. */
export function useShownIds(): readonly string[] {
  const rows = useRows('location');
  const { timeZone } = useWords();
  const time = useEventsView(view => view.time);
  const search = useEventsView(view => view.search);
  const minute = useAtNow(now => Math.floor(now / MINUTE_MS) * MINUTE_MS);
  const before = useRef<readonly string[]>([]);
  return useMemo(() => {
    const ids = shownEvents(rows, { time, search }, minute, timeZone).map(row => row.id);
    const isSame = ids.length === before.current.length && ids.every((id, i) => id === before.current[i]);
    if (!isSame) before.current = ids;
    return before.current;
  }, [rows, time, search, minute, timeZone]);
}
