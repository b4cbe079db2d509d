import { isLoaded, type streamStore } from '~/live';
import type { LatLng, MapControl } from '~/map/types';
import { pastShown, selection } from './view';

export interface FirstLookParts {
  readonly stream: Pick<typeof streamStore, 'get' | 'subscribe'>;
  /** where the organization is at home; null when nobody has said it */
  readonly home: () => LatLng | null;
}

/** A town and what is around it. */
const HOME_ZOOM = 10;

/**
 * The first picture of an organization is shown whole, unless something is open: that is panned to. A large one comes
 * in parts: when all are there it is shown whole again, unless someone has moved the map meanwhile.
 */
export function firstLook(map: MapControl, { stream, home }: FirstLookParts, isAwaited: () => boolean) {
  let isFresh = true;
  let isPart = false;
  let rests = 0;
  // Of a row that has no place, such as one that is being made, there is no better view.
  const isWholeWanted = () => !pastShown.get() && (selection.get().selected === null || isAwaited());
  const showWhole = () => {
    if (!isFresh || map.assets.size === 0) return;
    isFresh = false;
    isPart = !isLoaded(stream.get());
    rests = 0;
    if (isWholeWanted()) map.showAll();
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
    if (rests <= 1 && isWholeWanted()) map.showAll();
  };
  map.expectPlace(true);
  const offs = [
    stream.subscribe(showRest),
    map.on('view', () => {
      rests++;
    }),
  ];
  return {
    begin() {
      showWhole();
      showHome();
    },
    /** The rows have changed; `anew`: they are another picture's. */
    changed(anew: boolean) {
      if (anew) {
        isFresh = true;
        isHome = false;
      }
      showWhole();
    },
    end() {
      for (const off of offs) off();
    },
  };
}
