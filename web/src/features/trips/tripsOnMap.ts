import { type MapTrip, tripLayer } from '~/map/layers/trip';
import type { CardContent, LatLngBounds, MapControl } from '~/map/types';
import { DATE_PATTERNS, dateText, speedIn } from '~/model/format';
import { instantOf } from '~/model/instant';
import type { MapNoun } from '~/section/map';
import { mapFoot, pastShown } from '~/section/view';
import { currentWords } from '~/section/words';
import { detailPath } from './paths';
import { keepPrepared, type PreparedThing, prepared, tripRowId } from './prepared';
import { shownTrips } from './shown';
import type { TrackTrip } from './track';

/** The trips that are shown: the one that is looked at above the others. The camera goes to them once. */
export const tripsOn: MapNoun = {
  kind: tripLayer.kind,
  layer: tripLayer,
  has: id => find(id) !== undefined,
  path: id => {
    const found = find(id);
    return found ? detailPath(found.thing.id, found.one.trip.run_id) : '';
  },
  card: id => {
    const found = find(id);
    return found ? tripCard(found.thing, found.one) : null;
  },
  bind(map, changed) {
    const chosenRow = chooser();
    const show = () => {
      map.setRows(tripLayer, chosenRow());
      changed();
    };
    const look = looker(map);
    const unkeep = keepPrepared();
    show();
    look();
    const offs = [
      prepared.subscribe(show),
      shownTrips.subscribe(show),
      prepared.subscribe(look),
      shownTrips.subscribe(look),
    ];
    return () => {
      for (const off of offs) off();
      unkeep();
      pastShown.set(false);
    };
  },
};

function find(id: string): { thing: PreparedThing; one: TrackTrip } | undefined {
  for (const thing of prepared.get().things) {
    const one = thing.track.trips.find(({ trip }) => tripRowId(thing.id, trip.run_id) === id);
    if (one) return { thing, one };
  }
  return undefined;
}

const selectedId = (): string | undefined => {
  const selected = shownTrips.get()?.selected;
  return selected && tripRowId(selected.thingId, selected.runId);
};

/** The rows with the chosen one marked: that one alone is another object while it is chosen. */
function chooser(): () => MapTrip[] {
  let marked: { of: MapTrip; row: MapTrip } | undefined;
  return () => {
    const chosen = selectedId();
    return prepared
      .get()
      .things.flatMap(({ rows }) => rows)
      .map(row => {
        if (row.id !== chosen) return row;
        if (marked?.of !== row) marked = { of: row, row: { ...row, isChosen: true } };
        return marked.row;
      });
  };
}

/** The box around the points of an asset's trips; null for none. */
function boundsOf(parts: readonly { thing: PreparedThing; from: number; to: number }[]): LatLngBounds | null {
  const box = { south: 90, west: 180, north: -90, east: -180 };
  for (const { thing, from, to } of parts) {
    const { lat, lng } = thing.track;
    for (let i = from; i < to; i++) {
      box.south = Math.min(box.south, lat[i] as number);
      box.north = Math.max(box.north, lat[i] as number);
      box.west = Math.min(box.west, lng[i] as number);
      box.east = Math.max(box.east, lng[i] as number);
    }
  }
  return box.south <= box.north ? box : null;
}

/** Brings into view what is looked at, once each time that it is something else: the chosen trip, else all. */
function looker(map: MapControl): () => void {
  let looked = '';
  return () => {
    const shown = shownTrips.get();
    const { things, of } = prepared.get();
    if (!shown) {
      looked = '';
      pastShown.set(false);
    }
    if (!shown || of !== shown.things || things.length === 0) return;
    const key = [selectedId() ?? 'all', shown.from, shown.to, ...shown.things.map(({ id }) => id)].join(' ');
    if (key === looked) return;
    const found = find(selectedId() ?? '');
    const bounds = found
      ? boundsOf([{ thing: found.thing, from: found.one.from, to: found.one.to }])
      : boundsOf(things.map(thing => ({ thing, from: 0, to: thing.track.size })));
    looked = key;
    if (!bounds) return;
    pastShown.set(true);
    map.fitBounds(bounds);
    onceFootStands(() => looked === key && map.fitBounds(bounds));
  };
}

/** Calls back when the timeline, which covers the map's lower edge, has come and the camera knows of it. */
function onceFootStands(then: () => void): void {
  const foot = mapFoot.get();
  if (!foot || foot.offsetHeight > 0) return;
  const observer = new ResizeObserver(() => {
    if (foot.offsetHeight === 0) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(then));
  });
  observer.observe(foot);
}

/** The card of a trip: whose it is, when, from where to where. */
function tripCard({ name, letter }: PreparedThing, { trip, isRun }: TrackTrip): CardContent {
  const words = currentWords();
  const time = (text: string) => dateText(instantOf(text), words.timeZone, DATE_PATTERNS.time);
  const top = trip.top_speed === null ? '' : `${speedIn(words.speedUnit, trip.top_speed)} ${words.speedUnit}`;
  return {
    title: name,
    subtitle: `${letter} · ${isRun ? 'Run' : 'Movement'}`,
    lines: [
      { label: 'Time', value: `${time(trip.run_start)} – ${trip.is_active ? 'now' : time(trip.run_end)}` },
      { label: 'From', value: trip.street_start },
      { label: 'To', value: trip.street_end },
      { label: 'Top speed', value: top },
    ].filter(({ value }) => value !== ''),
  };
}
