import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from '~/lib/store';
import { instantOf } from '~/model/instant';
import { mapFoot } from '~/section/view';
import { begin, clock, end, seek, setSkips, takeAsked } from '../clock';
import { keepPrepared, type PreparedThing, prepared } from '../prepared';
import { type ShownTrips, shownTrips } from '../shown';
import { Bar } from './Bar';
import { Curve } from './Curve';
import { useClockKeys } from './keys';
import { Lanes } from './Lanes';
import { Legend } from './Legend';
import { Axis, Scrubber } from './Scrubber';
import { allSilent } from './scale';
import styles from './timeline.module.css';

/** What the shown assets did, with a player, over the map's lower edge. Nothing while no trips are shown. */
export function Timeline() {
  const foot = useStore(mapFoot);
  const hasAny = useStore(shownTrips, shown => shown !== undefined && shown.things.length > 0);
  return foot && hasAny ? createPortal(<Panel />, foot) : null;
}

/** Where the clock begins: at the chosen trip, else where the first one of all does. */
function beginningOf({ from, things, selected }: ShownTrips): number {
  const chosen = chosenOf(things, selected);
  if (chosen) return chosen.start;
  const starts = things.flatMap(({ trips }) => [...trips.runs, ...trips.other].map(trip => instantOf(trip.run_start)));
  return starts.length > 0 ? Math.min(...starts) : from;
}

function chosenOf(things: ShownTrips['things'], selected: ShownTrips['selected']) {
  const trips = things.find(({ id }) => id === selected?.thingId)?.trips;
  const trip = [...(trips?.runs ?? []), ...(trips?.other ?? [])].find(({ run_id }) => run_id === selected?.runId);
  return trip && { start: instantOf(trip.run_start), end: instantOf(trip.run_end) };
}

/** Sets the clock to the period shown; a chosen one starts at its beginning. */
function useClock(): void {
  const shown = useStore(shownTrips);
  const ids = shown?.things.map(({ id }) => id).join(' ');
  const { from = 0, to = 0 } = shown ?? {};
  const chosen = shown?.selected && `${shown.selected.thingId} ${shown.selected.runId}`;
  useEffect(() => {
    const now = shownTrips.get();
    if (now && ids !== undefined) begin(from, to, takeAsked() ?? beginningOf(now));
  }, [from, to, ids]);
  useEffect(() => {
    const now = shownTrips.get();
    const trip = chosen && now ? chosenOf(now.things, now.selected) : undefined;
    const { at } = clock.get();
    if (trip && (at < trip.start || at > trip.end)) seek(trip.start);
  }, [chosen]);
  useEffect(() => end, []);
}

/** The prepared assets as far as they are those that are shown. */
function useThings(): readonly PreparedThing[] {
  useEffect(keepPrepared, []);
  const things = useStore(prepared, ({ things }) => things);
  useEffect(() => setSkips(allSilent(things.map(({ states }) => states.spans))), [things]);
  return things;
}

function Panel() {
  useClock();
  const things = useThings();
  const panel = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(true);
  useClockKeys(panel);
  return (
    <section ref={panel} className={styles.panel} aria-label="Timeline" data-over-map>
      <Bar isOpen={isOpen} onOpen={setOpen} />
      <div className={styles.body}>
        <Scrubber />
        {isOpen && <Lanes things={things} />}
        {isOpen && <Curve things={things} />}
        <Axis />
      </div>
      {isOpen && <Legend />}
    </section>
  );
}
