import { createLiveEngine, type LiveAuthority, liveStore, type Subscription, showsSame, watchPage } from '~/live';
import { beginViews } from './view';

/** The session as the live picture needs it: when it changes, and what is to be subscribed then. */
export interface LiveSession {
  subscribe: (listener: () => void) => () => void;
  /** undefined when nobody is signed in */
  subscription: () => Subscription | undefined;
}

/**
 * Keeps the live picture going for a session: begins at once, follows the organization that is looked at (its things,
 * locations and filters begin anew, except the statuses), and ends with the session. Returns the way to stop.
 */
export function runLive(session: LiveSession, authority: LiveAuthority): () => void {
  const engine = createLiveEngine(authority);
  let current: Subscription | undefined;
  const follow = () => {
    const next = session.subscription();
    if (next) engine.setAwareness(next.awareness);
    if (showsSame(current, next)) return;
    const hadOne = current !== undefined;
    current = next;
    if (hadOne) beginViews();
    if (next) engine.open(next);
    else {
      engine.close();
      liveStore.reset('');
    }
  };
  follow();
  const offs = [session.subscribe(follow), watchPage(engine)];
  return () => {
    for (const off of offs) off();
    engine.close();
  };
}
