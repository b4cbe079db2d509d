import { followPreferences, followTheme, session } from '~/session';
import { loadBrand } from '~/session/brand';
import { tookLeave } from './leave';
import { queries } from './queries';
import { router } from './router';
import { takeLinkToken } from './signInLink';

/** Wires what lives outside React, once, and brings back the session. */
export function start(): void {
  followTheme(window);
  followPreferences(window);
  void loadBrand();

  session.whenEnded(() => queries.clear());
  let phase = session.state.get().phase;
  session.state.subscribe(() => {
    const before = phase;
    phase = session.state.get().phase;
    if (phase === before) return;
    // Guards look at the session: signing in and out moves to where they lead.
    if (phase === 'signedOut' && tookLeave())
      void router.navigate({ to: '/welcome/signin', search: {}, replace: true });
    else if (phase === 'signedIn' || phase === 'signedOut') void router.invalidate();
  });

  const awake = () => document.visibilityState === 'visible' && session.wake();
  document.addEventListener('visibilitychange', awake);
  window.addEventListener('online', awake);

  const linked = takeLinkToken(window);
  // A link that no longer works leaves the sign-in form, or the session that was there.
  if (linked) void session.signInByLink(linked).catch(() => session.restore());
  else void session.restore();
}
