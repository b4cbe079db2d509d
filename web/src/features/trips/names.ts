import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { liveStore, useIsLoaded } from '~/live';

/** What stands for an asset that the live picture does not have: it may have gone, or belong to somebody else. */
const UNKNOWN_NAME = 'Unknown asset';

/** The names of assets, in their order; a new array only when one of them has changed. */
export function useNames(ids: readonly string[]): readonly string[] {
  // Before the list is there, nobody is unknown.
  const missing = useIsLoaded() ? UNKNOWN_NAME : '';
  const subscribe = useCallback(
    (listener: () => void) => {
      const offs = ids.map(id => liveStore.subscribeThing(id, listener));
      return () => {
        for (const off of offs) off();
      };
    },
    [ids],
  );
  const read = () => ids.map(id => liveStore.thing(id)?.primaryDisplayName ?? missing).join('\n');
  const text = useSyncExternalStore(subscribe, read, read);
  return useMemo(() => (text === '' ? [] : text.split('\n')), [text]);
}
