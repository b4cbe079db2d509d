import limits from '@catalog/limits.json';
import { isBehind, isLoaded, type StreamState } from '~/live';
import type { MapState } from '~/map/types';

const POLLING = `Updating every ${limits.stream.pollMs.value / 1000} seconds`;

/** What the map lacks, when all else is well. */
const MAP_WORDS: Record<Exclude<MapState['phase'], 'ready'>, string> = {
  loading: 'Map loading',
  unloaded: 'Map not loaded',
  unsupported: 'No map',
};

/** What the badge over the map says. */
interface Age {
  label: string;
  /** Nothing is missing, and nothing is old. */
  isWell: boolean;
  /** What alone is up to date, if not all of it. */
  of: '' | 'list';
}

/** Live is said only while every part is: the stream, what was read, and the map itself. */
export function ageOf(state: StreamState, map: MapState['phase']): Age {
  const { phase, online } = state;
  if (isBehind(state)) return { label: online ? 'Reconnecting' : 'Offline', isWell: false, of: '' };
  // The rest stands for a beginning: under way, or it did not work.
  if (!isLoaded(state) || (phase !== 'live' && phase !== 'polling'))
    return { label: phase === 'failed' ? 'Not loaded' : 'Loading', isWell: false, of: '' };
  if (map !== 'ready') return { label: MAP_WORDS[map], isWell: false, of: 'list' };
  return { label: phase === 'polling' ? POLLING : 'Live', isWell: true, of: '' };
}
