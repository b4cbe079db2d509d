import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { chunk } from '~/lib/chunk';
import type { SectionRow } from '~/section/section';
import { session } from '~/session';
import { ownRoute } from './accounts/routes';
import { originOf } from './guards';
import { guardDashboard, guardRoot, guardWelcome, type WelcomeSearch } from './redirects';
import { Coming, FailureScreen, NotFoundPage } from './screens';
import { sections } from './sections';
import { supportSearch } from './supportSearch';
import { openRoutes, welcomeRoutes } from './welcome';

interface AppContext {
  /** the table of sections that the routes were made from */
  readonly sections: readonly SectionRow[];
}

/** Every address of the app, in one table. */
const root = createRootRouteWithContext<AppContext>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: FailureScreen,
});

const index = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: () => guardRoot(session.state.get()) });

const welcome = createRoute({
  getParentRoute: () => root,
  path: 'welcome',
  validateSearch: (search: Record<string, unknown>): WelcomeSearch => {
    const origin = originOf(search.origin);
    const sso = typeof search.sso === 'string' ? search.sso : undefined;
    return { ...(origin ? { origin } : {}), ...(sso ? { sso } : {}) };
  },
  beforeLoad: ({ search, context }) => guardWelcome(session.state.get(), search, context.sections),
});

const dashboard = createRoute({
  getParentRoute: () => root,
  path: 'dashboard',
  validateSearch: supportSearch,
  beforeLoad: ({ location, context }) => guardDashboard(session.state.get(), location.href, context.sections),
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

const welcomeTree = welcome.addChildren([...welcomeRoutes(welcome)]);

/** The dashboard with the addresses of its sections; types know only those that stand here. */
function dashboardTree(table: readonly SectionRow[]) {
  const of = (frame: SectionRow['frame'], parent: AnyRoute) =>
    table.filter(row => row.frame === frame).flatMap(row => row.routes(parent));
  const fixed = [dashboardIndex, dashboard404, section, sectionRest] as const;
  const all = [...fixed, ownRoute(dashboard), stage.addChildren(of('map', stage)), ...of('page', dashboard)];
  return dashboard.addChildren(all as unknown as typeof fixed);
}

/** The app's router; tests pass a memory history, and may pass sections of their own. */
export const createAppRouter = (history?: RouterHistory, table = sections) =>
  createRouter({
    routeTree: root.addChildren([index, ...openRoutes(root), welcomeTree, dashboardTree(table)]),
    context: { sections: table },
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
