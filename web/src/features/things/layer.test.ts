import { describe, expect, it, vi } from 'vitest';
import { LiveStore } from '~/live/store';
import { createStreamStore } from '~/live/stream';
import { pointAt, rowAt, T0 } from '~/live/testing';
import { SELECTED } from '~/map/assets/table';
import { MapController } from '~/map/controller';
import { Navigator } from '~/map/navigator';
import type { AssetBatch, MapControl } from '~/map/types';
import { defaultFilter } from '~/model/filter';
import { wordsOf } from '~/model/organization';
import { Status } from '~/model/status';
import { goneThing, makeThing } from '~/model/testing';
import { bindMap, type MapParts } from '~/section/map';
import { foldedStations, pastShown, selection, switchMap } from '~/section/view';
import { assetCard } from './cards';
import { assetsOn } from './layer';

function fakeMap() {
  const seen = {
    batches: [] as AssetBatch[],
    filter: null as ((id: string) => boolean) | null,
    locations: [] as string[],
    dimmed: [] as boolean[],
    selected: [] as (string | null)[],
    trails: [] as unknown[],
    shownAll: 0,
    expected: [] as boolean[],
    places: [] as { lat: number; lng: number }[],
  };
  const listeners = new Map<string, Set<(p: { id: string }) => void>>();
  const map = {
    assets: {
      apply: (b: AssetBatch) => {
        seen.batches.push(b);
        map.assets.size += b.upserted.length;
      },
      setFilter: (f: typeof seen.filter) => {
        seen.filter = f;
      },
      setDimmed: (d: boolean) => seen.dimmed.push(d),
      size: 0,
    },
    setRows: (_: unknown, list: readonly { id: string }[]) => {
      seen.locations = list.map(l => l.id);
    },
    setCards: vi.fn(),
    setDensity: vi.fn(),
    setTrail: (t: unknown) => seen.trails.push(t),
    select: (id: string | null) => seen.selected.push(id),
    getState: () => ({ selected: seen.selected.at(-1) ?? null, following: false, phase: 'ready' }),
    showAll: () => seen.shownAll++,
    expectPlace: (on: boolean) => seen.expected.push(on),
    goTo: (place: { lat: number; lng: number }) => seen.places.push(place),
    on: (event: string, listener: (p: { id: string }) => void) => {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      return () => set.delete(listener);
    },
  };
  return {
    map: map as unknown as MapControl,
    seen,
    click: (id: string) =>
      listeners.get('assetclick')?.forEach(listener => {
        listener({ id });
      }),
    /** The camera came to rest. */
    rest: () => {
      for (const listener of listeners.get('view') ?? []) listener({ id: '' });
    },
    listening: () => [...listeners.values()].reduce((n, set) => n + set.size, 0),
  };
}

/** The map as the Live section alone shows it; returns the way to unbind. */
function bindLive(map: MapControl, store: LiveStore, parts: MapParts): () => void {
  const bound = bindMap(map, parts);
  bound.show([assetsOn(store)]);
  return bound.end;
}

describe('the map layer', () => {
  it('feeds batches, the filter, selection and dimming, and lets go', () => {
    const store = new LiveStore(defaultFilter(true));
    const stream = createStreamStore();
    store.reset('org-1');
    store.applyRows([rowAt('a', 0), rowAt('b', 0, { status: 'standby' })], T0, T0, true);
    const { map, seen, click, listening } = fakeMap();
    const open = vi.fn();
    const unbind = bindLive(map, store, { go: open, stream, home: () => null });
    expect(seen.batches[0]).toMatchObject({ reset: true, upserted: { id: ['a', 'b'] } });

    store.setFilter({ ...defaultFilter(true), statuses: new Set([Status.STANDBY]) });
    const shown = (id: string) => seen.filter?.(id);
    expect([shown('a'), shown('b')]).toEqual([false, true]);

    // spec: 2.things.03
    switchMap({ showAssets: false });
    expect(seen.filter).toBeNull();
    switchMap({ showAssets: true });
    expect(seen.filter).not.toBeNull();
    pastShown.set(true); // where they were is shown: not where they are
    expect(seen.filter).toBeNull();
    pastShown.set(false);
    expect(seen.filter).not.toBeNull();
    switchMap({ showAssets: true });
    selection.set({ selected: 'a', last: 'a' });
    store.applyMessages([pointAt('a', 1000)], T0 + 1000);
    expect(seen.selected).toEqual(['a']);
    expect(seen.trails.at(-1)).toHaveLength(2);
    expect(seen.batches.at(-1)?.upserted.id).toEqual(['a']);

    stream.patch({ phase: 'live' });
    stream.patch({ phase: 'reconnecting' });
    expect(seen.dimmed).toEqual([false, false, true]);
    stream.patch({ phase: 'live' });
    stream.patch({ online: false });
    expect(seen.dimmed.slice(3)).toEqual([false, true]);
    click('b');
    expect(open).toHaveBeenCalledExactlyOnceWith('/dashboard/things/b');
    expect(seen.shownAll).toBe(1); // once for the first picture, never again while the user looks around
    unbind();
    expect(listening()).toBe(0);
    store.applyMessages([pointAt('a', 2000)], T0 + 2000);
    expect(seen.batches).toHaveLength(2);
    selection.set({ selected: null, last: null });
  });
});

describe('station view', () => {
  // spec: 2.map.19
  it('folds what is at a station into it, what comes later too, and never what is open', () => {
    const store = new LiveStore(defaultFilter(true));
    store.reset('org-1');
    store.applyRows([rowAt('a', 0, { station_id: 's1' }), rowAt('b', 0)], T0, T0, true);
    const { map, seen } = fakeMap();
    const unbind = bindLive(map, store, { go: vi.fn(), stream: createStreamStore(), home: () => null });
    const shown = () => ['a', 'b'].map(id => seen.filter?.(id));
    expect(shown()).toEqual([true, true]);
    foldedStations.set(new Set(['s1', 's2']));
    expect(shown()).toEqual([false, true]);
    seen.filter = null;
    store.applyRows([rowAt('b', 1000, { station_id: 's2' })], T0 + 1000, T0 + 1000, true);
    expect(shown()).toEqual([false, false]);
    selection.set({ selected: 'b', last: 'b' });
    expect(shown()).toEqual([false, true]);
    selection.set({ selected: null, last: null });
    foldedStations.set(new Set(['s2'])); // the card of s1 is pinned
    expect(shown()).toEqual([true, false]);
    foldedStations.set(new Set());
    expect(shown()).toEqual([true, true]);
    unbind();
  });
});

describe('a picture that comes in parts', () => {
  const come = (moves: number) => {
    const store = new LiveStore(defaultFilter(true));
    const stream = createStreamStore();
    const { map, seen, rest } = fakeMap();
    bindLive(map, store, { go: vi.fn(), stream, home: () => null });
    store.applyRows([rowAt('a', 0)], T0, T0, true);
    expect(seen.shownAll).toBe(1);
    for (let i = 0; i < moves; i++) rest();
    store.applyRows([rowAt('b', 0)], T0, T0, true);
    expect(seen.shownAll).toBe(1);
    stream.patch({ asOf: T0 });
    stream.patch({ asOf: T0 + 1000 });
    return seen.shownAll;
  };

  it('is shown whole again when all is there, once', () => expect(come(1)).toBe(2));
  it('stays where somebody has moved it', () => expect(come(2)).toBe(1));

  it('begins at home where there are no assets, once that is known', () => {
    const store = new LiveStore(defaultFilter(true));
    const stream = createStreamStore();
    const { map, seen } = fakeMap();
    bindLive(map, store, { go: vi.fn(), stream, home: () => ({ lat: 1, lng: 2 }) });
    expect(seen.places).toEqual([]);
    stream.patch({ asOf: T0 });
    stream.patch({ asOf: T0 + 1 });
    expect(seen.places).toEqual([{ lat: 1, lng: 2 }]);
    store.applyRows([rowAt('a', 0)], T0, T0, true);
    expect(seen.shownAll).toBe(1);
  });
});

describe('the first view', () => {
  const begin = (rows: ReturnType<typeof rowAt>[], home: { lat: number; lng: number } | null = null) => {
    const store = new LiveStore(defaultFilter(true));
    const stream = createStreamStore();
    store.reset('org-1');
    const { map, seen } = fakeMap();
    const unbind = bindLive(map, store, { go: vi.fn(), stream, home: () => home });
    const come = () => {
      store.applyRows(rows, T0, T0, true);
      stream.patch({ asOf: T0 });
    };
    return { seen, come, stream, unbind };
  };

  it('is the fleet or the home; until one of them is known the map stays covered', () => {
    const { seen, come, unbind } = begin([rowAt('a', 0)]);
    expect([seen.expected, seen.shownAll]).toEqual([[true], 0]);
    come();
    expect(seen.shownAll).toBeGreaterThan(0);
    unbind();
  });

  it('is where the map stands when there is neither, or when nothing could be read', () => {
    const empty = begin([]);
    empty.come();
    expect(empty.seen.expected).toContain(false);
    empty.unbind();
    const failed = begin([]);
    failed.stream.patch({ phase: 'failed' });
    expect(failed.seen.expected).toContain(false);
    failed.unbind();
  });

  it('is the fleet when the asset that is asked for has no position', () => {
    selection.set({ selected: 'nowhere', last: null });
    const { seen, come, unbind } = begin([rowAt('a', 0)]);
    come();
    expect(seen.shownAll).toBe(2); // its first part, and the whole of it
    unbind();
    selection.set({ selected: null, last: null });
  });
});

describe('cards', () => {
  const words = wordsOf({
    id: '',
    name: '',
    timezone: 'UTC',
    countryCode: 'US',
    respondersType: 'all',
    eventWording: 'default',
  });
  const NOW = T0;

  it('say only what applies to an asset', () => {
    const moving = makeThing({ heartbeatAt: NOW, staleAt: 0, course: 45, speed: 15.2, street: 'N Market St' });
    expect(assetCard(moving, words, NOW)).toEqual({
      title: 'Ladder 1',
      subtitle: 'ha7-00418',
      statusText: 'Responding',
      lines: [
        { label: 'Street', value: 'N Market St' },
        { label: 'Direction · Speed', value: 'NE · 34 mph' },
        { label: 'Last heartbeat', value: 'now' },
      ],
    });
    const scene = { ...moving, status: Status.LOCATION, speed: 0, incidentStartAt: T0 };
    expect(assetCard(scene, words, NOW).lines.map(l => l.label)).toEqual(['Street', 'Arrived', 'Last heartbeat']);
    expect(assetCard({ ...scene, isTestModeOn: true }, words, NOW)).toMatchObject({
      statusText: 'On-Scene',
      tag: 'Test Mode',
    });
  });
});

describe('an asset that was asked for before its row came', () => {
  it.each(['before', 'after'] as const)('is panned to and marked when it does, chosen %s the map stood', when => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    vi.stubGlobal('document', { hidden: false });
    const goTo = vi.spyOn(Navigator.prototype, 'goTo');
    const store = new LiveStore(defaultFilter(true));
    store.reset('org-1');
    if (when === 'before') selection.set({ selected: 'a', last: 'a' });
    const map = new MapController({ theme: 'dark', now: () => T0 });
    const unbind = bindLive(map, store, { go: () => undefined, stream: createStreamStore(), home: () => null });
    selection.set({ selected: 'a', last: 'a' });
    const marked = () => ((map.layer.table.look[map.layer.table.rowOf('a')] ?? 0) & SELECTED) !== 0;
    goTo.mockClear();
    store.applyRows([rowAt('a', 0), rowAt('b', 0)], T0, T0, true);
    expect([marked(), goTo.mock.calls.length]).toEqual([true, 1]);
    // It goes and comes back: marked again, but the map is not taken away from what is looked at now.
    store.applyRows([goneThing('a')], T0 + 1000, T0 + 1000, false);
    store.applyRows([rowAt('a', 2000)], T0 + 2000, T0 + 2000, false);
    expect([marked(), goTo.mock.calls.length]).toEqual([true, 1]);
    unbind();
    selection.set({ selected: null, last: null });
    vi.unstubAllGlobals();
    goTo.mockRestore();
  });
});
