import { createStore } from '~/lib/store';

/** How the live picture is kept up to date right now. */
export type StreamPhase = 'idle' | 'loading' | 'live' | 'polling' | 'reconnecting' | 'failed';

/** What the connection banner and the "as of" chip show. */
export interface StreamState {
  phase: StreamPhase;
  /** Server instant up to which the picture is known to be right; 0 before the first answer. */
  asOf: number;
  /** reconnect attempts since the stream was last open */
  attempt: number;
  /** the failure of the first load, as thrown by the client; the list offers Retry */
  failure: unknown;
  /** flags of the refresh rules (requirements 4.refresh) */
  online: boolean;
  focused: boolean;
  socketClosed: boolean;
  awareness: boolean;
}

export const IDLE: StreamState = {
  phase: 'idle',
  asOf: 0,
  attempt: 0,
  failure: undefined,
  online: true,
  focused: true,
  socketClosed: true,
  awareness: false,
};

export type StreamStore = ReturnType<typeof createStreamStore>;

/** The stream's state as a store outside React; `patch` tells nobody when nothing changes. */
export function createStreamStore() {
  const store = createStore<StreamState>(IDLE);
  return {
    ...store,
    patch(part: Partial<StreamState>): void {
      const now = store.get();
      for (const key of Object.keys(part) as (keyof StreamState)[]) {
        if (Object.is(now[key], part[key])) continue;
        store.set({ ...now, ...part });
        return;
      }
    },
  };
}

/** True once everything has been read: before that, what is not there may still come. */
export function isLoaded(state: Pick<StreamState, 'asOf'>): boolean {
  return state.asOf > 0;
}

/** True while what is on screen may be behind: the stream is lost, a poll has failed, or there is no network. */
export function isBehind(state: StreamState): boolean {
  return !state.online || state.phase === 'reconnecting' || (state.phase === 'failed' && state.asOf > 0);
}
