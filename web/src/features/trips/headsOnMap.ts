import type { MapControl, MapHead } from '~/map/types';
import type { MapNoun } from '~/section/map';
import { currentWords } from '~/section/words';
import { type ClockState, clock, setFollow } from './clock';
import { headAt, unknownText } from './heads';
import { keepPrepared, type PreparedThing, prepared } from './prepared';
import { shownTrips } from './shown';

/** The heads are moved so often while the clock runs (ms): no eye sees more. */
const DRAW_MS = 30;
/** The camera goes on so often, gliding from one place to the next. */
const FOLLOW_MS = 250;

/** Where the shown assets are at the clock's instant. */
export const headsOn: MapNoun = {
  kind: 'triphead',
  has: () => false,
  bind(map) {
    const draw = drawer(map);
    const keepUp = follower(map);
    const unkeep = keepPrepared();
    draw();
    const offs = [
      clock.subscribe(() => {
        draw();
        keepUp();
      }),
      prepared.subscribe(() => draw(true)),
      map.on('followend', () => setFollow(false)),
    ];
    return () => {
      for (const off of offs) off();
      map.setHeads([]);
      unkeep();
    };
  },
};

/** The heads at an instant; an asset that was not seen yet has none. */
export function headRows(things: readonly PreparedThing[], at: number): MapHead[] {
  return things.flatMap(thing => {
    const { place, state, unknownSince } = headAt(thing.track, thing.states, at);
    if (!place) return [];
    return {
      id: thing.id,
      lat: place.lat,
      lng: place.lng,
      color: thing.color,
      letter: thing.letter,
      course: state === 'moving' && place.speed > 0 ? place.course : null,
      unknown: unknownSince === null ? '' : unknownText(unknownSince, currentWords()),
    };
  });
}

const isSame = (a: MapHead | undefined, b: MapHead): boolean =>
  a !== undefined && (Object.keys(b) as (keyof MapHead)[]).every(key => a[key] === b[key]);

/** Draws the heads where the clock is. While it runs, some frames are left out; where it rests, none. */
function drawer(map: MapControl): (anew?: boolean) => void {
  let drawn: MapHead[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  return (anew = false) => {
    const { at, playing } = clock.get();
    const now = performance.now();
    if (playing && !anew && now - drawnAt < DRAW_MS) return;
    const rows = headRows(prepared.get().things, at).map(row => {
      const before = drawn.find(({ id }) => id === row.id);
      return before && isSame(before, row) ? before : row;
    });
    if (rows.length === drawn.length && rows.every((row, i) => row === drawn[i])) return;
    drawn = rows;
    drawnAt = now;
    map.setHeads(rows);
  };
}

/** Which asset the camera follows: that of the chosen trip, else the first. */
function followed(): PreparedThing | undefined {
  const { things } = prepared.get();
  const chosen = shownTrips.get()?.selected?.thingId;
  return things.find(({ id }) => id === chosen) ?? things[0];
}

/** Keeps the followed asset in view. */
function follower(map: MapControl): () => void {
  let before: ClockState | undefined;
  let movedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const state = clock.get();
    const { at, follow, playing } = state;
    const isNew = follow && !before?.follow;
    const isOver = !follow && before?.follow;
    const isMoved = at !== before?.at;
    before = state;
    if (isOver) map.keepUp(null);
    if (!follow) return;
    const now = performance.now();
    if (!isNew && (!isMoved || (playing && now - movedAt < FOLLOW_MS))) return;
    const thing = followed();
    const place = thing && headAt(thing.track, thing.states, at).place;
    if (!place) return;
    movedAt = now;
    map.keepUp(place, FOLLOW_MS);
  };
}
