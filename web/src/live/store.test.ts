import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type AssetBatch, AssetColumns, faceOf, MARK_STATUSES, MARK_TYPES } from '~/model/batch';
import { defaultFilter, showAllFilter } from '~/model/filter';
import { Status } from '~/model/status';
import { LiveStore } from './store';
import { at, pointAt, rowAt, sceneAt, T0 } from './testing';

const NOW = T0 + 60_000;
let store: LiveStore;
beforeEach(() => {
  store = new LiveStore(defaultFilter(true));
  store.reset('org-1');
});

const load = (...rows: ReturnType<typeof rowAt>[]) => store.applyRows(rows, T0, NOW, true);
const named = (id: string, nickname: string, over = {}) => rowAt(id, 0, { nickname, ...over });

describe('the live store', () => {
  // spec: 4.filter.01
  it('splits assets into displayed and hidden', () => {
    load(named('a', 'A'), named('b', 'B', { status: 'standby' }), named('c', 'C', { lat: null, lng: null }));
    store.setFilter({ ...defaultFilter(true), statuses: new Set([Status.ACTIVE]) });
    expect(store.visibleIds()).toEqual(['a']);
    expect(store.getCounts()).toMatchObject({ shown: 1, total: 2 }); // spec: 3.thing.18, 2.things.06
    expect(store.isDisplayed('b')).toBe(false);
  });

  // spec: 4.filter.02
  it('looks at hidden assets when a filter widens and at displayed ones when it narrows', () => {
    load(named('a', 'A'), named('b', 'B', { status: 'standby' }));
    const active = { ...defaultFilter(true), statuses: new Set<Status>([Status.ACTIVE]) };
    store.setFilter(active);
    expect(store.visibleIds()).toEqual(['a']);
    store.setFilter({ ...active, statuses: new Set([Status.ACTIVE, Status.STANDBY]) });
    expect(store.visibleIds()).toEqual(['a', 'b']);
    store.setFilter({ ...active, statuses: new Set([Status.STANDBY]), search: 'b' });
    expect(store.visibleIds()).toEqual(['b']);
    store.setFilter(showAllFilter(''));
    expect(store.visibleIds()).toEqual(['a', 'b']);
  });

  it('tells of every filter that is set, and lists only when another asset is displayed', () => {
    load(named('a', 'Zulu'), named('b', 'B', { status: 'standby' }));
    const [filter, order, counts] = [vi.fn(), vi.fn(), vi.fn()];
    store.subscribeFilter(filter);
    store.subscribeOrder(order);
    store.subscribeCounts(counts);
    const calls = () => [filter, order, counts].map(listener => listener.mock.calls.length);
    store.setFilter({ ...defaultFilter(true), search: 'zulu' });
    expect(calls()).toEqual([1, 1, 1]);
    store.setFilter({ ...defaultFilter(true), search: 'zul' });
    expect(calls()).toEqual([2, 1, 1]);
    expect(store.visibleIds()).toEqual(['a']);
  });

  // spec: 2.things.06, 3.enum.03, 4.live.05
  it('counts online, offline and out of service', () => {
    load(
      named('a', 'A'),
      named('b', 'B', { status: 'pending' }),
      named('c', 'C', { status: 'offline' }),
      named('d', 'D', { in_service: false }),
    );
    expect(store.getCounts()).toMatchObject({ online: 2, offline: 1, oos: 1, total: 4, shown: 4 });
    store.applyMessages([pointAt('c', 1000, { status: 'standby' })], NOW);
    expect(store.getCounts()).toMatchObject({ online: 3, offline: 0, oos: 1 });
  });

  it('keeps the order as statuses and names change', () => {
    load(named('a', 'alpha', { status: 'standby' }), named('b', 'Bravo', { status: 'standby' }), named('c', 'charlie'));
    expect(store.visibleIds()).toEqual(['c', 'a', 'b']);
    store.applyMessages([pointAt('b', 1000, { status: 'active_location', location: sceneAt('l') })], NOW);
    expect(store.visibleIds()).toEqual(['b', 'c', 'a']);
    store.applyRows([named('a', 'zulu', { status: 'standby', version: 9 })], T0, NOW, false);
    store.applyMessages([pointAt('c', 1000, { status: 'standby' })], NOW);
    expect(store.visibleIds()).toEqual(['b', 'c', 'a']);
  });

  it('tells rows by id, the order only when it changed', () => {
    load(named('a', 'A'), named('b', 'B'));
    const [a, b, order, counts] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
    store.subscribeThing('a', a);
    store.subscribeThing('b', b);
    store.subscribeOrder(order);
    store.subscribeCounts(counts);
    store.applyMessages([pointAt('a', 1000)], NOW);
    expect([a, b, order, counts].map(f => f.mock.calls.length)).toEqual([1, 0, 0, 0]);
    store.applyMessages([pointAt('a', 2000, { status: 'standby' })], NOW);
    expect([a, b, order, counts].map(f => f.mock.calls.length)).toEqual([2, 0, 1, 1]);
  });

  it('gives the map one batch a flush, with dense rows used again', () => {
    const batches: AssetBatch[] = [];
    load(named('a', 'A'), named('b', 'B'));
    store.subscribeBatches(b => batches.push(b));
    store.applyMessages([pointAt('a', 1000), pointAt('b', 1000), pointAt('a', 2000)], NOW);
    expect(batches).toHaveLength(1);
    const { id, row, at } = batches[0]?.upserted ?? new AssetColumns(0);
    expect(id).toEqual(['a', 'b']);
    expect([...row]).toEqual([0, 1]);
    expect([...at]).toEqual([T0 + 2000, T0 + 1000]);
    store.applyMessages([{ type: 'admin', action: 'removed', thing: rowAt('a', 0) }], NOW);
    expect(batches[1]).toMatchObject({ upserted: { length: 0 }, removed: [0] });
    store.applyMessages([{ type: 'admin', action: 'added', thing: rowAt('z', 0) }], NOW);
    const z = batches[2]?.upserted ?? new AssetColumns(0);
    expect([z.id, z.label, z.row[0], z.shown[0]]).toEqual([['z'], ['Ladder 1'], 0, 1]);
    expect(z.face[0]).toBe(faceOf(Status.ACTIVE, MARK_TYPES.indexOf('fire'), false));
    expect([...store.fullBatch().upserted.id].sort()).toEqual(['b', 'z']);
  });

  it('announces arrivals on scene, but not those of the first load', () => {
    const seen = vi.fn();
    store.subscribeArrivals(seen);
    load(named('a', 'A', { status: 'active_location' }), named('b', 'B'));
    expect(seen).not.toHaveBeenCalled();
    store.applyMessages([pointAt('b', 1000, { status: 'active_location', location: sceneAt('l') })], NOW);
    expect(seen).toHaveBeenCalledExactlyOnceWith([{ id: 'b', name: 'B' }]);
    expect(store.of('location').takeLacking()).toBe(true);
    expect(store.of('location').takeLacking()).toBe(false);
    store.applyMessages([pointAt('b', 2000, { status: 'active_location', location: sceneAt('l') })], NOW);
    expect(seen).toHaveBeenCalledTimes(1);
  });

  it('announces nobody in test mode, before the test ends', () => {
    const seen = vi.fn();
    store.subscribeArrivals(seen);
    load(named('a', 'A', { test_mode: true }));
    const face = () => MARK_STATUSES[(store.fullBatch().upserted.face[0] ?? 0) >> 5];
    expect(face()).toBe('TEST');
    store.applyMessages([pointAt('a', 1000, { status: 'active_location', location: sceneAt('l') })], NOW);
    expect(seen).not.toHaveBeenCalled();
    expect(face()).toBe('TEST');
    const ended = named('a', 'A', { status: 'active_location', location: sceneAt('l'), version: 9 });
    store.applyMessages(
      [{ type: 'thing', thing: { ...ended, heartbeat_datetime: at(2000), received_at: at(2000) } }],
      NOW,
    );
    expect(seen).toHaveBeenCalledExactlyOnceWith([{ id: 'a', name: 'A' }]);
    expect(face()).toBe('LOCATION');
  });

  it('places an asset when its first position comes', () => {
    load(named('a', 'A', { lat: null, lng: null }));
    expect(store.visibleIds()).toEqual([]);
    store.applyMessages([pointAt('a', 1000)], NOW);
    expect(store.visibleIds()).toEqual(['a']);
    expect(store.getCounts().total).toBe(1);
  });

  // spec: 4.list.08, 4.stream.05
  it('forgets everything for another organization, of the filter all but the statuses', () => {
    load(named('a', 'A'));
    const gone = vi.fn();
    const batches: AssetBatch[] = [];
    store.subscribeThing('a', gone);
    store.subscribeBatches(b => batches.push(b));
    store.setFilter({ ...defaultFilter(false), search: 'a', types: new Set(['t']) });
    store.reset('org-2');
    expect(store.thing('a')).toBeUndefined();
    expect(gone).toHaveBeenCalled();
    expect(batches.at(-1)).toMatchObject({ upserted: { length: 0 }, removed: [], reset: true });
    expect(store.getCounts()).toMatchObject({ total: 0, shown: 0 });
    expect(store.getFilter()).toMatchObject({ search: '', types: null, statuses: defaultFilter(false).statuses });
  });

  it('tells lists when a new profile changes the row', () => {
    load(named('a', 'A'));
    const order = vi.fn();
    store.subscribeOrder(order);
    store.applyRows([named('a', 'A', { in_service: false, version: 9 })], T0 + 1, NOW, false);
    expect(order).toHaveBeenCalledTimes(1);
  });

  it('drops what a full list no longer has, not what came since', () => {
    load(named('a', 'A'), named('b', 'B'));
    const before = store.ids();
    store.applyMessages([{ type: 'admin', action: 'added', thing: named('c', 'C') }], NOW);
    store.dropAbsent(before, new Set(['a']), T0 + 1, NOW);
    expect(store.visibleIds()).toEqual(['a', 'c']);
  });
});
