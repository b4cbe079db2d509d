import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createStreamStore } from '~/live/stream';
import { T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import { locationLayer } from '~/map/layers/location';
import type { CardSource } from '~/map/types';
import { bindMap, type MapNoun } from './map';
import { mapHolder, selection } from './view';

const places = [{ id: 'l', lat: 1, lng: 2, active: true }];

/** A noun with one row, and how often it was bound and let go. */
function aNoun(more: Partial<MapNoun> = {}) {
  const counts = { bound: 0, ended: 0 };
  const noun: MapNoun = {
    kind: 'location',
    layer: locationLayer,
    has: id => id === 'l',
    bind(map) {
      counts.bound++;
      map.setRows(locationLayer, places);
      return () => counts.ended++;
    },
    ...more,
  };
  return { noun, counts };
}

const other: MapNoun = { kind: 'asset', stays: true, has: () => false, bind: () => () => undefined };

function aMap() {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const map = new MapController({ theme: 'dark', now: () => T0 });
  const go = vi.fn();
  const tell = vi.spyOn(map, 'on');
  const say = { mayGo: (_: string) => true };
  const bound = bindMap(map, { go, mayGo: path => say.mayGo(path), stream: createStreamStore(), home: () => null });
  const rowclick = tell.mock.calls.find(([event]) => event === 'rowclick')?.[1] as (at: unknown) => void;
  return { map, go, bound, rowclick, say };
}

beforeEach(() => selection.set({ selected: null, last: null }));

describe('nouns on the map', () => {
  it('come with their section and go with it; the others are left as they are', () => {
    const { map, bound } = aMap();
    const { noun, counts } = aNoun();
    bound.show([other, noun]);
    expect(map.standing.placeOf('l')).toEqual({ lat: 1, lng: 2 });
    bound.show([other, noun]);
    expect(counts).toEqual({ bound: 1, ended: 0 });
    bound.show([other]);
    expect(counts).toEqual({ bound: 1, ended: 1 });
    expect(map.standing.placeOf('l')).toBeNull();
    bound.show([other, noun]);
    bound.end();
    expect(counts).toEqual({ bound: 2, ended: 2 });
    expect(mapHolder.get()).toBeNull();
  });

  it('say the words of their own cards', () => {
    const { map, bound } = aMap();
    const cards = vi.spyOn(map, 'setCards');
    const card = (id: string, now: number) => ({ title: `${id} at ${now}`, lines: [] });
    const { noun } = aNoun({ card });
    bound.show([other, noun]);
    const source = cards.mock.lastCall?.[0] as CardSource;
    expect(source('location', 'l', 7)).toEqual({ title: 'l at 7', lines: [] });
    expect(source('asset', 'a', 7)).toBeNull();
    bound.show([other]);
    expect(source('location', 'l', 7)).toBeNull();
    bound.end();
  });

  it('of a layer stay where they are by a click: their cards lead to their screens, where the user may go', () => {
    const { map, bound, go, rowclick, say } = aMap();
    const cards = vi.spyOn(map, 'setCards');
    const card = () => ({ title: 'Closed', lines: [] });
    const { noun } = aNoun({ card, detail: id => `/dashboard/closures/${id}` });
    bound.show([noun]);
    rowclick({ kind: 'location', id: 'l' });
    expect(go).not.toHaveBeenCalled();
    const source = cards.mock.lastCall?.[0] as CardSource;
    expect(source('location', 'l', 7)?.path).toBe('/dashboard/closures/l');
    map.openCardLink('/dashboard/closures/l');
    expect(go).toHaveBeenCalledWith('/dashboard/closures/l');
    say.mayGo = () => false;
    expect(source('location', 'l', 7)).toEqual({ title: 'Closed', lines: [] });
    bound.end();
  });

  it('open their own screen by a click, those that have one', () => {
    const { bound, go, rowclick } = aMap();
    bound.show([aNoun().noun]);
    rowclick({ kind: 'location', id: 'l' });
    expect(go).not.toHaveBeenCalled();
    bound.show([aNoun({ path: id => `/dashboard/events/${id}` }).noun]);
    rowclick({ kind: 'location', id: 'l' });
    expect(go).toHaveBeenCalledExactlyOnceWith('/dashboard/events/l');
    bound.end();
  });

  it('are panned to when their row comes after their screen', () => {
    const { map, bound } = aMap();
    const select = vi.spyOn(map, 'select');
    let isThere = false;
    let tell: () => void = () => undefined;
    const { noun } = aNoun({
      has: id => isThere && id === 'l',
      bind(_, changed) {
        tell = changed;
        return () => undefined;
      },
    });
    bound.show([noun]);
    selection.set({ selected: 'l', last: 'l' });
    expect(select.mock.calls).toEqual([['l', { pan: true }]]);
    tell();
    expect(select).toHaveBeenCalledTimes(1);
    isThere = true;
    tell();
    tell();
    expect(select).toHaveBeenCalledTimes(2);
    bound.end();
  });

  it('are panned to once they are drawn, also where only what is selected is', () => {
    const { map, bound } = aMap();
    const placed: unknown[] = [];
    vi.spyOn(map, 'select').mockImplementation(id => void placed.push(id && map.standing.placeOf(id)));
    const { noun } = aNoun({
      bind: on => {
        const draw = () => on.setRows(locationLayer, selection.get().selected ? places : []);
        draw();
        return selection.subscribe(draw);
      },
    });
    bound.show([noun]);
    selection.set({ selected: 'l', last: 'l' });
    expect(placed).toEqual([{ lat: 1, lng: 2 }]);
    bound.end();
  });

  it('are shown whole behind the form of a new row, which has no place', () => {
    selection.set({ selected: 'new', last: null }); // the form stands before there is a map
    const { map, bound } = aMap();
    vi.spyOn(map.assets, 'size', 'get').mockReturnValue(1);
    const showAll = vi.spyOn(map, 'showAll');
    const { noun } = aNoun({
      bind(_, changed) {
        changed(); // its rows are there
        return () => undefined;
      },
    });
    bound.show([noun]);
    expect(showAll).toHaveBeenCalledTimes(1);
    bound.end();
  });
});
