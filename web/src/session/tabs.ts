/** The access token with its beginning and end, in server milliseconds. */
export interface Bundle {
  access: string;
  issuedAt: number;
  expiresAt: number;
}

/** What tabs tell each other. */
export type TabMessage =
  | { kind: 'bundle'; bundle: Bundle }
  | { kind: 'ask' }
  /** The pair that is given up began then; absent when there was none. `expired`: nobody signed out by hand. */
  | { kind: 'signedOut'; issuedAt?: number; expired?: boolean }
  | { kind: 'active'; at: number }
  | { kind: 'lock'; locked: boolean }
  /** What the profile says has changed (names, awareness mode, a later end). */
  | { kind: 'profile' };

/** The other tabs of this browser: one does what must be done once, all hear of it. */
export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): () => void;
  /** Runs `work` while no other tab runs work of the same name. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Tabs by BroadcastChannel and Web Locks; a browser without them has one tab as far as we know. */
export function browserTabs(): Tabs {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('lightbar.session');
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
  return {
    tell: message => channel?.postMessage(message),
    listen(listener) {
      const hear = (event: MessageEvent<TabMessage>) => listener(event.data);
      channel?.addEventListener('message', hear);
      return () => channel?.removeEventListener('message', hear);
    },
    alone: (name, work) => (locks ? locks.request(name, work) : work()) as ReturnType<typeof work>,
  };
}
