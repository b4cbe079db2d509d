export type { LiveCounts } from './counts';
export { LiveEngine, type Subscription, showsSame } from './engine';
export {
  useAtNow,
  useCounts,
  useFilter,
  useGoneAt,
  useIsLoaded,
  useNow,
  useRow,
  useRows,
  useStreamState,
  useThing,
  useVisibleIds,
  useWhole,
} from './hooks';
export { createLiveEngine, type LiveAuthority, liveStore, retryLive, streamStore, watchPage } from './live';
export { seenTypes } from './nouns';
export type { SceneArrival } from './store';
export { isBehind, isLoaded, type StreamPhase, type StreamState } from './stream';
