import { asFailure } from '~/api';
import { chunk } from '~/lib/chunk';
import { followPreferences, followTheme, session } from '~/session';
import { loadBrand } from '~/session/brand';
import { providerToLeave } from '~/session/methods';
import { tookLeave } from './leave';
import { queries } from './queries';
import { router } from './router';
import { takeLinkTokens } from './signInLink';
import { watchVersion } from './version';

const entry = chunk(() => import('./linkEntry'));

/** A driver's phone: it has no session, and nothing may stand before what it shows, no news of a version either. */
const isDriving = () => window.location.pathname.startsWith('/drive/');

/** Wires what lives outside React, once, and brings back the session. */
export function start(): void {
  followTheme(window);
  followPreferences(window);
  void loadBrand();
  if (isDriving()) {
    session.state.set({ phase: 'signedOut' });
    return;
  }
  watchVersion();
  followLock();

  session.whenEnded(() => queries.clear());
  followSession();

  const awake = () => document.visibilityState === 'visible' && session.wake();
  document.addEventListener('visibilitychange', awake);
  window.addEventListener('online', awake);

  void begin();
}

/** Guards look at the session: signing in and out moves to where they lead. Another organization is other data. */
function followSession(): void {
  const organizationOf = () => {
    const now = session.state.get();
    return now.phase === 'signedIn' ? now.organizationId : undefined;
  };
  let phase = session.state.get().phase;
  let organization = organizationOf();
  session.state.subscribe(() => {
    const before = { phase, organization };
    phase = session.state.get().phase;
    organization = organizationOf();
    if (before.organization && organization && before.organization !== organization) void queries.resetQueries();
    if (phase === before.phase) return;
    if (phase === 'signedOut' && tookLeave())
      void router.navigate({ to: '/welcome/signin', search: {}, replace: true });
    else if (phase === 'signedIn' || phase === 'signedOut') void router.invalidate();
  });
}

/** While the screen is locked the page hides what it shows (screens.module.css). */
function followLock(): void {
  session.lock.locked.subscribe(() =>
    document.documentElement.toggleAttribute('data-locked', session.lock.locked.get()),
  );
}

/** A sign-in link, a provider's return, or the session that this browser had. */
async function begin(): Promise<void> {
  const linked = takeLinkTokens(window);
  if (linked)
    return entry().then(
      module => module.enterByLink(linked),
      () => session.restore(),
    );
  // A provider's window only tells the page that opened it: it needs no session of its own.
  if (window.location.pathname === '/welcome/verified') return session.state.set({ phase: 'signedOut' });
  if (window.location.pathname !== '/welcome/sso') return session.restore();
  providerToLeave.set(new URLSearchParams(window.location.search).get('leave') ?? undefined);
  await session.signInByCookie().catch(async error => {
    await session.restore();
    const sso = asFailure(error).code || 'sso_failed';
    if (session.state.get().phase === 'signedOut')
      await router.navigate({ to: '/welcome/signin', search: { sso }, replace: true });
  });
}
