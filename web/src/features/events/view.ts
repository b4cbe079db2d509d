import { useEffect } from 'react';
import { useStore } from '~/lib/store';
import type { Location } from '~/model/location';
import { type LocationFilter, USUAL_TIME } from '~/model/locationFilter';
import { createView } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export interface EventsView extends LocationFilter {
  /** how many screens of the section stand: while one does, the map shows what its list shows */
  screens: number;
  /** what the detail shows, which may be older than what the live picture holds */
  opened: Location | null;
  /** what the server has found of the search, which may be more than the live picture keeps */
  found: readonly Location[];
}

export const eventsView = createView<EventsView>(
  { time: USUAL_TIME, search: '', screens: 0, opened: null, found: [] },
  now => ({ screens: now.screens }),
);

export const useEventsView = <S>(select: (view: EventsView) => S): S => useStore(eventsView, select);

/** Changes a part of the view; what stays the same tells nobody. */
export function patchView(part: Partial<EventsView>): void {
  const now = eventsView.get();
  const isNew = Object.entries(part).some(([name, value]) => now[name as keyof EventsView] !== value);
  if (isNew) eventsView.set({ ...now, ...part });
}

/** While a screen of the section stands, the map shows what its list shows. */
export function useOnStage(): void {
  useEffect(() => {
    patchView({ screens: eventsView.get().screens + 1 });
    return () => patchView({ screens: eventsView.get().screens - 1 });
  }, []);
}
