import type { Feature } from 'geojson';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MapTrip, tripLayer } from '~/map/layers/trip';
import type { MapControl, MapView } from '~/map/types';
import { pastShown } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { begin, clock, end, seek, setFollow } from './clock';
import { headRows, headsOn } from './headsOnMap';
import { pointRows, pointsOn } from './pointsOnMap';
import { prepared } from './prepared';
import { type ShownTrips, shownTrips } from './shown';
import { aPoint, aThingsTrips, aTrip, drive, iso, random, T0 } from './testtrips';
import { GAP_MS } from './track';
import { tripsOn } from './tripsOnMap';

const VIEW: MapView = {
  center: { lat: 39.7, lng: -75.5 },
  middle: { lat: 39.7, lng: -75.5 },
  zoom: 17.5,
  bounds: { south: 39.699, west: -75.501, north: 39.701, east: -75.498 },
};

/** A map that notes what is put on it. */
function aMap() {
  const rows = new Map<string, readonly { id: string }[]>();
  const map = {
    setRows: vi.fn(({ kind }: { kind: string }, list: readonly { id: string }[]) => rows.set(kind, list)),
    setHeads: vi.fn(),
    fitBounds: vi.fn(),
    keepUp: vi.fn(),
    view: () => VIEW,
    on: () => () => undefined,
  };
  return { map, rows, control: map as unknown as MapControl };
}

const thing = (
  id: string,
  trips: Parameters<typeof aThingsTrips>[0],
  color: 0 | 1 = 0,
): ShownTrips['things'][number] => ({
  id,
  name: `Unit ${id}`,
  letter: color === 0 ? 'A' : 'B',
  color,
  trips: aThingsTrips({ thing_id: id, ...trips }),
});

const show = (things: ShownTrips['things'], selected?: ShownTrips['selected']) =>
  shownTrips.set({ from: T0, to: T0 + 3_600_000, things, selected });

const ready = () =>
  vi.waitFor(() => expect(prepared.get()).toMatchObject({ isAll: true, of: shownTrips.get()?.things }));

let offs: (() => void)[] = [];
beforeEach(() => {
  session.state.set({
    phase: 'signedIn',
    profile: profileOf(profileWith({ timezone: 'UTC' }, {}, {})),
    organizationId: 'o1',
  });
  offs = [];
});
afterEach(() => {
  for (const off of offs) off();
  shownTrips.set(undefined);
  end();
});

const lines = (row: MapTrip): Feature[] =>
  [tripLayer.feature(row, { selected: false, faint: false })].flat().filter(one => one.geometry.type === 'LineString');

describe('trips on the map', () => {
  it('are drawn once each; the chosen one alone is drawn again', async () => {
    const { rows, control } = aMap();
    const things = [thing('a', { runs: [aTrip(drive(T0, 60)), aTrip(drive(T0 + 900_000, 60))] })];
    offs.push(tripsOn.bind(control, () => undefined));
    show(things);
    await ready();
    const before = rows.get('trip') as MapTrip[];
    expect(before.map(({ isChosen }) => isChosen)).toEqual([false, false]);
    show(things, { thingId: 'a', runId: `run ${iso(T0)}` });
    await ready();
    const after = rows.get('trip') as MapTrip[];
    expect(after.map(({ isChosen }) => isChosen)).toEqual([true, false]);
    expect(after[1]).toBe(before[1]);
    expect(tripLayer.rank(after[0] as MapTrip)).toBeGreaterThan(tripLayer.rank(after[1] as MapTrip));
  });

  it('stay the same objects when a name comes later', async () => {
    const { rows, control } = aMap();
    const one = thing('a', { runs: [aTrip(drive(T0, 60))] });
    offs.push(tripsOn.bind(control, () => undefined));
    show([one]);
    await ready();
    const [before] = rows.get('trip') ?? [];
    show([{ ...one, name: 'Engine 4' }]);
    expect(rows.get('trip')?.[0]).toBe(before);
    await ready();
    expect(rows.get('trip')?.[0]).toBe(before);
  });

  it('move the camera once for each thing that is looked at, and not while the clock runs', async () => {
    const { map, control } = aMap();
    const things = [thing('a', { runs: [aTrip(drive(T0, 60)), aTrip(drive(T0 + 900_000, 600))] })];
    offs.push(tripsOn.bind(control, () => undefined));
    show(things);
    await ready();
    expect(map.fitBounds).toHaveBeenCalledTimes(1);
    expect(pastShown.get()).toBe(true);
    begin(T0, T0 + 3_600_000, T0);
    seek(T0 + 5000);
    expect(map.fitBounds).toHaveBeenCalledTimes(1);
    show(things, { thingId: 'a', runId: `run ${iso(T0)}` });
    await ready();
    expect(map.fitBounds).toHaveBeenCalledTimes(2);
    expect(map.fitBounds.mock.lastCall?.[0]).toMatchObject({ west: -75.5, east: expect.closeTo(-75.4941, 6) });
  });

  it('have no line over a gap, whatever the points are', async () => {
    const next = random(3);
    const { rows, control } = aMap();
    let at = T0;
    const points = Array.from({ length: 400 }, (_, i) => {
      at += next() < 0.1 ? GAP_MS + 1000 : 1000;
      return aPoint(at, { lng: -75 + i * 0.001, lat: 39 + next(), speed: next() * 30 });
    });
    offs.push(tripsOn.bind(control, () => undefined));
    show([thing('a', { runs: [aTrip(points)], lights: [{ start: iso(T0 + 60_000), end: iso(T0 + 5e6) }] })]);
    await ready();
    const time = new Map(points.map(({ lng, timestamp }) => [lng, Date.parse(timestamp)]));
    const index = new Map(points.map(({ lng }, i) => [lng, i]));
    const drawn = (rows.get('trip') as MapTrip[]).flatMap(lines);
    expect(drawn.length).toBeGreaterThan(50);
    for (const { geometry } of drawn) {
      const { coordinates } = geometry as unknown as { coordinates: [number, number][] };
      for (let k = 1; k < coordinates.length; k++) {
        const [from, to] = [coordinates[k - 1]?.[0] as number, coordinates[k]?.[0] as number];
        // Points between two that are drawn may have been left out: none of the steps between them is a gap.
        for (let i = index.get(from) as number; i < (index.get(to) as number); i++) {
          const step =
            (time.get(points[i + 1]?.lng as number) as number) - (time.get(points[i]?.lng as number) as number);
          expect(step).toBeLessThanOrEqual(GAP_MS);
        }
      }
    }
  });

  it('say whose they are, when and where to', async () => {
    const { control } = aMap();
    offs.push(tripsOn.bind(control, () => undefined));
    show([thing('a', { runs: [aTrip(drive(T0, 60))] })]);
    await ready();
    const id = `a/run ${iso(T0)}`;
    expect(tripsOn.has(id)).toBe(true);
    expect(tripsOn.card?.(id, T0)).toMatchObject({ title: 'Unit a', subtitle: 'A · Run' });
    expect(tripsOn.path?.(id)).toBe(`/dashboard/trips/a/${encodeURIComponent(`run ${iso(T0)}`)}`);
  });
});

describe('heads', () => {
  it('stand where their assets were: with a course while they move, hollow where nothing is known', async () => {
    offs.push(headsOn.bind(aMap().control, () => undefined));
    const spans = [
      { start: iso(T0), end: iso(T0 + 60_000), state: 'moving' as const },
      { start: iso(T0 + 60_000), end: iso(T0 + 3_600_000), state: 'silent' as const },
    ];
    show([thing('a', { runs: [aTrip(drive(T0, 60))], spans }), thing('b', {}, 1)]);
    await ready();
    const rows = (at: number) => headRows(prepared.get().things, at);
    expect(rows(T0 - 1)).toEqual([]);
    expect(rows(T0 + 10_500)).toMatchObject([{ letter: 'A', course: 90, unknown: '' }]);
    expect(rows(T0 + 900_000)).toMatchObject([{ course: null, unknown: expect.stringMatching(/^No data since /) }]);
    expect(rows(T0 + 900_000)[0]?.lng).toBeCloseTo(-75.4941, 9);
  });

  it('are drawn again only where they are elsewhere; the camera follows while that is wanted', async () => {
    const { map, control } = aMap();
    offs.push(headsOn.bind(control, () => undefined));
    show([thing('a', { runs: [aTrip(drive(T0, 60))] })]);
    await ready();
    begin(T0, T0 + 3_600_000, T0 + 10_000);
    const drawn = map.setHeads.mock.calls.length;
    clock.set(now => ({ ...now }));
    expect(map.setHeads).toHaveBeenCalledTimes(drawn);
    seek(T0 + 20_000);
    expect(map.setHeads).toHaveBeenCalledTimes(drawn + 1);
    expect(map.keepUp).not.toHaveBeenCalled();
    setFollow(true);
    expect(map.keepUp).toHaveBeenLastCalledWith(expect.objectContaining({ lng: expect.closeTo(-75.498, 6) }), 250);
    setFollow(false);
    expect(map.keepUp).toHaveBeenLastCalledWith(null);
  });
});

describe('points', () => {
  it('are those in view, one for an asset that stands, and not more than can be told apart', async () => {
    const { rows, control } = aMap();
    offs.push(pointsOn.bind(control, () => undefined));
    const still = Array.from({ length: 5000 }, (_, s) => aPoint(T0 + 100_000 + s * 1000, { lng: -75.4995, lat: 39.7 }));
    show([thing('a', { runs: [aTrip([...drive(T0, 60), ...still])] })]);
    await ready();
    const list = rows.get('trippoint') ?? [];
    expect(list.length).toBeGreaterThan(5);
    expect(list.length).toBeLessThan(30);
    expect(pointsOn.card?.(list[0]?.id as string, 0)).toMatchObject({ subtitle: 'A · Unit a' });
    expect(pointsOn.has('trippoint 99999 a')).toBe(false);
    show([thing('a', { runs: [aTrip(drive(T0, 9000))] })]);
    await ready();
    const world = { south: -90, west: -180, north: 90, east: 180 };
    expect(pointRows(prepared.get().things, world).length).toBeLessThanOrEqual(1500);
  });
});
