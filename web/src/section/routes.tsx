import { type AnyRoute, createRoute, redirect, type SearchMiddleware, useParams } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { texts } from '~/api';
import { type Requirement, useCan, useIsPhone, useOrganization } from '~/session';
import { EmptyState } from '~/ui/EmptyState';
import type { FollowFilters } from './filterAddress';
import { keptSearch } from './keptSearch';
import { pathsOf } from './paths';
import type { SectionRow } from './section';

type Screen = ComponentType<{ id: string }>;

/** What a screen asks for; on a small screen, where that is something else. */
interface Asks {
  readonly requires: Requirement;
  readonly onPhone?: Requirement;
}

/** The screens of a section over the map; lazy ones. */
export interface SectionScreens {
  readonly List: ComponentType;
  readonly Detail?: Screen;
  /** what makes a new row, at {section}/new */
  readonly add?: Asks & { readonly Screen: ComponentType };
  /** what edits a row, by the last word of its address; …/edit alone leads to the first. One named '' is …/edit itself. */
  readonly edits?: Asks & { readonly screens: Readonly<Record<string, Screen>> };
  /** What makes and edits rows needs the room of a desk. */
  readonly deskOnly?: boolean;
}

/**
 * The addresses of a section: {section}, {section}/new, {section}/{id}, {section}/{id}/edit, {section}/{id}/edit/{part}; `keep`
 * says what all of them carry behind their path.
 */
export const sectionRoutes =
  (section: string, { List, Detail, add, edits, deskOnly = false }: SectionScreens, keep?: SearchMiddleware<object>) =>
  (dashboard: AnyRoute): readonly AnyRoute[] => {
    const parent = keep
      ? (createRoute({
          getParentRoute: () => dashboard,
          id: section,
          search: { middlewares: [keep] },
        }) as unknown as AnyRoute)
      : dashboard;
    const at = (path: string, component: () => ReactNode) =>
      createRoute({ getParentRoute: () => parent, path: `${section}${path}`, component }) as AnyRoute;
    const routes = [at('', () => <OfOrganization List={List} />)];
    if (add) {
      const { Screen } = add;
      routes.push(
        at('/new', () => (
          <Permitted asks={add} deskOnly={deskOnly}>
            <Screen />
          </Permitted>
        )),
      );
    }
    if (Detail) routes.push(at('/$id', () => <OfRow Screen={Detail} />));
    const all = () => (keep ? [parent.addChildren(routes) as AnyRoute] : routes);
    if (!edits) return all();
    const parts = Object.entries(edits.screens);
    const [first] = parts[0] ?? [''];
    if (first !== '') {
      const to = (id: string) => pathsOf(section).edit(id, first);
      routes.push(
        createRoute({
          getParentRoute: () => parent,
          path: `${section}/$id/edit`,
          beforeLoad: ({ params }: { params: { id: string } }) => {
            throw redirect({ href: to(params.id), replace: true });
          },
        }) as AnyRoute,
      );
    }
    routes.push(
      ...parts.map(([part, Screen]) =>
        at(part === '' ? '/$id/edit' : `/$id/edit/${part}`, () => (
          <Permitted asks={edits} deskOnly={deskOnly}>
            <OfRow Screen={Screen} />
          </Permitted>
        )),
      ),
    );
    return all();
  };

interface FilteredSection extends Required<Pick<SectionRow, 'id' | 'look' | 'map'>> {
  readonly screens: SectionScreens;
  /** its view, which says how its filters stand in its addresses */
  readonly filters: () => Promise<{ follow: FollowFilters }>;
}

/** A section over the map whose addresses say its filters. */
export function filteredSection({ id, look, screens, filters, map }: FilteredSection): SectionRow {
  const kept = keptSearch();
  return {
    id,
    look,
    frame: 'map',
    routes: sectionRoutes(id, screens, kept.keep),
    address: async () => {
      const { follow } = await filters();
      return router => follow(pathsOf(id).list, kept, router);
    },
    map,
  };
}

/** Another organization is another list: search text and scroll position begin anew. */
function OfOrganization({ List }: { List: ComponentType }) {
  return <List key={useOrganization().id} />;
}

/** Another row is another screen. */
function OfRow({ Screen }: { Screen: Screen }) {
  const { id } = useParams({ strict: false }) as { id: string };
  return <Screen key={id} id={id} />;
}

/** The guard of an address (the server refuses what it leads to anyway). */
function Permitted({ asks, deskOnly, children }: { asks: Asks; deskOnly: boolean; children: ReactNode }) {
  const isPhone = useIsPhone();
  const requires = isPhone && asks.onPhone ? asks.onPhone : asks.requires;
  if (!useCan(requires)) return <EmptyState title={texts.chrome.forbidden} />;
  return isPhone && deskOnly ? <EmptyState title={texts.chrome.notOnMobile} /> : children;
}
