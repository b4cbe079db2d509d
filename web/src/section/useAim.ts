import { useEffect } from 'react';
import { useStore } from '~/lib/store';
import type { LatLng } from '~/map/types';
import { mapHolder } from './view';

/** Marks on the map, while the screen stands, the place that it would use. */
export function useAim(at: 'middle' | LatLng | null): void {
  const map = useStore(mapHolder);
  const key = at === null || at === 'middle' ? at : `${at.lat} ${at.lng}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: by the key, the same place is the same
  useEffect(() => {
    if (!map || at === null) return;
    map.aim(at);
    return () => map.aim(null);
  }, [map, key]);
}
