import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { chunk } from '~/lib/chunk';
import { managerPath } from '~/model/manager';
import { can } from '~/session';
import { NEW_ACCOUNTS_PATH } from './newTabs';
import { tabs } from './tabs';

/**
 * The addresses of Manage Accounts & Users below its parent (/dashboard): accounts/{tab}, accounts/{tab}/{id},
 * accounts/{tab}/{id}/edit; accounts-new/{tab}; and profile, which is everybody's own. Without a tab: the first that manages something.
 */
export function accountsRoutes<Parent extends AnyRoute>(parent: Parent) {
  const at = (path: string) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(
        chunk(() => import('./screens')),
        'ManagerScreen',
      ),
    });
  const index = createRoute({
    getParentRoute: () => parent,
    path: 'accounts',
    beforeLoad: () => {
      const first = tabs.find(tab => tab.id !== 'account' && can(tab.requirement));
      throw redirect({ href: managerPath(first?.id ?? 'account'), replace: true });
    },
  });
  const newIndex = createRoute({
    getParentRoute: () => parent,
    path: 'accounts-new',
    beforeLoad: () => {
      throw redirect({ href: `${NEW_ACCOUNTS_PATH}/profile`, replace: true });
    },
  });
  const newTab = createRoute({
    getParentRoute: () => parent,
    path: 'accounts-new/$tab',
    component: lazyRouteComponent(
      chunk(() => import('./screens')),
      'NewAccountsScreen',
    ),
  });
  const own = createRoute({
    getParentRoute: () => parent,
    path: 'profile',
    component: lazyRouteComponent(
      chunk(() => import('./OwnProfile')),
      'OwnProfile',
    ),
  });
  return [
    own,
    index,
    at('accounts/$tab'),
    at('accounts/$tab/$id'),
    at('accounts/$tab/$id/edit'),
    newIndex,
    newTab,
  ] as const;
}
