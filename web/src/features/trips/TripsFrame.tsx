import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useOrganization } from '~/session';
import { useNames } from './names';
import { letterOf, type TripColor } from './palette';
import { useTrips } from './queries';
import { type ShownTrips, shownTrips } from './shown';
import { Timeline } from './timeline/Timeline';
import { useTripParams } from './view';

/** Around the list and the detail: gives the answer to the map and the timeline as long as the section is open. */
export function TripsFrame() {
  return <Frame key={useOrganization().id} />;
}

const NONE: readonly string[] = [];

function Frame() {
  const asked = useTripParams();
  const query = asked?.isSound ? asked.query : undefined;
  const { data } = useTrips(query);
  const names = useNames(query?.things ?? NONE);
  const { thingId, runId } = useParams({ strict: false }) as { thingId?: string; runId?: string };
  const things = useMemo(
    () =>
      query?.things.flatMap((id, index) => {
        const trips = data?.trips.find(one => one.thing_id === id);
        const look = { letter: letterOf(index), color: index as TripColor };
        return trips ? [{ id, name: names[index] ?? '', ...look, trips }] : [];
      }),
    [query, data, names],
  );
  const shown = useMemo((): ShownTrips | undefined => {
    if (!query || !things || !data) return undefined;
    const trips = things.find(thing => thing.id === thingId)?.trips;
    const isThere = [...(trips?.runs ?? []), ...(trips?.other ?? [])].some(trip => trip.run_id === runId);
    const selected = isThere && thingId && runId ? { thingId, runId } : undefined;
    return { from: query.from, to: query.to, things, selected };
  }, [query, data, things, thingId, runId]);
  useEffect(() => shownTrips.set(shown), [shown]);
  useEffect(() => () => shownTrips.set(undefined), []);
  return (
    <>
      <Outlet />
      <Timeline />
    </>
  );
}
