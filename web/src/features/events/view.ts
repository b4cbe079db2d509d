import type { Location } from '~/model/location';
import { LOCATION_TIMES, type LocationFilter, USUAL_TIME } from '~/model/locationFilter';
import { choice, filteredView, searchText } from '~/section/filterAddress';
import { type OnStage, useScreenOf } from '~/section/view';

/** What is looked at right now in the section, beyond what every section has. */
export interface EventsView extends LocationFilter, OnStage {
  /** what the detail shows, which may be older than what the live picture holds */
  opened: Location | null;
  /** what the server has found of the search, which may be more than the live picture keeps */
  found: readonly Location[];
}

export const eventsSection = filteredView<EventsView>(
  { time: USUAL_TIME, search: '', screens: 0, opened: null, found: [] },
  { q: searchText, time: choice('time', LOCATION_TIMES, USUAL_TIME) },
  ({ screens }) => ({ screens }),
);
export const { view: eventsView, use: useEventsView, patch: patchView, follow } = eventsSection;

/** While a screen of the section stands, the map shows what its list shows. */
export const useOnStage = (): void => useScreenOf(eventsView);
