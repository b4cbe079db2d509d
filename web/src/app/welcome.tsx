import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { keepMailedToken, type MailedKind } from '~/features/signin/mailedLink';
import { chunk } from '~/lib/chunk';
import type { WelcomeSearch } from './redirects';
import { Restoring } from './screens';

const help = chunk(() => import('~/features/signin/HelpPage'));
const closureQuestion = chunk(() => import('./ClosureQuestionPage'));
const verified = chunk(() => import('./VerifiedPage'));
const drive = chunk(() => import('~/features/drive/DrivePage'));
const legal = chunk(() => import('~/features/signin/LegalPage'));
const signIn = chunk(() => import('~/features/signin/SignInPage'));
const unlock = chunk(() => import('~/features/signin/UnlockPage'));
const forgot = chunk(() => import('~/features/signin/ForgotPage'));
const newPassword = chunk(() => import('~/features/signin/NewPasswordPage'));

/** The addresses of the public screens below /welcome (requirements 2.pub; sso is ours). */
export function welcomeRoutes<Parent extends AnyRoute>(parent: Parent) {
  const index = createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad: ({ search }) => {
      throw redirect({ to: '/welcome/signin', search: search as WelcomeSearch, replace: true });
    },
  });
  const screens = [
    createRoute({
      getParentRoute: () => parent,
      path: 'signin',
      component: lazyRouteComponent(signIn, 'SignInPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: 'forgot', component: lazyRouteComponent(forgot, 'ForgotPage') }),
    createRoute({
      getParentRoute: () => parent,
      path: 'reset/$email',
      component: lazyRouteComponent(newPassword, 'ResetPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: 'unlock/$email',
      component: lazyRouteComponent(unlock, 'UnlockPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: 'invite/$email',
      component: lazyRouteComponent(newPassword, 'InvitePage'),
    }),
    // A provider's return: the session comes from the cookie (start.ts), the guard leads on.
    createRoute({ getParentRoute: () => parent, path: 'sso', component: Restoring }),
  ] as const;
  return [index, ...screens, ...mailed(parent)] as const;
}

/**
 * Pages that need no session: the documents that the public screens link to, help, the end of a provider's step-up, and the
 * drivers' page.
 */
export function openRoutes<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: 'legal/license',
      component: lazyRouteComponent(legal, 'LicensePage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: 'legal/terms',
      component: lazyRouteComponent(legal, 'TermsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: 'welcome/verified',
      component: lazyRouteComponent(verified, 'VerifiedPage'),
    }),
    // Of whoever holds the emailed link, signed in or not.
    createRoute({
      getParentRoute: () => parent,
      path: 'welcome/closure/$email',
      component: lazyRouteComponent(closureQuestion, 'ClosureQuestionPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: 'help', component: lazyRouteComponent(help, 'HelpPage') }),
    // A driver's phone in its holder.
    createRoute({
      getParentRoute: () => parent,
      path: 'drive/$organization',
      component: lazyRouteComponent(drive, 'DrivePage'),
    }),
  ] as const;
}

/** Mailed addresses with their token in the path. A page load has lost it before (public/first.js); this is the way in from within. */
function mailed<Parent extends AnyRoute>(parent: Parent) {
  const route = (kind: MailedKind) =>
    createRoute({
      getParentRoute: () => parent,
      path: `${kind}/$email/$token`,
      beforeLoad: ({ params }) => {
        const { email, token } = params as { email: string; token: string };
        keepMailedToken(kind, token);
        throw redirect({ href: `/welcome/${kind}/${encodeURIComponent(email)}`, replace: true });
      },
    });
  return [route('reset'), route('unlock'), route('invite')] as const;
}
