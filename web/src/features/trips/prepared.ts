import { createStore } from '~/lib/store';
import type { MapTrip } from '~/map/layers/trip';
import { durationWords } from './durations';
import { type States, statesOf } from './heads';
import { type ShownTrips, shownTrips } from './shown';
import { lineOf } from './simplify';
import { linesOf, type Track, type TrackTrip, trackOf } from './track';
import type { ThingTrips } from './wire';

type ShownThing = ShownTrips['things'][number];

/** A shown asset, ready to be drawn and played. */
export interface PreparedThing extends Omit<ShownThing, 'trips'> {
  readonly states: States;
  readonly track: Track;
  /** its trips as the map draws them; none is chosen */
  readonly rows: readonly MapTrip[];
}

export interface Prepared {
  readonly things: readonly PreparedThing[];
  /** what `things` were made of; undefined while nothing is shown */
  readonly of: ShownTrips['things'] | undefined;
  /** all trips have their lines */
  readonly isAll: boolean;
}

const NOTHING: Prepared = { things: [], of: undefined, isAll: true };

/** The shown assets as they get ready. A day of five assets is a third of a second's work: it is done in turns. */
export const prepared = createStore<Prepared>(NOTHING);

/** Longer no turn takes: a click or a frame waits no more than this. */
const TURN_MS = 16;
/** So many points of lines go to the map together: each time it looks at all lines again. */
const SHOW_EACH = 40_000;

/** The id of a trip's row on the map. Movements outside of runs have ids that are their asset's own. */
export const tripRowId = (thingId: string, runId: string): string => `${thingId}/${runId}`;

const known = new WeakMap<ThingTrips, { track: Track; states: States }>();
const rowsKnown = new WeakMap<TrackTrip, MapTrip>();

/** The columns and states of an asset, made once for each answer of the server. */
function madeOf(trips: ThingTrips): { track: Track; states: States } {
  const before = known.get(trips);
  if (before) return before;
  const made = { track: trackOf(trips), states: statesOf(trips) };
  known.set(trips, made);
  return made;
}

const boxOf = (line: readonly (readonly [number, number])[]): [number, number, number, number] => {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lng, lat] of line) {
    west = Math.min(west, lng);
    east = Math.max(east, lng);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
};

/** A trip as the map draws it. */
function rowOf(thing: ShownThing, track: Track, one: TrackTrip, { lights }: States): MapTrip {
  const { stretches, parts, edges } = linesOf(track, one, lights);
  const at = (i: number) => ({ lat: track.lat[i] as number, lng: track.lng[i] as number });
  return {
    id: tripRowId(thing.id, one.trip.run_id),
    color: thing.color,
    letter: thing.letter,
    isRun: one.isRun,
    isChosen: false,
    stretches: stretches.map(([from, to]) => {
      const line = lineOf(track, from, to);
      return { line, box: boxOf(line) };
    }),
    parts: parts.map(({ from, to, shade, isLit }) => ({ line: lineOf(track, from, to), shade, isLit })),
    edges: edges.map(at),
    stops: one.trip.stops.map(({ lat, lng, start, end }) => ({ lat, lng, text: durationWords(start, end) })),
    start: at(one.from),
    end: at(one.to - 1),
  };
}

const pointsOf = ({ parts, stretches }: MapTrip): number =>
  [...parts, ...stretches].reduce((sum, { line }) => sum + line.length, 0);

/** The row that was made of a trip before, if it looks the same. */
function knownRow({ color, letter }: Pick<ShownThing, 'color' | 'letter'>, one: TrackTrip): MapTrip | undefined {
  const row = rowsKnown.get(one);
  return row?.color === color && row.letter === letter ? row : undefined;
}

/** The work of getting ready, a piece at a time: it stops after each asset's columns and each trip's lines. */
function* work(of: ShownTrips['things']): Generator<undefined> {
  const things: PreparedThing[] = [];
  for (const { trips, ...named } of of) {
    things.push({ ...named, ...madeOf(trips), rows: [] });
    yield undefined;
  }
  // What stands on the map already stays there.
  const show = (isAll: boolean) => {
    const rows = (thing: PreparedThing) => thing.track.trips.flatMap(one => knownRow(thing, one) ?? []);
    prepared.set({ things: things.map(thing => ({ ...thing, rows: rows(thing) })), of, isAll });
  };
  show(false);
  let fresh = 0;
  for (const [k, { track, states }] of things.entries()) {
    const thing = of[k] as ShownThing;
    for (const one of track.trips) {
      if (knownRow(thing, one)) continue;
      const row = rowOf(thing, track, one, states);
      rowsKnown.set(one, row);
      fresh += pointsOf(row);
      if (fresh > SHOW_EACH) {
        show(false);
        fresh = 0;
      }
      yield undefined;
    }
  }
  show(true);
}

let timer: ReturnType<typeof setTimeout> | undefined;
let users = 0;
let unfollow = () => {};

function begin(): void {
  const of = shownTrips.get()?.things;
  if (of === prepared.get().of && prepared.get().isAll) return;
  clearTimeout(timer);
  if (!of || of.length === 0) {
    prepared.set(NOTHING);
    return;
  }
  const steps = work(of);
  const turn = () => {
    const until = performance.now() + TURN_MS;
    while (performance.now() < until) if (steps.next().done) return;
    timer = setTimeout(turn);
  };
  turn();
}

/** Keeps what is shown ready, as long as somebody wants it; returns the way to stop. */
export function keepPrepared(): () => void {
  users++;
  if (users === 1) {
    unfollow = shownTrips.subscribe(begin);
    begin();
  }
  return () => {
    users--;
    if (users > 0) return;
    unfollow();
    clearTimeout(timer);
    prepared.set(NOTHING);
  };
}
