import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { serverClock } from '~/lib/clock';
import type { ThingFilter } from '~/model/filter';
import type { Thing } from '~/model/thing';
import type { LiveCounts } from './counts';
import { liveStore, lookAt, streamStore } from './live';
import { type CollectionOf, NOUNS, type NounType } from './nouns';
import { isLoaded, type StreamState } from './stream';
import { ticker, wholeSecond } from './ticker';

/** One asset; the component renders only when this asset changes. */
export function useThing(id: string): Thing | undefined {
  const subscribe = useCallback((listener: () => void) => liveStore.subscribeThing(id, listener), [id]);
  const read = () => liveStore.thing(id);
  return useSyncExternalStore(subscribe, read, read);
}

/** The ids that the filter shows, in list order; a new array only when the order or the selection changed. */
export function useVisibleIds(): readonly string[] {
  return useSyncExternalStore(liveStore.subscribeOrder, liveStore.visibleIds, liveStore.visibleIds);
}

export function useCounts(): LiveCounts {
  return useSyncExternalStore(liveStore.subscribeCounts, liveStore.getCounts, liveStore.getCounts);
}

export function useFilter(): ThingFilter {
  return useSyncExternalStore(liveStore.subscribeFilter, liveStore.getFilter, liveStore.getFilter);
}

type RowOf<Type extends NounType> = ReturnType<CollectionOf<Type>['list']>[number];

/** One row of a noun; the component renders only when this row changes. */
export function useRow<Type extends NounType>(type: Type, id: string): RowOf<Type> | undefined {
  const { subscribe, get } = liveStore.of(type);
  const read = () => get(id) as RowOf<Type> | undefined;
  return useSyncExternalStore(subscribe, read, read);
}

/** When a row of a noun went, by the server's clock; 0 as long as nobody has said so. */
export function useGoneAt(type: NounType, id: string): number {
  const { subscribe, goneAt } = liveStore.of(type);
  const read = () => goneAt(id);
  return useSyncExternalStore(subscribe, read, read);
}

/** The rows of a noun in its order. */
export function useRows<Type extends NounType>(type: Type): readonly RowOf<Type>[] {
  const { subscribe, list } = liveStore.of(type);
  const read = list as () => readonly RowOf<Type>[];
  return useSyncExternalStore(subscribe, read, read);
}

/**
 * Whether the list of a noun has been read; where there is a longer one, that: while the component stands, it is read and
 * kept up to date.
 */
export function useWhole(type: NounType): boolean {
  const { subscribe, isWhole } = liveStore.of(type);
  const hasLonger = 'longer' in NOUNS[type];
  useEffect(() => (hasLonger ? lookAt(type) : undefined), [type, hasLonger]);
  const isLonger = useSyncExternalStore(subscribe, isWhole, isWhole);
  const isRead = useIsLoaded();
  return hasLonger ? isLonger : isRead;
}

export function useStreamState(): StreamState {
  return useSyncExternalStore(streamStore.subscribe, streamStore.get, streamStore.get);
}

/** True once the whole list has been read; until then counts are not known, and nothing is missing yet. */
export function useIsLoaded(): boolean {
  const read = () => isLoaded(streamStore.get());
  return useSyncExternalStore(streamStore.subscribe, read, read);
}

/** Server time, new each second. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, wholeSecond, wholeSecond);
}

/** A text or number that depends on the time; renders only when it changes. */
export function useAtNow<T extends string | number | boolean>(read: (now: number) => T): T {
  const snapshot = () => read(serverClock.now());
  return useSyncExternalStore(ticker.subscribe, snapshot, snapshot);
}
