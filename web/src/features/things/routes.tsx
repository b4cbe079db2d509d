import { type AnyRoute, createRoute, redirect } from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import { texts } from '~/api';
import { chunk } from '~/lib/chunk';
import { useCan, useOrganization } from '~/session';
import { EmptyState } from '~/ui/EmptyState';
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
 * things, things/{thingId}, things/{thingId}/edit/{profile|associations}.
 */
export function thingsRoutes<Parent extends AnyRoute>(parent: Parent) {
  const list = createRoute({ getParentRoute: () => parent, path: 'things', component: List });
  const detail = createRoute({
    getParentRoute: () => parent,
    path: 'things/$thingId',
    component: function Detail() {
      const { thingId } = detail.useParams() as { thingId: string };
      return <ThingDetail key={thingId} id={thingId} />;
    },
  });
  const edit = createRoute({
    getParentRoute: () => parent,
    path: 'things/$thingId/edit',
    beforeLoad: ({ params }) => {
      throw redirect({ href: editProfilePath((params as { thingId: string }).thingId), replace: true });
    },
  });
  const profile = createRoute({
    getParentRoute: () => parent,
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
    getParentRoute: () => parent,
    path: 'things/$thingId/edit/associations',
    component: function EditAccess() {
      return (
        <MayEdit>
          <AccessEditScreen id={(associations.useParams() as { thingId: string }).thingId} />
        </MayEdit>
      );
    },
  });
  return [list, detail, edit, profile, associations] as const;
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
