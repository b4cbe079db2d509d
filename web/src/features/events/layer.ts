import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { locationLayer } from '~/map/layers/location';
import { isHiding } from '~/model/filter';
import type { Location } from '~/model/location';
import { type FoundRow, rowsHolding } from '~/section/find';
import type { MapNoun } from '~/section/map';
import type { SectionMap } from '~/section/section';
import { followSigns, signCache } from '~/section/signRows';
import { mapSwitches } from '~/section/view';
import { currentWords } from '~/section/words';
import { eventCard } from './cards';
import { EVENTS } from './paths';
import { SHOWN, shownEvents } from './shown';
import { eventsView } from './view';
import { nameOf, timeText, unitCount } from './words';

/** The live picture as the map needs it; tests give their own. */
export type EventStore = Pick<
  typeof liveStore,
  'subscribeBatches' | 'subscribeFilter' | 'isDisplayed' | 'getFilter' | 'thing' | 'of'
>;

/**
 * Events on the map. In their own section they are those of the list, and the one that is open; elsewhere the active
 * ones. One whose assets are all hidden there by search or filters would stand around nothing.
 */
export const eventsOn = (store: EventStore = liveStore): MapNoun => ({
  ...eventsAs(store, {}),
  behind: eventsAs(store, { quiet: true }),
});

const eventsAs = (store: EventStore, look: { readonly quiet?: true }): MapNoun => ({
  kind: locationLayer.kind,
  layer: locationLayer,
  stays: true,
  has: id => rowOf(store, id) !== undefined,
  path: EVENTS.detail,
  card: (id, now) => {
    const row = rowOf(store, id);
    return row ? eventCard(row, currentWords(), now) : null;
  },
  bind(map, changed) {
    const signs = signCache((row: Location, active) => ({
      id: row.id,
      lat: row.lat,
      lng: row.lng,
      active,
      units: unitCount(row),
      shapes: row.shapes,
      ...look,
    }));
    const read = () => rowsOnMap(store).map(row => signs(row, row.is_active));
    const follows = [
      (show: () => void) => store.subscribeBatches(() => isHiding(store.getFilter()) && show()),
      store.subscribeFilter,
      store.of('location').subscribe,
      mapSwitches.subscribe,
      eventsView.subscribe,
    ];
    return followSigns(map, locationLayer, read, changed, follows, () => SHOWN.turn([], serverClock.now()));
  },
});

/** What the section brings to the map. */
export const eventsOnMap: SectionMap = { nouns: [eventsOn()], showsLayers: true, find: findEvents };

/** Active events, by their street or id elsewhere. */
export function findEvents(search: string, store: Pick<EventStore, 'of'> = liveStore): readonly FoundRow[] {
  const words = currentWords();
  const now = serverClock.now();
  const active = store
    .of('location')
    .list()
    .filter(row => row.is_active);
  return rowsHolding(active, search, row => [row.street, row.external_id]).map(row => ({
    id: row.id,
    label: nameOf(row),
    hint: `${words.event} since ${timeText(row.start_time, words, now)}`,
    path: EVENTS.detail(row.id),
  }));
}

/** An event of the live picture, or an older one that is open or was found. */
function rowOf(store: EventStore, id: string): Location | undefined {
  const { opened, found } = eventsView.get();
  return store.of('location').get(id) ?? (opened?.id === id ? opened : found.find(row => row.id === id));
}

function rowsOnMap(store: EventStore): readonly Location[] {
  const view = eventsView.get();
  const rows = store.of('location').list();
  if (view.screens === 0) {
    return mapSwitches.get().showLocations ? rows.filter(row => row.is_active && !isEmpty(store, row)) : [];
  }
  const listed = shownEvents(rows, view, serverClock.now(), currentWords().timeZone);
  const open = view.opened && rowOf(store, view.opened.id);
  return open && !listed.includes(open) ? [...listed, open] : listed;
}

function isEmpty(store: EventStore, { things_active }: Location): boolean {
  const known = things_active.filter(t => store.thing(t.id)?.hasPosition);
  return known.length > 0 && !known.some(t => store.isDisplayed(t.id));
}
