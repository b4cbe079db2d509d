import { api } from '~/api';
import { serverClock } from '~/lib/clock';
import { defaultFilter } from '~/model/filter';
import { preferences } from '~/session/preferences';
import { LiveEngine } from './engine';
import { SNAPSHOT_PATH } from './loader';
import type { NounType } from './nouns';
import { LiveStore } from './store';
import { createStreamStore } from './stream';
import { ticker } from './ticker';
import { unpackAside } from './unpacker';

/** A large organization's answer takes its time on a thin line. */
const SNAPSHOT_TIMEOUT_MS = 120_000;

/** The page's one live picture and the state of its stream. */
export const liveStore = new LiveStore(defaultFilter(preferences.get().showOffline));
export const streamStore = createStreamStore();

export interface LiveAuthority {
  token: () => string | undefined;
  onRefused: (reason: string) => void;
  onAccess: () => void;
}

let active: LiveEngine | undefined;

/** How many look at the longer list of a noun. */
const looks = new Map<string, number>();

/** Somebody looks at all rows of a noun: its longer list is read, and kept up to date until the returned way to stop. */
export function lookAt(type: NounType): () => void {
  looks.set(type, (looks.get(type) ?? 0) + 1);
  active?.readLonger();
  return () => void looks.set(type, (looks.get(type) ?? 1) - 1);
}

/** The page's engine, wired to the browser. `authority` is the session. */
export function createLiveEngine(authority: LiveAuthority): LiveEngine {
  active = new LiveEngine({
    store: liveStore,
    stream: streamStore,
    get: (path, query, signal) => api.read(path, query, signal),
    snapshot: async (query, signal) =>
      unpackAside(
        (await api.file(`GET ${SNAPSHOT_PATH}`, { query, signal, timeoutMs: SNAPSHOT_TIMEOUT_MS })).blob,
        signal,
      ),
    clock: serverClock,
    localNow: () => Date.now(),
    random: Math.random,
    isLookedAt: type => (looks.get(type) ?? 0) > 0,
    url: `${globalThis.location.protocol === 'https:' ? 'wss' : 'ws'}://${globalThis.location.host}/cable`,
    openSocket: (url, protocols) => new WebSocket(url, protocols),
    ...authority,
  });
  return active;
}

/** Asks again after a failed read (the list's Retry). */
export function retryLive(): void {
  active?.again();
}

/** Lets the engine hear of visibility, network and time; returns the way to stop. */
export function watchPage(engine: LiveEngine): () => void {
  const seen = () => {
    const visible = document.visibilityState === 'visible';
    if (visible) ticker.tick();
    engine.setFocused(visible);
  };
  const online = () => engine.setOnline(true);
  const offline = () => engine.setOnline(false);
  document.addEventListener('visibilitychange', seen);
  globalThis.addEventListener('online', online);
  globalThis.addEventListener('offline', offline);
  const stop = ticker.subscribe(() => engine.look());
  return () => {
    stop();
    document.removeEventListener('visibilitychange', seen);
    globalThis.removeEventListener('online', online);
    globalThis.removeEventListener('offline', offline);
  };
}
