import { redirect } from '@tanstack/react-router';
import type { SectionRow } from '~/section/section';
import { isPhone, type SessionState } from '~/session';
import { landing, originOf } from './guards';

/** What a welcome address may carry: where the visitor wanted to go. */
export interface WelcomeSearch {
  origin?: string;
  /** What a sign-in provider's return has ended with; a code of the catalog. */
  sso?: string;
}

/** / leads to /dashboard when signed in, otherwise to /welcome/signin. */
export function guardRoot(state: SessionState): void {
  throw redirect({ to: state.phase === 'signedIn' ? '/dashboard' : '/welcome/signin', replace: true });
}

/** A signed-in user who opens a welcome page goes to the dashboard, to the requested path if one is kept. */
export function guardWelcome(state: SessionState, search: WelcomeSearch, sections: readonly SectionRow[]): void {
  if (state.phase !== 'signedIn') return;
  const to = landing(state.profile, originOf(search.origin), isPhone(), sections);
  throw redirect({ href: to ?? '/dashboard', replace: true });
}

/** Without a session: to the sign-in, the origin remembered. The bare /dashboard leads to the default section. */
export function guardDashboard(state: SessionState, href: string, sections: readonly SectionRow[]): void {
  if (state.phase !== 'signedIn') {
    const origin = originOf(href);
    const search = origin && origin !== '/dashboard' ? { origin } : {};
    throw redirect({ to: '/welcome/signin', search, replace: true });
  }
  if (!/^\/dashboard\/?($|[?#])/.test(href)) return;
  const to = landing(state.profile, undefined, isPhone(), sections);
  if (to) throw redirect({ href: to, replace: true });
}
