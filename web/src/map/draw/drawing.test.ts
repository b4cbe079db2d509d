import type { Polygon } from 'geojson';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nearMeters } from '../geometry';
import { Drawing, type DrawOptions } from './drawing';
import { features } from './features';
import { listenUndo, mapKey, moveKey } from './keys';
import { draftOf, offsetPlace, ringOf } from './shape';
import { snapTo } from './snap';

const HOME = { lat: 39.7447, lng: -75.5484 };
const SQUARE: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [-75.55, 39.74],
      [-75.54, 39.74],
      [-75.54, 39.75],
      [-75.55, 39.75],
      [-75.55, 39.74],
    ],
  ],
};

/** A drawing without a map, what it has said and what it has told. */
function begin(options: Omit<DrawOptions, 'onChange'>) {
  const said: string[] = [];
  const told: unknown[] = [];
  const revealed: unknown[] = [];
  const drawing = new Drawing(
    { ...options, onChange: drawn => told.push(drawn) },
    {
      middle: () => HOME,
      aim: () => undefined,
      reveal: place => revealed.push(place),
      say: text => said.push(text),
      closed: () => undefined,
    },
  );
  const points = () => drawing.state.get().draft.points;
  return { drawing, said, told, revealed, points };
}

const key = (name: string, more: object = {}) => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

describe('what the points stand for', () => {
  it('is shown beside them, and is no step', () => {
    const { drawing } = begin({ kind: 'line' });
    const along = [HOME, offsetPlace(HOME, 40, 0), offsetPlace(HOME, 40, 40)];
    drawing.move(0, HOME);
    drawing.guide(along);
    drawing.move(1, offsetPlace(HOME, 40, 40));
    expect(drawing.state.get().guide).toEqual(along);
    drawing.undo();
    expect(drawing.state.get().canUndo).toBe(true);
    const parts = features([], 'line', drawing.state.get()).map(({ properties }) => properties?.part);
    expect(parts).toEqual(['guide', 'vertex']);
  });
});

describe('a polygon', () => {
  it('is what it began as, and in the same order', () => {
    expect(begin({ kind: 'polygon', initial: SQUARE }).drawing.get()).toEqual(SQUARE);
  });

  it('goes back and forth through every step, by whatever hand it was done', () => {
    const { drawing, points, told } = begin({ kind: 'polygon' });
    const states = [points()];
    const did = (act: () => void) => {
      act();
      states.push(points());
    };
    for (const east of [0, 100, 200]) did(() => drawing.move(99, offsetPlace(HOME, east / 2, east)));
    did(() => drawing.finish());
    did(() => drawing.nudge(1, 0));
    did(() => drawing.drew({ ...drawing.state.get().draft, points: points().with(0, offsetPlace(HOME, -50, 0)) }));
    expect(told.filter(drawn => drawn !== null)).toHaveLength(3); // whole from the moment it was finished
    for (const before of states.slice(0, -1).toReversed()) {
      expect(drawing.undo()).toBe(true);
      expect(points()).toEqual(before);
    }
    expect(drawing.undo()).toBe(false);
    expect(drawing.get()).toBeNull();
    for (const after of states.slice(1)) {
      expect(drawing.redo()).toBe(true);
      expect(points()).toEqual(after);
    }
    expect(drawing.redo()).toBe(false);
    drawing.undo();
    drawing.select(0);
    drawing.nudge(5, 5);
    expect(drawing.state.get().canRedo).toBe(false);
  });

  it('counts one press of the pointer as one step', () => {
    const { drawing, points } = begin({ kind: 'polygon', initial: SQUARE });
    const { draft } = drawing.state.get();
    const press = {};
    const inserted = draft.points.toSpliced(1, 0, HOME);
    drawing.drew({ ...draft, points: inserted }, press);
    drawing.drew({ ...draft, points: inserted.with(1, offsetPlace(HOME, 30, 0)) }, press);
    expect(points()).toHaveLength(5);
    drawing.undo();
    expect(drawing.get()).toEqual(SQUARE);
  });

  it('says what was done, how it stands and what is wrong with it', () => {
    const { drawing, said } = begin({
      kind: 'polygon',
      initial: SQUARE,
      describe: () => '0.12 square miles',
      check: drawn => ((drawn as Polygon).coordinates[0]?.length === 4 ? 'Too few.' : null),
    });
    drawing.select(2);
    drawing.nudge(0, 10);
    expect(said.at(-1)).toBe('Point 3 moved. 4 points, 0.12 square miles.');
    drawing.remove();
    expect(said.at(-1)).toBe('Point 3 removed. 3 points, 0.12 square miles. Too few.');
    expect(drawing.state.get()).toMatchObject({ problem: 'Too few.', selected: null });
    drawing.undo();
    expect(said.at(-1)).toBe('Undone. 4 points, 0.12 square miles.');
  });

  it('is open again when too few points are left, and finishes with three', () => {
    const { drawing, told, said } = begin({ kind: 'polygon', initial: SQUARE });
    for (const at of [0, 0]) {
      drawing.select(at);
      drawing.remove();
    }
    expect(drawing.state.get().draft.isClosed).toBe(false);
    expect(told.at(-1)).toBeNull();
    expect(drawing.finish()).toBe(false);
    expect(said.at(-1)).toBe('Set at least 3 points.');
    drawing.add();
    expect(drawing.finish()).toBe(true);
  });

  it('adds a point halfway to the next one, of the last one to the first', () => {
    const { drawing, points } = begin({ kind: 'polygon', initial: SQUARE });
    drawing.select(3);
    drawing.add();
    expect(points()[4]).toEqual({ lat: 39.745, lng: -75.55 });
    expect(drawing.state.get().selected).toBe(4);
  });

  it('takes no more points than the law allows, by hand or by key', () => {
    const { drawing, points, said } = begin({ kind: 'polygon', initial: SQUARE, mostPoints: 4 });
    const { draft } = drawing.state.get();
    drawing.drew({ ...draft, points: [...draft.points, HOME] });
    drawing.add();
    expect(points()).toEqual(draft.points);
    expect(said.at(-1)).toBe('A shape can have 4 points at most.');
    // The map is told to show what stands, without the point that it has.
    expect(drawing.state.get().draft).not.toBe(draft);
  });
});

describe('keys', () => {
  it('move the selected point by a meter on the ground, with Shift by ten', () => {
    const { drawing, points, revealed } = begin({
      kind: 'line',
      initial: {
        type: 'LineString',
        coordinates: [
          [-75.5, 60],
          [-75.4, 60],
        ],
      },
    });
    const [from] = points();
    if (!from) throw new Error('no point');
    expect(moveKey(drawing, key('ArrowRight'))).toBe(false); // none is selected
    drawing.select(0);
    moveKey(drawing, key('ArrowRight'));
    const [east = from] = points();
    expect(nearMeters(from.lat, from.lng, east.lat, east.lng)).toBeCloseTo(1, 1);
    expect(east.lng).toBeGreaterThan(from.lng);
    moveKey(drawing, key('ArrowDown', { shiftKey: true }));
    const [south = east] = points();
    expect(nearMeters(east.lat, east.lng, south.lat, south.lng)).toBeCloseTo(10, 1);
    expect(south.lat).toBeLessThan(east.lat);
    expect(revealed).toHaveLength(3);
  });

  it('finish, delete and let go on the map; and leave alone what they do not know', () => {
    const { drawing, points } = begin({ kind: 'polygon' });
    for (const north of [0, 100, 200]) drawing.move(99, offsetPlace(HOME, north, north % 200));
    drawing.select(null);
    expect(mapKey(drawing, key('Enter'))).toBe(true);
    expect(drawing.get()).not.toBeNull();
    expect(mapKey(drawing, key('Enter'))).toBe(false);
    expect(mapKey(drawing, key('Delete'))).toBe(false);
    drawing.select(1);
    expect(mapKey(drawing, key('Escape'))).toBe(true);
    expect(drawing.state.get().selected).toBeNull();
    drawing.select(1);
    expect(mapKey(drawing, key('Delete'))).toBe(true);
    expect(points()).toHaveLength(2);
    expect(mapKey(drawing, key('ArrowUp', { ctrlKey: true }))).toBe(false);
  });

  describe('of the page', () => {
    afterEach(() => vi.unstubAllGlobals());

    it('undo and redo, but not while somebody types', () => {
      const { drawing, points } = begin({ kind: 'polygon', initial: SQUARE });
      const page = new EventTarget();
      class Element extends EventTarget {
        isContentEditable = false;
        constructor(readonly tagName: string) {
          super();
        }
      }
      vi.stubGlobal('document', page);
      vi.stubGlobal('HTMLElement', Element);
      const off = listenUndo(drawing);
      const press = (name: string, target: EventTarget | null, more: object = { ctrlKey: true }) => {
        const event = Object.assign(new Event('keydown', { cancelable: true }), key(name, more));
        Object.defineProperty(event, 'target', { value: target });
        page.dispatchEvent(event);
        return event.defaultPrevented;
      };
      drawing.select(0);
      drawing.nudge(10, 0);
      const moved = points();
      expect(press('z', new Element('INPUT'))).toBe(false);
      expect(points()).toBe(moved);
      expect(press('z', new Element('BUTTON'), { metaKey: true })).toBe(true);
      expect(drawing.get()).toEqual(SQUARE);
      press('Z', null, { ctrlKey: true, shiftKey: true });
      expect(points()).toEqual(moved);
      press('z', null);
      press('y', null);
      expect(points()).toEqual(moved);
      off();
      expect(press('z', null)).toBe(false);
    });
  });
});

describe('a circle', () => {
  it('keeps its radius when its center moves, and its center when its radius changes', () => {
    const { drawing, said } = begin({
      kind: 'circle',
      unit: 'ft',
      initial: { type: 'Circle', center: HOME, radiusM: 304.8 },
    });
    drawing.nudge(10, 0);
    expect(drawing.get()).toEqual({ type: 'Circle', center: offsetPlace(HOME, 10, 0), radiusM: 304.8 });
    expect(said.at(-1)).toBe('Center moved. Radius 1,000 ft.');
    expect(drawing.resize(152.4)).toBe(true);
    expect(drawing.get()).toMatchObject({ center: offsetPlace(HOME, 10, 0), radiusM: 152.4 });
    for (const bad of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) expect(drawing.resize(bad)).toBe(false);
    expect(drawing.get()).toMatchObject({ radiusM: 152.4 });
  });

  it('has the radius that it is to begin with as soon as its center is set, as one step', () => {
    const { drawing } = begin({ kind: 'circle', radiusM: 100 });
    drawing.drew({ points: [HOME], radiusM: 0, isClosed: false });
    expect(drawing.get()).toEqual({ type: 'Circle', center: HOME, radiusM: 100 });
    drawing.undo();
    expect(drawing.state.get().draft.points).toEqual([]);
  });

  it('can be made of a center and a radius that are typed', () => {
    const { drawing } = begin({ kind: 'circle' });
    drawing.move(0, HOME);
    expect(drawing.get()).toBeNull();
    drawing.resize(100);
    expect(drawing.get()).toEqual({ type: 'Circle', center: HOME, radiusM: 100 });
  });

  it.each([0, 39.7, -64, 78])('is a ring on the ground at %d° north, closed', lat => {
    const ring = ringOf({ lat, lng: 10 }, 500);
    for (const [lng = 0, north = 0] of ring) expect(nearMeters(lat, 10, north, lng)).toBeCloseTo(500, 1);
    expect(ring[0]).toBe(ring.at(-1));
    expect(ring).toHaveLength(65);
  });
});

it('refuses to begin with a shape of another kind, or with holes', () => {
  expect(() => draftOf('line', SQUARE)).toThrow('cannot draw a line');
  expect(() =>
    draftOf('polygon', { ...SQUARE, coordinates: [...SQUARE.coordinates, ...SQUARE.coordinates] }),
  ).toThrow();
});

it('comes to rest on a vertex before an edge, and on nothing that is far', () => {
  const px = ({ lat, lng }: { lat: number; lng: number }) => ({ x: lng, y: lat });
  const place = ({ x, y }: { x: number; y: number }) => ({ lat: y, lng: x });
  const path = [
    { lat: 0, lng: 0 },
    { lat: 0, lng: 100 },
  ];
  const at = (x: number, y: number) => snapTo({ x, y }, [path], 12, px, place);
  expect(at(95, 5)).toEqual(path[1]);
  expect(at(50, 5)).toEqual({ lat: 0, lng: 50 });
  expect(at(50, 13)).toBeNull();
  expect(at(115, 0)).toBeNull();
});
