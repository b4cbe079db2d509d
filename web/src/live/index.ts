export type { LiveCounts } from './counts';
export { LiveEngine, type Subscription } from './engine';
export {
  useAtNow,
  useCounts,
  useFilter,
  useIsLoaded,
  useLocations,
  useNow,
  useStreamState,
  useThing,
  useVisibleIds,
} from './hooks';
export { createLiveEngine, type LiveAuthority, liveStore, retryLive, streamStore, watchPage } from './live';
export type { SceneArrival } from './store';
export { isBehind, isLoaded, type StreamPhase, type StreamState } from './stream';
