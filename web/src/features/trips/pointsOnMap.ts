import limits from '@catalog/limits.json';
import { type MapTripPoint, tripPointLayer } from '~/map/layers/tripPoint';
import type { CardContent, LatLngBounds } from '~/map/types';
import { compass, DATE_PATTERNS, dateText, speedIn } from '~/model/format';
import type { MapNoun } from '~/section/map';
import { currentWords } from '~/section/words';
import { keepPrepared, type PreparedThing, prepared } from './prepared';

const FROM_ZOOM = limits.map.tripPointsZoom.value;
const ID = 'trippoint ';
/** More in view cannot be told apart. */
const POINTS_MAX = 1500;
/** Points of an asset that stands lie on one another: so near (degrees, half a meter) only the first is drawn. */
const SAME_DEG = 0.000005;

/** The single reports of the shown trips, where they are in view and near enough. */
export const pointsOn: MapNoun = {
  kind: tripPointLayer.kind,
  layer: tripPointLayer,
  has: id => id.startsWith(ID) && pointOf(id) !== undefined,
  card: id => {
    const point = pointOf(id);
    return point ? pointCard(point.thing, point.i) : null;
  },
  bind(map) {
    let isShown = false;
    const show = () => {
      const view = map.view();
      const rows = view && view.zoom >= FROM_ZOOM ? pointRows(prepared.get().things, view.bounds) : [];
      if (rows.length === 0 && !isShown) return;
      isShown = rows.length > 0;
      map.setRows(tripPointLayer, rows);
    };
    const unkeep = keepPrepared();
    show();
    const offs = [prepared.subscribe(show), map.on('view', show), map.on('ready', show)];
    return () => {
      for (const off of offs) off();
      unkeep();
    };
  },
};

const idOf = (thing: Pick<PreparedThing, 'id'>, i: number): string => `${ID}${i} ${thing.id}`;

function pointOf(id: string): { thing: PreparedThing; i: number } | undefined {
  const [, at = '', thingId] = /^trippoint (\d+) (.*)$/.exec(id) ?? [];
  const thing = prepared.get().things.find(one => one.id === thingId);
  const i = Number(at);
  return thing && i < thing.track.size ? { thing, i } : undefined;
}

/** The points in view, without those on top of the one before; of too many, every second, third… of all. */
export function pointRows(
  things: readonly PreparedThing[],
  { south, west, north, east }: LatLngBounds,
): MapTripPoint[] {
  const rows = things.flatMap(thing => {
    const { lat, lng, size } = thing.track;
    const found: MapTripPoint[] = [];
    let last = { lat: 99, lng: 999 };
    for (let i = 0; i < size; i++) {
      const [y, x] = [lat[i] as number, lng[i] as number];
      if (y < south || y > north || x < west || x > east) continue;
      if (Math.abs(y - last.lat) < SAME_DEG && Math.abs(x - last.lng) < SAME_DEG) continue;
      last = { lat: y, lng: x };
      found.push({ id: idOf(thing, i), lat: y, lng: x, color: thing.color });
    }
    return found;
  });
  const each = Math.ceil(rows.length / POINTS_MAX);
  return each > 1 ? rows.filter((_, k) => k % each === 0) : rows;
}

/** The card of a point: when it was reported, how fast and where to. */
function pointCard(thing: PreparedThing, i: number): CardContent {
  const { timeZone, speedUnit } = currentWords();
  const { time, speed, course } = thing.track;
  const way = compass(course[i]);
  return {
    title: dateText(time[i] as number, timeZone, DATE_PATTERNS.timeSeconds),
    subtitle: `${thing.letter} · ${thing.name}`,
    lines: [
      { label: 'Speed', value: `${speedIn(speedUnit, speed[i] as number)} ${speedUnit}` },
      { label: 'Course', value: way ? `${way} · ${Math.round(course[i] as number)}°` : '' },
    ].filter(({ value }) => value !== ''),
  };
}
