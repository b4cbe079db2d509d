import { liveStore } from '~/live';
import { locationLayer } from '~/map/layers/location';
import { isHiding } from '~/model/filter';
import type { Location } from '~/model/location';
import type { MapNoun } from '~/section/map';
import type { SectionMap } from '~/section/section';
import { selection } from '~/section/view';
import { currentWords } from '~/section/words';
import { assetCard, locationCard } from './cards';
import { HidingChip } from './HidingChip';
import { detailPath } from './paths';
import { Trail } from './trail';
import { thingsView } from './view';

/** The live picture as the map needs it; tests give their own. */
export type MapStore = Pick<
  typeof liveStore,
  'subscribeBatches' | 'subscribeFilter' | 'fullBatch' | 'isDisplayed' | 'getFilter' | 'thing' | 'of'
>;

/** Assets: every batch as the store tells it, the filter as the set of displayed ids, a trail behind the selected one. */
export const assetsOn = (store: MapStore = liveStore): MapNoun => ({
  kind: 'asset',
  stays: true,
  has: id => store.thing(id)?.hasPosition ?? false,
  path: detailPath,
  card: (id, now) => {
    const thing = store.thing(id);
    return thing ? assetCard(thing, currentWords(), now) : null;
  },
  bind(map, changed) {
    const trail = new Trail();
    const showFilter = () => map.assets.setFilter(thingsView.get().showAssets ? store.isDisplayed : null);
    let chosen = selection.get().selected;
    const showTrail = () => {
      const { selected } = selection.get();
      if (selected === chosen) return;
      chosen = selected;
      map.setTrail(trail.start(selected, selected ? store.thing(selected) : undefined));
    };
    showFilter();
    map.assets.apply(store.fullBatch());
    const offs = [
      store.subscribeBatches(batch => {
        map.assets.apply(batch);
        const points = trail.follow(batch);
        if (points) map.setTrail(points);
        changed(batch.reset);
      }),
      store.subscribeFilter(showFilter),
      whenChanged(() => thingsView.get().showAssets, showFilter),
      selection.subscribe(showTrail),
    ];
    return () => {
      for (const off of offs) off();
    };
  },
});

/** Incidents and events that last. One whose assets are all hidden by search or filters would stand around nothing. */
export const locationsOn = (store: MapStore = liveStore): MapNoun => {
  const locations = store.of('location');
  return {
    kind: locationLayer.kind,
    layer: locationLayer,
    stays: true,
    has: id => locations.get(id) !== undefined,
    card: (id, now) => {
      const location = locations.get(id);
      return location ? locationCard(location, currentWords(), now) : null;
    },
    bind(map, changed) {
      const isShown = (location: Location) => location.isActive && !isEmpty(store, location);
      let shown: readonly Location[] = [];
      const show = () => {
        shown = thingsView.get().showLocations ? locations.list().filter(isShown) : [];
        map.setRows(
          locationLayer,
          shown.map(l => ({ id: l.id, lat: l.lat, lng: l.lng, active: true })),
        );
      };
      const check = () => {
        const before = new Set(shown);
        const isSame = (l: Location) => before.has(l) === isShown(l);
        if (thingsView.get().showLocations && !locations.list().every(isSame)) show();
      };
      show();
      const offs = [
        store.subscribeBatches(() => isHiding(store.getFilter()) && check()),
        store.subscribeFilter(check),
        locations.subscribe(() => {
          show();
          changed();
        }),
        whenChanged(() => thingsView.get().showLocations, show),
      ];
      return () => {
        for (const off of offs) off();
      };
    },
  };
};

/** What the Live section brings to the map. */
export const liveOnMap: SectionMap = { nouns: [assetsOn(), locationsOn()], Chip: HidingChip };

function isEmpty(store: MapStore, { thingsActive }: Location): boolean {
  const known = thingsActive.filter(t => store.thing(t.id)?.hasPosition);
  return known.length > 0 && !known.some(t => store.isDisplayed(t.id));
}

/** Calls back when a part of the view is another one. */
function whenChanged(read: () => unknown, act: () => void): () => void {
  let before = read();
  return thingsView.subscribe(() => {
    const now = read();
    if (now === before) return;
    before = now;
    act();
  });
}
