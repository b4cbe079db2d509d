import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { thingsRoutes } from '~/features/things/routes';
import { chunk } from '~/lib/chunk';
import { session } from '~/session';
import { accountsRoutes } from './accounts/routes';
import { originOf } from './guards';
import { guardDashboard, guardRoot, guardWelcome, type WelcomeSearch } from './redirects';
import { Coming, FailureScreen, NotFoundPage } from './screens';
import { supportSearch } from './supportSearch';
import { openRoutes, welcomeRoutes } from './welcome';

/** Every address of the app, in one table. */
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: FailureScreen });

const index = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: () => guardRoot(session.state.get()) });

const welcome = createRoute({
  getParentRoute: () => root,
  path: 'welcome',
  validateSearch: (search: Record<string, unknown>): WelcomeSearch => {
    const origin = originOf(search.origin);
    const sso = typeof search.sso === 'string' ? search.sso : undefined;
    return { ...(origin ? { origin } : {}), ...(sso ? { sso } : {}) };
  },
  beforeLoad: ({ search }) => guardWelcome(session.state.get(), search),
});

const dashboard = createRoute({
  getParentRoute: () => root,
  path: 'dashboard',
  validateSearch: supportSearch,
  beforeLoad: ({ location }) => guardDashboard(session.state.get(), location.href),
  component: lazyRouteComponent(
    chunk(() => import('./shell/Shell')),
    'Shell',
  ),
});

const dashboardIndex = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  component: lazyRouteComponent(
    chunk(() => import('./shell/Section')),
    'NoSection',
  ),
});

const dashboard404 = createRoute({
  getParentRoute: () => dashboard,
  path: '404',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true });
  },
});

/** Sections over the map share one frame, so that the map stays while they change. */
const stage = createRoute({
  getParentRoute: () => dashboard,
  id: 'stage',
  component: lazyRouteComponent(
    chunk(() => import('./shell/MapShell')),
    'MapShell',
  ),
});

const other = lazyRouteComponent(
  chunk(() => import('./shell/OtherSection')),
  'OtherSection',
);
const section = createRoute({ getParentRoute: () => dashboard, path: '$section', component: other });
const sectionRest = createRoute({ getParentRoute: () => dashboard, path: '$section/$', component: other });

const routeTree = root.addChildren([
  index,
  ...openRoutes(root),
  welcome.addChildren([...welcomeRoutes(welcome)]),
  dashboard.addChildren([
    dashboardIndex,
    dashboard404,
    stage.addChildren([...thingsRoutes(stage)]),
    ...accountsRoutes(dashboard),
    section,
    sectionRest,
  ]),
]);

/** The app's router; tests pass a memory history. */
export const createAppRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    notFoundMode: 'root',
    defaultPendingComponent: Coming,
    defaultErrorComponent: FailureScreen,
    defaultNotFoundComponent: NotFoundPage,
    ...(history ? { history } : {}),
  });

export const router = createAppRouter();

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
