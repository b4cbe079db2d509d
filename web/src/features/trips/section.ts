import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { Route } from 'lucide-react';
import { chunk } from '~/lib/chunk';
import { lazyPart } from '~/lib/lazyPart';
import type { SectionRow } from '~/section/section';
import { kept } from './keptSearch';

const TripsFrame = lazyPart(() => import('./screens'), 'TripsFrame');
const TripList = lazyPart(() => import('./screens'), 'TripList');
const TripDetail = lazyPart(() => import('./screens'), 'TripDetail');

/** The list and the detail stand in one frame: what the map shows of the answer stays while they change. */
function routes(dashboard: AnyRoute): readonly AnyRoute[] {
  const frame = createRoute({
    getParentRoute: () => dashboard,
    id: 'trips',
    search: { middlewares: [kept.keep] },
    component: TripsFrame,
  }) as unknown as AnyRoute;
  return [
    frame.addChildren([
      createRoute({ getParentRoute: () => frame, path: 'trips', component: TripList }),
      createRoute({ getParentRoute: () => frame, path: 'trips/$thingId/$runId', component: TripDetail }),
    ]) as AnyRoute,
  ];
}

/** What some assets did in the past. */
export const trips: SectionRow = {
  id: 'trips',
  look: { icon: Route, label: () => 'Trips' },
  frame: 'map',
  routes,
  address: chunk(() => import('./filterAddress').then(module => module.followAddress)),
  map: chunk(() => import('./layer').then(module => module.tripsOnMap)),
};
