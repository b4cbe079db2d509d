import { type AnyRoute, createRoute, redirect } from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import { texts } from '~/api';
import { chunk } from '~/lib/chunk';
import { useCan, useOrganization } from '~/session';
import { EmptyState } from '~/ui/EmptyState';
import { keepSearch } from './keptSearch';
import { editProfilePath } from './paths';

// The screens come with the section: the sign-in must not wait for them.
const LiveScreen = lazy(chunk(() => import('./LiveScreen').then(module => ({ default: module.LiveScreen }))));
const ThingDetail = lazy(chunk(() => import('./ThingDetail').then(module => ({ default: module.ThingDetail }))));
const ThingEdit = lazy(chunk(() => import('./ThingEdit').then(module => ({ default: module.ThingEdit }))));
const AccessEditScreen = lazy(
  chunk(() => import('./AccessEditScreen').then(module => ({ default: module.AccessEditScreen }))),
);

/**
 * The addresses of the Live section below its parent (/dashboard):
 * things, things/{thingId}, things/{thingId}/edit/{profile|associations}; all of them carry the filters.
 */
export function thingsRoutes<Parent extends AnyRoute>(parent: Parent) {
  const live = createRoute({
    getParentRoute: () => parent,
    id: 'live',
    search: { middlewares: [keepSearch] },
  });
  const list = createRoute({ getParentRoute: () => live, path: 'things', component: List });
  const detail = createRoute({
    getParentRoute: () => live,
    path: 'things/$thingId',
    component: function Detail() {
      const { thingId } = detail.useParams() as { thingId: string };
      return <ThingDetail key={thingId} id={thingId} />;
    },
  });
  const edit = createRoute({
    getParentRoute: () => live,
    path: 'things/$thingId/edit',
    beforeLoad: ({ params }) => {
      throw redirect({ href: editProfilePath((params as { thingId: string }).thingId), replace: true });
    },
  });
  const profile = createRoute({
    getParentRoute: () => live,
    path: 'things/$thingId/edit/profile',
    component: function EditProfile() {
      return (
        <MayEdit>
          <ThingEdit id={(profile.useParams() as { thingId: string }).thingId} />
        </MayEdit>
      );
    },
  });
  const associations = createRoute({
    getParentRoute: () => live,
    path: 'things/$thingId/edit/associations',
    component: function EditAccess() {
      return (
        <MayEdit>
          <AccessEditScreen id={(associations.useParams() as { thingId: string }).thingId} />
        </MayEdit>
      );
    },
  });
  return [live.addChildren([list, detail, edit, profile, associations])] as const;
}

/** Another organization is another list: search text and scroll position begin anew. */
function List() {
  const { id } = useOrganization();
  return <LiveScreen key={id} />;
}

/** The guard of the edit addresses (the server refuses the save anyway). */
function MayEdit({ children }: { children: ReactNode }) {
  return useCan('EDIT_THING') ? children : <EmptyState title={texts.chrome.forbidden} />;
}
