import { LocateFixed } from 'lucide-react';
import { liveStore } from '~/live';
import { nearestPath } from '~/section/address';
import type { MapNoun } from '~/section/map';
import type { PlaceAction, SectionMap } from '~/section/section';
import { foldedStations, mapSwitches, pastShown, selection } from '~/section/view';
import { currentWords } from '~/section/words';
import { assetCard } from './cards';
import { MapHidingChip } from './HidingChip';
import { detailPath } from './paths';
import { Trail } from './trail';

/** The live picture as the map needs it; tests give their own. */
export type MapStore = Pick<
  typeof liveStore,
  'subscribeBatches' | 'subscribeFilter' | 'fullBatch' | 'isDisplayed' | 'thing'
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
    let chosen = selection.get().selected;
    const isShown = (id: string, row?: number) =>
      store.isDisplayed(id, row) && (id === chosen || !foldedStations.get().has(store.thing(id)?.stationId ?? ''));
    const showFilter = () => {
      const shown = foldedStations.get().size > 0 ? isShown : store.isDisplayed;
      map.assets.setFilter(mapSwitches.get().showAssets && !pastShown.get() ? shown : null);
    };
    const showTrail = () => {
      const { selected } = selection.get();
      if (selected === chosen) return;
      chosen = selected;
      map.setTrail(trail.start(selected, selected ? store.thing(selected) : undefined));
      if (foldedStations.get().size > 0) showFilter();
    };
    showFilter();
    map.assets.apply(store.fullBatch());
    const offs = [
      store.subscribeBatches(batch => {
        map.assets.apply(batch);
        // A batch says what the filter shows; what has come to a station is folded after it.
        if (foldedStations.get().size > 0) showFilter();
        const points = trail.follow(batch);
        if (points) map.setTrail(points);
        changed(batch.reset);
      }),
      store.subscribeFilter(showFilter),
      mapSwitches.subscribe(showFilter),
      pastShown.subscribe(showFilter),
      foldedStations.subscribe(showFilter),
      selection.subscribe(showTrail),
    ];
    return () => {
      for (const off of offs) off();
    };
  },
});

const here: PlaceAction = {
  label: 'Nearest units',
  Icon: LocateFixed,
  requires: 'VIEW_THINGS',
  isOfPins: true,
  path: nearestPath,
};

/** What the Live section brings to the map. */
export const liveOnMap: SectionMap = { nouns: [assetsOn()], Chip: MapHidingChip, showsLayers: true, here };
