import { describe, expect, it } from 'vitest';
import { type Ahead, type Announced, aheadOf, reachOf, withAnnounced, wordOf } from './ahead';
import { type DriverAlert, driverAlertOf } from './driverAlert';
import { advance, type Fix, type Track, turnTo } from './track';

const HOME = { lat: 39.68, lng: -75.65 };
const BEGIN = Date.parse('2026-11-27T12:00:00Z');
const M_PER_DEGREE = 111_195;

/** A place so many meters east and north of where drives begin. */
const at = (east: number, north: number) => ({
  lat: HOME.lat + north / M_PER_DEGREE,
  lng: HOME.lng + east / (M_PER_DEGREE * Math.cos((HOME.lat * Math.PI) / 180)),
});
const position = (east: number, north: number) => [at(east, north).lng, at(east, north).lat];

const alert = (id: string, east: number, north: number, more: Partial<DriverAlert> = {}): DriverAlert => ({
  id,
  category: 'vehicle',
  what: 'Fire truck on scene',
  road: '',
  bearing: null,
  expiresAt: BEGIN + 3_600_000,
  line: [position(east, north)],
  ...more,
});

const line = (id: string, places: readonly (readonly [number, number])[], bearing: number | null): DriverAlert =>
  alert(id, 0, 0, { category: 'closure', bearing, line: places.map(([east, north]) => position(east, north)) });

const fix = (seconds: number, east: number, north: number, more: Partial<Fix> = {}): Fix => ({
  at: BEGIN + seconds * 1000,
  ...at(east, north),
  accuracy: 5,
  heading: null,
  speed: null,
  ...more,
});

/** Drives through places at a speed (m/s), a position a second. */
function* along(places: readonly (readonly [number, number])[], speed: number): Generator<Fix> {
  let seconds = 0;
  for (let leg = 1; leg < places.length; leg++) {
    const [a = [0, 0], b = [0, 0]] = [places[leg - 1], places[leg]];
    const meters = Math.hypot(b[0] - a[0], b[1] - a[1]);
    for (let gone = 0; gone < meters; gone += speed) {
      const share = gone / meters;
      yield fix(seconds++, a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]));
    }
  }
}

interface Heard {
  /** Ids, the second word of one with "!". */
  words: string[];
  /** How far off the first word of each came. */
  meters: Map<string, number>;
  last: Ahead[];
  track: Track | undefined;
}

/** What a driver hears on a drive; `stream` are the alerts that are known at a second of it. */
function hear(fixes: Iterable<Fix>, stream: (seconds: number) => readonly DriverAlert[]): Heard {
  let track: Track | undefined;
  let told: Announced = new Map();
  let last: Ahead[] = [];
  const heard: string[] = [];
  const meters = new Map<string, number>();
  for (const one of fixes) {
    track = advance(track, one);
    last = aheadOf(track, stream((one.at - BEGIN) / 1000), one.at, new Set(last.map(({ alert }) => alert.id)));
    const word = wordOf(last, told, track?.speed ?? 0);
    if (!word) continue;
    told = withAnnounced(told, word);
    heard.push(word.word === 1 ? word.of.alert.id : `${word.of.alert.id}!`);
    if (word.word === 1) meters.set(word.of.alert.id, word.of.meters);
  }
  return { words: heard, meters, last, track };
}

const MOTORWAY = 29; // m/s, 65 mph
const north = [
  [0, 0],
  [0, 4000],
] as const;

describe('a motorway', () => {
  it('tells once of a scene within 45 seconds, and a short word 10 seconds before', () => {
    const { words, meters, last } = hear(along(north, MOTORWAY), () => [alert('a', 6, 3000, { bearing: 2 })]);
    expect(words).toEqual(['a', 'a!']);
    expect(meters.get('a')).toBeGreaterThan(1250);
    expect(meters.get('a')).toBeLessThanOrEqual(reachOf(MOTORWAY));
    expect(last).toEqual([]); // passed
  });

  it('tells nothing of the other carriageway', () => {
    const scene = alert('a', -20, 3000, { bearing: 182 });
    expect(hear(along(north, MOTORWAY), () => [scene]).words).toEqual([]);
    expect(hear(along(north.toReversed(), MOTORWAY), () => [scene]).words).toEqual(['a', 'a!']);
  });

  it('tells both directions of what stands on an undivided road', () => {
    const scene = alert('a', 4, 2000);
    expect(hear(along(north, MOTORWAY), () => [scene]).words).toEqual(['a', 'a!']);
    expect(hear(along(north.toReversed(), MOTORWAY), () => [scene]).words).toEqual(['a', 'a!']);
  });

  it('looks 45 seconds ahead, at least 300 m and at most 2 km', () => {
    expect([0, 5, 20, 29, 60].map(reachOf)).toEqual([300, 300, 900, 1305, 2000]);
  });

  it('says no second word in town, nor right after the first', () => {
    expect(hear(along(north, 13), () => [alert('a', 5, 2000)]).words).toEqual(['a']);
    const late = (seconds: number) => (seconds < 60 ? [] : [alert('a', 5, 60 * MOTORWAY + 200)]);
    expect(hear(along(north, MOTORWAY), late).words).toEqual(['a']);
  });

  it('tells of several, the nearest first', () => {
    const scenes = [alert('far', 0, 2500), alert('near', 0, 2300)];
    const { words } = hear(along(north, 15), () => scenes);
    expect(words).toEqual(['near', 'far']);
  });

  it('tells again only of another id', () => {
    const twice = (seconds: number) => (seconds % 7 < 3 ? [] : [alert(seconds < 90 ? 'a' : 'b', 0, 3600)]);
    expect(hear(along(north, MOTORWAY), twice).words).toEqual(['a', 'b', 'b!']);
  });
});

describe('other roads', () => {
  it('tells nothing of a street that runs beside or crosses far off', () => {
    expect(hear(along(north, 20), () => [alert('beside', 400, 2000)]).words).toEqual([]);
    expect(hear(along(north, 20), () => [alert('crossing', 180, 2000, { bearing: 92 })]).words).toEqual([]);
  });

  it('tells of what stands at the crossing', () => {
    const { words } = hear(along(north, 20), () => [alert('a', 25, 2000)]);
    expect(words[0]).toBe('a');
  });

  it('looks around a bend where the direction of traffic speaks for it', () => {
    // A quarter circle of 800 m to the right; the scene stands at its end, where traffic runs east.
    const bend = Array.from({ length: 46 }, (_, i) => {
      const turn = (i * 2 * Math.PI) / 180;
      return [800 * (1 - Math.cos(turn)), 800 * Math.sin(turn)] as const;
    });
    const drive = () => along([[0, -1500], ...bend, [3000, 800]], MOTORWAY);
    const known = hear(drive(), () => [alert('a', 800, 790, { bearing: 88 })]);
    const unknown = hear(drive(), () => [alert('a', 800, 790)]);
    const crossing = hear(drive(), () => [alert('a', 800, 790, { bearing: 268 })]);
    expect(known.words).toEqual(['a', 'a!']);
    expect(known.meters.get('a')).toBeGreaterThan(1000);
    expect(unknown.words).toEqual(['a', 'a!']);
    expect(unknown.meters.get('a')).toBeLessThan(700);
    expect(crossing.words).toEqual([]);
  });
});

describe('a closure', () => {
  const closed = (bearing: number | null) =>
    line(
      'work',
      [
        [3, 2000],
        [3, 3000],
      ],
      bearing,
    );

  it('is met at its beginning, is here within, and passed behind', () => {
    const { words, meters, last } = hear(along(north, 25), () => [closed(0)]);
    expect(words).toEqual(['work', 'work!']);
    expect(meters.get('work')).toBeGreaterThan(1050);
    expect(last).toEqual([]);
    const inside = hear(
      along(
        [
          [0, 2400],
          [0, 2600],
        ],
        25,
      ),
      () => [closed(0)],
    );
    expect(inside.last.map(({ meters, seconds, side }) => [meters, seconds, side])).toEqual([[0, 0, 'ahead']]);
    expect(inside.words).toEqual(['work']);
  });

  it('does not stand before what comes next', () => {
    const { last } = hear(
      along(
        [
          [0, 2400],
          [0, 2600],
        ],
        25,
      ),
      () => [closed(0), alert('a', 0, 2900)],
    );
    expect(last.map(one => one.alert.id)).toEqual(['a', 'work']);
  });

  it('is nothing to the other carriageway, unless it closes both', () => {
    expect(hear(along(north.toReversed(), 25), () => [closed(0)]).words).toEqual([]);
    expect(hear(along(north.toReversed(), 25), () => [closed(null)]).words).toEqual(['work', 'work!']);
  });
});

describe('a driver', () => {
  const parked = (seconds: number) =>
    Array.from({ length: seconds }, (_, i) => fix(40 + i, (i % 3) * 2, 390 + (i % 2) * 2));

  it('who is parked keeps the heading, and hears once of what stands within 300 m', () => {
    const drive = [
      ...along(
        [
          [0, 0],
          [0, 390],
        ],
        10,
      ),
      ...parked(120),
    ];
    const { words, last, track } = hear(drive, seconds => (seconds < 60 ? [] : [alert('a', 0, 600)]));
    expect(Math.abs(turnTo(0, track?.heading ?? 180))).toBeLessThan(12);
    expect(words).toEqual(['a']);
    expect(last.map(one => one.seconds)).toEqual([null]);
    expect(hear(drive, seconds => (seconds < 60 ? [] : [alert('a', 0, 1400)])).words).toEqual([]);
    expect(hear(drive, seconds => (seconds < 60 ? [] : [alert('a', 0, 300)])).words).toEqual([]); // behind
  });

  it('who has not moved yet hears nothing', () => {
    const { words, track } = hear(parked(30), () => [alert('a', 0, 500), alert('b', 0, 300)]);
    expect(track?.heading).toBeNull();
    expect(words).toEqual([]);
  });

  it('hears nothing of where the receiver jumped to', () => {
    const jumped = [...along(north, 20)].map((one, i) =>
      i === 50 ? { ...one, ...at(30_000, 5_000), heading: 90, speed: 25 } : one,
    );
    const there = alert('there', 30_500, 5_000);
    const here = alert('here', 0, 3000);
    const { words, track } = hear(jumped, () => [there, here]);
    expect(words).toEqual(['here', 'here!']);
    expect(track?.odd).toBeUndefined();
  });

  it('who went by ferry is believed there, once a second position says so', () => {
    const rest = [...along(north, 20)].map(one => ({ ...one, ...at(0, 30_000 + (one.at - BEGIN) / 50) }));
    const drive = [...[...along(north, 20)].slice(0, 30), ...rest.slice(30)];
    expect(hear(drive, () => [alert('a', 0, 32_900)]).words[0]).toBe('a');
  });

  it('is taken at the own word of the receiver, where it has one', () => {
    const one = advance(undefined, fix(0, 0, 0, { heading: 271, speed: 12 }));
    expect([one?.heading, one?.speed]).toEqual([271, 12]);
    const slow = advance(one, fix(1, 1, 0, { heading: 12, speed: 0.4 }));
    expect([slow?.heading, slow?.speed]).toEqual([271, 0.4]);
    const rough = advance(slow, fix(2, 50, 0, { accuracy: 900 }));
    expect(rough).toBe(slow);
    expect(advance(slow, fix(0, 50, 0))).toBe(slow); // older
  });
});

describe('an alert that ends', () => {
  const scene = (expires: number) => alert('a', 0, 3600, { expiresAt: BEGIN + expires * 1000 });

  it('before it is reached is gone, and has no second word', () => {
    const gone = hear(along(north, MOTORWAY), seconds => (seconds < 100 ? [scene(9999)] : []));
    expect(gone.words).toEqual(['a']);
  });

  it('by its own time is gone while nobody says so', () => {
    const { words, last } = hear([...along(north, MOTORWAY)].slice(0, 120), () => [scene(110)]);
    expect(words).toEqual(['a']);
    expect(last).toEqual([]);
    const still = hear([...along(north, MOTORWAY)].slice(0, 110), () => [scene(110)]);
    expect(still.last.map(one => one.alert.id)).toEqual(['a']);
  });
});

describe('the arrow and the color', () => {
  const drive = [...along(north, 20)].slice(0, 50);
  const one = (east: number, more: number) =>
    hear(drive, () => [alert('a', east, 980 + more)]).last.map(({ side, urgency }) => [side, urgency])[0];

  it('show where and how soon', () => {
    expect(one(0, 800)).toEqual(['ahead', 'later']);
    expect(one(0, 450)).toEqual(['ahead', 'soon']);
    expect(one(0, 150)).toEqual(['ahead', 'now']);
    expect(one(80, 200)).toEqual(['right', 'soon']);
    expect(one(-80, 200)).toEqual(['left', 'soon']);
  });
});

describe('what the stream says', () => {
  const wire = {
    id: 'x1',
    type: 'Feature',
    properties: {
      category: 'vehicle',
      message: 'Fire truck on scene ahead',
      traffic_bearing: 361,
      expires_at: '2026-11-27T12:00:30.000Z',
      road_name: 'I-95',
    },
    geometry: { type: 'Point', coordinates: [-75.65, 39.68] },
  };

  it('becomes an alert', () => {
    expect(driverAlertOf(wire)).toEqual({
      id: 'x1',
      category: 'vehicle',
      what: 'Fire truck on scene',
      road: 'I-95',
      bearing: 1,
      expiresAt: BEGIN + 30_000,
      line: [[-75.65, 39.68]],
    });
  });

  it('may be anything: what cannot be shown is left out', () => {
    const properties = (more: object) => ({ ...wire, properties: { ...wire.properties, ...more } });
    const geometry = (type: string, coordinates: unknown) => ({ ...wire, geometry: { type, coordinates } });
    const nothing = [
      null,
      7,
      [],
      {},
      { ...wire, id: '' },
      { ...wire, id: 'x'.repeat(201) },
      { ...wire, properties: null },
      { ...wire, geometry: null },
      properties({ expires_at: null }),
      properties({ expires_at: 'soon' }),
      geometry('Point', [200, 0]),
      geometry('Point', ['1', 2]),
      geometry('LineString', [[1, 2]]),
      geometry('LineString', [[1, 2], null]),
      geometry('Polygon', [[[1, 2]]]),
    ];
    expect(nothing.map(driverAlertOf)).toEqual(nothing.map(() => undefined));
    const odd = driverAlertOf(properties({ category: 'toString', message: 7, traffic_bearing: '3', road_name: null }));
    expect(odd).toMatchObject({ category: 'hazard', what: 'Hazard', bearing: null, road: '' });
    const long = Array.from({ length: 5000 }, (_, i) => [-75, 39 + i / 1e5]);
    const thinned = driverAlertOf(geometry('LineString', long));
    expect(thinned?.line.length).toBeLessThanOrEqual(1001);
    expect(thinned?.line.at(-1)).toEqual(long.at(-1));
  });
});
