import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { chunk } from '~/lib/chunk';
import { session } from '~/session';
import { DATA_PATH, entries, shownEntries } from './entries';

const screen = lazyRouteComponent(
  chunk(() => import('./DataFrame')),
  'DataScreen',
);

/** The addresses of Data below its parent (/dashboard); data alone leads to the first entry that is permitted. */
export function dataRoutes(parent: AnyRoute): readonly AnyRoute[] {
  const at = (path: string) => createRoute({ getParentRoute: () => parent, path, component: screen }) as AnyRoute;
  const index = createRoute({
    getParentRoute: () => parent,
    path: 'data',
    component: screen,
    beforeLoad: () => {
      const state = session.state.get();
      const [first] = state.phase === 'signedIn' ? shownEntries(state.profile.permissions) : [];
      if (first) throw redirect({ href: `${DATA_PATH}/${first.id}`, replace: true });
    },
  });
  return [
    index,
    ...entries.flatMap(({ id, screens }) => Object.keys(screens).map(rest => at(`data/${id}${rest && `/${rest}`}`))),
  ];
}
