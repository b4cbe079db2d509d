import { isBehind, isLoaded, liveStore, streamStore } from '~/live';
import { locationLayer } from '~/map/layers/location';
import type { MapControl } from '~/map/types';
import { isHiding } from '~/model/filter';
import type { Location } from '~/model/location';
import { currentOrganization, preferences } from '~/session';
import { cardSource } from './cards';
import { Trail } from './trail';
import { mapHolder, thingsView } from './view';

/** What the map is bound to; tests give their own. */
export interface LayerParts {
  store: Pick<
    typeof liveStore,
    | 'subscribeBatches'
    | 'subscribeFilter'
    | 'subscribeLocations'
    | 'fullBatch'
    | 'isDisplayed'
    | 'getLocations'
    | 'getFilter'
    | 'thing'
  >;
  stream: Pick<typeof streamStore, 'get' | 'subscribe'>;
  /** where the organization is at home; null when nobody has said it */
  home: () => { lat: number; lng: number } | null;
}

/** A town and what is around it. */
const HOME_ZOOM = 10;

function homeOf(): { lat: number; lng: number } | null {
  const { lat, lng } = currentOrganization();
  return lat !== null && lng !== null ? { lat, lng } : null;
}

/**
 * Feeds the map with the live picture: every batch as the store tells it, the filter as the set of displayed ids,
 * active locations, the words of the cards, the selection, and dimming while the stream is lost. Returns the way to
 * unbind. `openThing` navigates to an asset that was clicked on the map.
 */
export function bindMap(
  map: MapControl,
  openThing: (id: string) => void,
  parts: LayerParts = { store: liveStore, stream: streamStore, home: homeOf },
): () => void {
  const { store, stream, home } = parts;
  const trail = new Trail();

  const showFilter = () => {
    const { showAssets } = thingsView.get();
    map.assets.setFilter(showAssets ? store.isDisplayed : null);
  };
  let shownLocations: readonly Location[] = [];
  const showLocations = () => {
    shownLocations = thingsView.get().showLocations ? store.getLocations().filter(l => l.isActive && !isEmpty(l)) : [];
    map.setRows(
      locationLayer,
      shownLocations.map(l => ({ id: l.id, lat: l.lat, lng: l.lng, active: true })),
    );
  };
  /** The ring of an incident whose assets are all hidden by search or filters would stand around nothing. */
  const isEmpty = ({ thingsActive }: Location) => {
    const known = thingsActive.filter(t => store.thing(t.id)?.hasPosition);
    return known.length > 0 && !known.some(t => store.isDisplayed(t.id));
  };
  const checkLocations = () => {
    const before = new Set(shownLocations);
    const isSame = (l: Location) => before.has(l) === (l.isActive && !isEmpty(l));
    if (thingsView.get().showLocations && !store.getLocations().every(isSame)) showLocations();
  };
  const showStream = () => map.assets.setDimmed(isBehind(stream.get()));
  const showDensity = () => map.setDensity(preferences.get().densityView);

  let before = thingsView.get();
  const showView = () => {
    const view = thingsView.get();
    if (view.showAssets !== before.showAssets) showFilter();
    if (view.showLocations !== before.showLocations) showLocations();
    if (view.selected !== before.selected) {
      select(view.selected);
      map.setTrail(trail.start(view.selected, view.selected ? store.thing(view.selected) : undefined));
    }
    before = view;
  };

  // The first picture of an organization is shown whole, unless an asset is open: that one is panned to. A large one
  // comes in parts: when all are there it is shown whole again, unless somebody has moved the map meanwhile.
  let isFresh = true;
  let isPart = false;
  let rests = 0;
  const showWhole = () => {
    if (!isFresh || map.assets.size === 0) return;
    isFresh = false;
    isPart = !isLoaded(stream.get());
    rests = 0;
    // Of an asset that has no position there is no better view.
    if (thingsView.get().selected === null || awaited !== null) map.showAll();
  };
  // An organization without assets is at home somewhere as well.
  let isHome = false;
  const showHome = () => {
    if (!isFresh || isHome || !isLoaded(stream.get()) || map.assets.size > 0) return;
    const place = home();
    if (!place) return map.expectPlace(false);
    isHome = true;
    map.goTo(place, HOME_ZOOM);
  };
  const showRest = () => {
    showHome();
    if (stream.get().phase === 'failed') map.expectPlace(false);
    if (!isPart || !isLoaded(stream.get())) return;
    isPart = false;
    if (rests <= 1 && thingsView.get().selected === null) map.showAll();
  };

  map.expectPlace(true);
  showFilter();
  map.assets.apply(store.fullBatch());
  showLocations();
  showStream();
  showDensity();
  map.setCards(cardSource);
  // A deep link names an asset before its row has come: it is panned to when it does.
  let awaited: string | null = null;
  const select = (id: string | null) => {
    awaited = id !== null && !store.thing(id)?.hasPosition ? id : null;
    map.select(id, { pan: id !== null });
  };
  if (before.selected) select(before.selected);
  showWhole();
  showHome();

  const offs = [
    store.subscribeBatches(batch => {
      map.assets.apply(batch);
      if (isHiding(store.getFilter())) checkLocations();
      if (batch.reset) {
        isFresh = true;
        isHome = false;
      }
      showWhole();
      const points = trail.follow(batch);
      if (points) map.setTrail(points);
      if (awaited !== null && batch.upserted.indexOf(awaited) >= 0) select(awaited);
    }),
    store.subscribeFilter(() => {
      showFilter();
      checkLocations();
    }),
    store.subscribeLocations(showLocations),
    stream.subscribe(showStream),
    stream.subscribe(showRest),
    map.on('view', () => {
      rests++;
    }),
    preferences.subscribe(showDensity),
    thingsView.subscribe(showView),
    map.on('assetclick', ({ id }) => openThing(id)),
  ];
  mapHolder.set(map);
  return () => {
    for (const off of offs) off();
    map.setCards(null);
    mapHolder.set(null);
  };
}
