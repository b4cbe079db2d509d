import { useQueries } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { api } from '~/api';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { liveStore, useAtNow, useIsLoaded } from '~/live';
import { type Nearest, nearestOf } from '~/model/nearest';
import { placeWord } from '~/section/address';
import { mapHolder } from '~/section/view';
import { useCan } from '~/session';

interface LatLng {
  lat: number;
  lng: number;
}

const MOST = { live: 10, silent: 5 };
/** How often it is looked again who is near: 100,000 units are gone through each time. */
const AGAIN_MS = 3000;
/** The way along roads is asked for so many, and no farther. */
const ON_ROADS = 5;
const ON_ROADS_MAX_M = 100_000;

/** Who is near to a place, as units move and fall silent; null until all are known. */
export function useNearest({ lat, lng }: LatLng): Nearest | null {
  const isLoaded = useIsLoaded();
  const turn = useAtNow(now => Math.floor(now / AGAIN_MS));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` says that it is time to look again
  return useMemo(
    () => (isLoaded ? nearestOf(liveStore.eachPlaced, { lat, lng }, serverClock.now(), MOST) : null),
    [isLoaded, lat, lng, turn],
  );
}

const never = () => () => undefined;
/** A degree by a hundred: about a kilometer. A unit that has come so much farther has another way. */
const coarse = ({ lat, lng }: LatLng) =>
  placeWord({ lat: Math.round(lat * 100) / 100, lng: Math.round(lng * 100) / 100 });

/** Meters along roads from the nearest live units to a place, where the server knows roads and lets the user ask. */
export function useOnRoads({ live }: Nearest, place: LatLng): ReadonlyMap<string, number> {
  const map = useStore(mapHolder);
  const hasRoads = useSyncExternalStore(map?.subscribe ?? never, () => map?.getState().hasRoads ?? false);
  const mayAsk = useCan('ADD_CLOSURE');
  const asked =
    hasRoads && mayAsk
      ? live.slice(0, ON_ROADS).flatMap(({ id, meters }) => {
          const thing = liveStore.thing(id);
          return thing && meters < ON_ROADS_MAX_M ? { id, meters, at: { lat: thing.lat, lng: thing.lng } } : [];
        })
      : [];
  const answers = useQueries({
    queries: asked.map(({ id, at }) => ({
      queryKey: ['directions', 'near', id, coarse(at), placeWord(place)],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.data('POST /directions', { body: { waypoints: [at, place] }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
  });
  const ways = asked.flatMap(({ id, meters }, i): [string, number][] => {
    const way = answers[i]?.data;
    // A unit may have moved on since: no road is shorter than the straight line.
    return way?.is_routed && way.distance_m >= meters ? [[id, way.distance_m]] : [];
  });
  return new Map(ways);
}
