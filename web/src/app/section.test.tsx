// @vitest-environment jsdom
// A second section over the map: what stands between the two rules below is its folder, and the table has its line.

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { lazy } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api, asFailure, say } from '~/api';
import { answered, recorded, replayed, vary } from '~/api/recorded';
import { ChunkError } from '~/lib/chunk';
import { createStore } from '~/lib/store';
import { stubBrowser } from '~/lib/testing';
import type { MapController } from '~/map/controller';
import { locationLayer } from '~/map/layers/location';
import { type Location, locationOfWire } from '~/model/location';
import { DrawerScreen, Heading } from '~/section/DrawerScreen';
import { EditLink } from '~/section/EditLink';
import type { MapNoun } from '~/section/map';
import { DetailSection } from '~/section/parts';
import { pathsOf, useGo } from '~/section/paths';
import { sectionRoutes } from '~/section/routes';
import type { SectionRow } from '~/section/section';
import { BegunRow, type Shown, ShownRow } from '~/section/shown';
import { mapHolder, selection, useNoneSelected } from '~/section/view';
import { currentOrganization, session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireOrganization, wireProfile } from '~/session/session.fakes';
import { createAppRouter } from './router';
import { sections } from './sections';

// ---------------------------------------------------------------------------------------------------------------------

const paths = pathsOf('events');
const known = createStore<readonly Location[]>([]);

const read = async () => {
  const rows = await api.data('GET /locations/active', { query: { 'org_ids[]': [currentOrganization().id] } });
  known.set(rows.map(locationOfWire));
  return known.get();
};
const useEvents = () => useQuery({ queryKey: ['events'], queryFn: read });

function useEvent(id: string): Shown<Location> {
  const { data, error, refetch } = useEvents();
  if (error) {
    const isMissing = asFailure(error).status === 404;
    return { state: 'failed', text: say('generic', error), isMissing, retry: () => void refetch() };
  }
  if (!data) return { state: 'loading' };
  const row = data.find(one => one.id === id);
  if (row) return { state: 'shown', row, isComplete: true };
  return { state: 'failed', text: 'Event not found', isMissing: true, retry: () => void refetch() };
}

function EventList() {
  const go = useGo();
  const { data = [] } = useEvents();
  useNoneSelected();
  return (
    <section aria-label="Events">
      <h1>Events {data.length}</h1>
      {data.map(({ id, displayName }) => (
        <button key={id} type="button" onClick={() => go(paths.detail(id))}>
          {displayName}
        </button>
      ))}
    </section>
  );
}

function EventDetail({ id }: { id: string }) {
  const back = { label: 'Events', to: paths.list };
  return (
    <DrawerScreen id={id} list={paths.list} label="Event" back={back}>
      <ShownRow shown={useEvent(id)} bones={<p>Loading event</p>} back={back} missing="It may have ended.">
        {event => (
          <>
            <Heading>{event.displayName}</Heading>
            <DetailSection title="Units" action={<EditLink to={paths.edit(id, 'place')} what="Place" />}>
              {event.things_active.map(unit => unit.displayName).join(', ')}
            </DetailSection>
          </>
        )}
      </ShownRow>
    </DrawerScreen>
  );
}

function PlaceEdit({ id }: { id: string }) {
  const back = { label: 'Event', to: paths.detail(id) };
  return (
    <DrawerScreen id={id} list={paths.list} label="Edit Place" back={back} isForm>
      <BegunRow shown={useEvent(id)} loading="Loading event" back={back}>
        {event => <p>Place of {event.displayName}</p>}
      </BegunRow>
    </DrawerScreen>
  );
}

const onMap: MapNoun = {
  kind: locationLayer.kind,
  layer: locationLayer,
  has: id => known.get().some(one => one.id === id),
  path: paths.detail,
  bind(map, changed) {
    const show = () => {
      map.setRows(
        locationLayer,
        known.get().map(({ id, lat, lng }) => ({ id, lat, lng, active: true })),
      );
      changed();
    };
    show();
    return known.subscribe(show);
  },
};

const events: SectionRow = {
  id: 'events',
  look: { icon: CircleAlert, label: words => words.events },
  frame: 'map',
  routes: sectionRoutes('events', {
    List: lazy(async () => ({ default: EventList })),
    Detail: lazy(async () => ({ default: EventDetail })),
    edits: { requires: 'EDIT_EVENT', screens: { place: lazy(async () => ({ default: PlaceEdit })) } },
  }),
  map: async () => ({ nouns: [onMap] }),
};

// ---------------------------------------------------------------------------------------------------------------------

const others = sections.filter(row => row.id !== 'events');
const table = [...others, events];

let root: Root;
let page: HTMLElement;
let width = 1440;
const [wire] = recorded('listActiveLocations.ok').data;
if (!wire) throw new Error('no location was recorded');
const { id, lat, lng } = wire;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  stubBrowser(() => ({ width, pointer: width < 769 ? 'coarse' : 'fine' }));
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes('/locations/active'))
      return answered('listActiveLocations.ok', [vary(wire, { street: 'W 9th St' })]);
    return url.includes('/map/config') ? replayed('getMapConfig.ok') : replayed('listThings.empty');
  });
  HTMLCanvasElement.prototype.getContext = () => null; // a browser without WebGL: the map holds all the same
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  known.set([]);
});
afterEach(() => {
  root.unmount();
  page.remove();
  width = 1440;
  vi.unstubAllGlobals();
});

const see = (check: () => void) => vi.waitFor(check);

function signIn(permissions: string[], access: string[]) {
  const profile = wireProfile({ permissions, dashboard_access: access });
  profile.managed_organizations = [wireOrganization('o2')];
  session.state.set({ phase: 'signedIn', profile: profileOf(profile), organizationId: 'o1' });
}

async function visit(address: string, until: string, rows: readonly SectionRow[] = table) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }), rows);
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await see(() => expect(page.textContent).toContain(until));
  return { at: () => router.state.location.pathname };
}

const navigation = () => [...page.querySelectorAll('nav a[title], nav a[class*=tab]')].map(link => link.textContent);
const press = (selector: string, words: string) =>
  [...page.querySelectorAll<HTMLElement>(selector)].find(one => one.textContent?.includes(words))?.click();
const standing = () => (mapHolder.get() as MapController | null)?.standing.placeOf(id);

const READER = ['thing:read', 'incident:read'];
const FORBIDDEN = 'Sorry, you are not currently authorized to access this page.';

describe('a section that has a folder and a line in the table', () => {
  it.each([1440, 390])('stands in the navigation in its place (%d px)', async px => {
    width = px;
    signIn(READER, ['events', 'things']);
    const { at } = await visit('/dashboard', 'W 9th St');
    expect(at()).toBe('/dashboard/events');
    expect(navigation()).toEqual(['Live', 'Events']);
    expect(page.querySelector('section[aria-label="Events"]')).not.toBeNull();
  });

  it('is kept from who may not see it', async () => {
    signIn(['thing:read'], ['events', 'things']);
    await visit('/dashboard/events', FORBIDDEN);
    expect(navigation()).toEqual(['Live']);
  });

  it('is not there without its line', async () => {
    signIn(READER, ['events', 'things']);
    await visit('/dashboard/events', 'Sorry, the requested URL was not found here.', others);
    expect(navigation()).toEqual(['Live']);
  });

  it('has its list, details and edit screens in the drawer, and what they are about selected on the map', async () => {
    signIn([...READER, 'incident:update'], ['events', 'things']);
    const { at } = await visit('/dashboard/events', 'Events 1');
    press('button', 'W 9th St');
    await see(() => expect(document.activeElement?.textContent).toBe('W 9th St'));
    expect(at()).toBe(`/dashboard/events/${id}`);
    expect(page.querySelector('article')?.textContent).toContain('The ONSCENE');
    expect(selection.get().selected).toBe(id);
    await see(() => expect(mapHolder.get()?.getState().selected).toBe(id));
    press('a', 'Edit');
    await see(() => expect(document.activeElement?.textContent).toBe('Edit Place'));
    await see(() => expect(page.textContent).toContain('Place of W 9th St'));
    expect(at()).toBe(`/dashboard/events/${id}/edit/place`);
    press('article button', 'Event');
    await see(() => expect(document.activeElement?.textContent).toBe('W 9th St'));
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    await see(() => expect(page.textContent).toContain('Events 1'));
    expect(selection.get()).toEqual({ selected: null, last: id });
  });

  it('guards its edit screens', async () => {
    signIn(READER, ['events', 'things']);
    const { at } = await visit(`/dashboard/events/${id}/edit`, FORBIDDEN);
    expect(at()).toBe(`/dashboard/events/${id}/edit/place`);
  });

  it('says that a row is missing, and leads out', async () => {
    signIn(READER, ['events', 'things']);
    const { at } = await visit('/dashboard/events/gone', 'It may have ended.');
    press('[role=status] button', 'Events');
    await see(() => expect(at()).toBe('/dashboard/events'));
  });

  it('leaves a detail for its list with another organization', async () => {
    signIn(READER, ['events', 'things']);
    const { at } = await visit(`/dashboard/events/${id}`, 'The ONSCENE');
    session.switchOrganization('o2');
    await see(() => expect(at()).toBe('/dashboard/events'));
  });

  it('has its rows on the map while it is shown', async () => {
    signIn(READER, ['events', 'things']);
    await visit('/dashboard/events', 'Events 1');
    await see(() => expect(standing()).toEqual({ lat, lng }));
    press('nav a', 'Live');
    await see(() => expect(page.textContent).toContain('Live Assets'));
    await see(() => expect(standing()).toBeNull());
  });

  it('asks again for what keeps its address when the network is back', async () => {
    const follow = vi.fn(() => () => undefined);
    const address = vi.fn(async () => {
      if (address.mock.calls.length === 1) throw new ChunkError('missing');
      return follow;
    });
    signIn(READER, ['events', 'things']);
    await visit('/dashboard/events', 'Events 1', [...others, { ...events, address }]);
    expect(address).toHaveBeenCalledTimes(1);
    window.dispatchEvent(new Event('online'));
    await see(() => expect(follow).toHaveBeenCalledTimes(1));
    window.dispatchEvent(new Event('online'));
    expect(address).toHaveBeenCalledTimes(2);
  });
});
