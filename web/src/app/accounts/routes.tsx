import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { chunk } from '~/lib/chunk';
import { managerPath } from '~/model/manager';
import { can } from '~/session';
import { NEW_ACCOUNTS_PATH } from './newTabs';

const load = chunk(() => import('./tabs'));

const manager = lazyRouteComponent(
  chunk(() => import('./screens')),
  'ManagerScreen',
);

/**
 * The addresses of Manage Accounts & Users below its parent (/dashboard): accounts/{tab}, accounts/{tab}/{id},
 * accounts/{tab}/{id}/edit. Without a tab: the first that manages something.
 */
export function accountsRoutes(parent: AnyRoute): readonly AnyRoute[] {
  const at = (path: string) => createRoute({ getParentRoute: () => parent, path, component: manager }) as AnyRoute;
  const index = createRoute({
    getParentRoute: () => parent,
    path: 'accounts',
    // Who may not see the section is told so here, and not sent to a tab first.
    component: manager,
    beforeLoad: async () => {
      if (!can('VIEW_ACCOUNTS')) return;
      const { tabs } = await load();
      const first = tabs.find(tab => tab.id !== 'account' && can(tab.requirement));
      throw redirect({ href: managerPath(first?.id ?? 'account'), replace: true });
    },
  });
  return [index, at('accounts/$tab'), at('accounts/$tab/$id'), at('accounts/$tab/$id/edit')];
}

/** accounts-new/{tab}; without a tab: the profile. */
export function newAccountsRoutes(parent: AnyRoute): readonly AnyRoute[] {
  const component = lazyRouteComponent(
    chunk(() => import('./screens')),
    'NewAccountsScreen',
  );
  const index = createRoute({
    getParentRoute: () => parent,
    path: 'accounts-new',
    component,
    beforeLoad: () => {
      if (can('VIEW_ACCOUNTS_NEW')) throw redirect({ href: `${NEW_ACCOUNTS_PATH}/profile`, replace: true });
    },
  });
  return [index, createRoute({ getParentRoute: () => parent, path: 'accounts-new/$tab', component })];
}

/** profile, which is everybody's own and in no section. */
export const ownRoute = (parent: AnyRoute): AnyRoute =>
  createRoute({
    getParentRoute: () => parent,
    path: 'profile',
    component: lazyRouteComponent(
      chunk(() => import('./OwnProfile')),
      'OwnProfile',
    ),
  });
