import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type QueryOf, type Schemas, type WireLocation, type WireSnapshot, type WireThing } from '~/api';
import { recorded, streamed, vary } from '~/api/recorded';
import { createClock } from '~/lib/clock';
import { defaultFilter } from '~/model/filter';
import { goneThing, snapshotOf, wireLocation } from '~/model/testing';
import { LiveEngine, type Subscription, showsSame } from './engine';
import { SNAPSHOT_PATH } from './loader';
import { LiveStore } from './store';
import { createStreamStore } from './stream';
import { at, batchOf, confirmAt, FakeSocket, pointAt, rowAt, sceneAt, T0 } from './testing';
import { unpackHere } from './unpack';

beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
});
afterEach(() => {
  vi.useRealTimers();
});

type Query = QueryOf<'GET /organization/things'>;

/** A server over HTTP as the loader sees it. */
class FakeHttp {
  rows: WireThing[] = [];
  changed: WireThing[] = [];
  locations: WireLocation[] = [];
  /** the longer list of locations, and what a list of changes of it says */
  recent: WireLocation[] = [];
  recentChanged: WireLocation[] = [];
  failure: unknown;
  recentFailure: unknown;
  asOf = 0;
  /** While it hangs, nothing is answered until it goes on. */
  hangs = false;
  goOn: () => void = () => {};
  /** what a snapshot of everything, one of changes, and the meta of a list say besides */
  whole: Partial<WireSnapshot> = {};
  delta: Partial<WireSnapshot> = {};
  word: Partial<Pick<Schemas['ThingsMeta'], 'is_large'>> = {};
  readonly calls: { path: string; query: Query }[] = [];

  get = async <T>(path: string, query: Query, signal: AbortSignal): Promise<T> => {
    this.calls.push({ path, query });
    await (this.hangs
      ? new Promise<void>(resolve => {
          this.goOn = resolve;
        })
      : Promise.resolve());
    signal.throwIfAborted();
    if (this.failure) throw this.failure;
    return this.answer(path, query) as T;
  };

  paths = () => this.calls.map(c => c.path);

  private answer(path: string, query: Query): unknown {
    if (path === '/locations' && this.recentFailure) throw this.recentFailure;
    if (path === '/locations/active')
      return { data: this.locations, meta: this.meta({ total: this.locations.length }) };
    if (path === SNAPSHOT_PATH) {
      const isDelta = query.last_updated_timestamp !== undefined;
      return snapshotOf(isDelta ? this.changed : this.rows, at(this.asOf), {
        ...{ total: this.rows.length, full: !isDelta },
        ...(isDelta ? this.delta : this.whole),
      });
    }
    const all =
      path === '/locations'
        ? { whole: this.recent, changed: this.recentChanged }
        : { whole: this.rows, changed: this.changed };
    const rows = query.last_updated_timestamp ? all.changed : all.whole;
    const [page, per] = [Number(query.page), Number(query.per_page)];
    return {
      data: rows.slice((page - 1) * per, page * per),
      meta: this.meta({ page, per_page: per, total: rows.length, ...this.word }),
    };
  }

  private meta(over: Partial<Schemas['Meta']>): Schemas['Meta'] {
    return vary(recorded('listThings.ok').meta, { as_of: at(this.asOf), ...over });
  }
}

const SUBSCRIPTION: Subscription = { organizationId: 'org-1', isLarge: false, sees: ['location'], awareness: false };

function rig() {
  const store = new LiveStore(defaultFilter(true));
  const stream = createStreamStore();
  const http = new FakeHttp();
  const sockets: FakeSocket[] = [];
  const clock = createClock(() => Date.now());
  const refused = vi.fn();
  const accessChanged = vi.fn();
  const looked = new Set<string>();
  const engine = new LiveEngine({
    store,
    stream,
    get: http.get,
    snapshot: async (query, signal) => unpackHere(await http.get<WireSnapshot>(SNAPSHOT_PATH, query, signal)),
    clock,
    localNow: () => Date.now(),
    random: () => 0.5,
    url: 'ws://host/cable',
    openSocket: (url, protocols) => {
      const s = new FakeSocket(url, protocols);
      sockets.push(s);
      return s;
    },
    token: () => 'token',
    isLookedAt: type => looked.has(type),
    onRefused: refused,
    onAccess: accessChanged,
  });
  const last = () => {
    const s = sockets.at(-1);
    if (!s) throw new Error('no socket was opened');
    return s;
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const goLive = async () => {
    await settle();
    last().say(streamed('welcome'));
    last().say(confirmAt(1));
    await settle();
  };
  return { store, stream, http, sockets, engine, clock, refused, accessChanged, looked, last, settle, goLive };
}

const many = (n: number) => Array.from({ length: n }, (_, i) => rowAt(`t${i}`, 0, { nickname: `N${i}` }));
const pagesOf = (calls: FakeHttp['calls']) =>
  calls.filter(c => c.path === '/organization/things').map(c => c.query.page);

describe('the engine', () => {
  // spec: 4.list.02, 7.thing.02, 7.thing.03, 9.limits.11
  it('reads pages of 500 until the total is reached, then what changed meanwhile', async () => {
    const r = rig();
    r.http.rows = many(1200);
    r.http.changed = [goneThing('t7')];
    r.engine.open(SUBSCRIPTION);
    await r.settle();
    expect(pagesOf(r.http.calls)).toEqual([1, 2, 3, 1]);
    expect(r.http.calls[0]?.query).toEqual({
      'org_ids[]': ['org-1'],
      page: 1,
      per_page: 500,
      last_updated_timestamp: undefined,
    });
    expect(r.http.calls[3]?.query.last_updated_timestamp).toBe(at(0));
    expect(r.store.getCounts().total).toBe(1199);
  });

  // spec: 4.list.03, 4.stream.02
  it('goes live: list, socket, what changed in between, then one flush a second', async () => {
    const r = rig();
    r.http.rows = many(2);
    r.http.asOf = 5;
    r.engine.open(SUBSCRIPTION);
    expect(r.stream.get().phase).toBe('loading');
    await r.settle();
    expect(r.sockets).toHaveLength(1);
    await r.goLive();
    expect(r.http.calls.at(-1)?.query.last_updated_timestamp).toBe(at(5));
    expect(r.stream.get()).toMatchObject({ phase: 'live', socketClosed: false });
    const order = vi.fn();
    r.store.subscribeThing('t0', order);
    for (let i = 2; i < 12; i++) {
      r.last().say(batchOf('e1', [{ offset: i, message: pointAt('t0', i * 10) }]));
    }
    expect(order).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(order).toHaveBeenCalledTimes(1);
    expect(r.store.thing('t0')?.street).toBe('street 110');
  });

  // spec: 4.list.04, 7.location.03
  it('reads active locations only if an asset is on scene', async () => {
    const without = rig();
    without.http.rows = many(2);
    without.engine.open(SUBSCRIPTION);
    await without.settle();
    expect(without.http.paths()).not.toContain('/locations/active');
    const r = rig();
    r.http.rows = [rowAt('a', 0, { status: 'active_location', location: sceneAt('l') })];
    r.http.locations = [wireLocation({ id: 'l' })];
    r.engine.open(SUBSCRIPTION);
    await r.settle();
    expect(r.http.paths()).toEqual(['/organization/things', '/locations/active']);
    expect(
      r.store
        .of('location')
        .list()
        .map(l => l.id),
    ).toEqual(['l']);
  });

  it('reads locations when the stream brings an asset on scene, and never without the right', async () => {
    for (const sees of [['location'], []]) {
      const r = rig();
      r.http.rows = many(1);
      r.engine.open({ ...SUBSCRIPTION, sees });
      await r.goLive();
      const message = pointAt('t0', 10, { status: 'active_location', location: sceneAt('l') });
      r.last().say(batchOf('e1', [{ offset: 2, message }]));
      await vi.advanceTimersByTimeAsync(1000);
      expect(r.http.paths().includes('/locations/active')).toBe(sees.length > 0);
    }
  });

  // spec: 4.refresh.01, 4.refresh.02, 9.limits.08
  it('polls a large organization every 15 s and opens no socket', async () => {
    const r = rig();
    r.http.rows = many(3);
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    expect(r.http.paths()).toEqual([SNAPSHOT_PATH]);
    expect(r.stream.get().phase).toBe('polling');
    r.http.changed = [rowAt('t0', 9, { nickname: 'Engine 9' })];
    await vi.advanceTimersByTimeAsync(14_999);
    expect(r.http.calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(r.http.calls).toHaveLength(2);
    expect(r.http.calls[1]?.query.last_updated_timestamp).toBe(at(0));
    expect(r.store.thing('t0')?.primaryDisplayName).toBe('Engine 9');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.http.paths()).toEqual([SNAPSHOT_PATH, SNAPSHOT_PATH, SNAPSHOT_PATH]);
    expect(r.sockets).toHaveLength(0);
  });

  // A sleep of the computer: its timers stood still, and the wall's clock went on.
  it('is not live after a sleep until it has been heard of again, streamed or polled', async () => {
    for (const isLarge of [false, true]) {
      const r = rig();
      r.http.rows = many(2);
      r.engine.open({ ...SUBSCRIPTION, isLarge });
      if (isLarge) await r.settle();
      else await r.goLive();
      r.engine.look();
      expect(r.stream.get().phase).toBe(isLarge ? 'polling' : 'live');
      r.http.hangs = true;
      vi.setSystemTime(Date.now() + 3_600_000);
      r.engine.look();
      expect(r.stream.get()).toMatchObject({ phase: 'reconnecting', asOf: T0 });
      r.http.hangs = false;
      r.engine.close();
      vi.setSystemTime(T0);
    }
  });

  it('is not live while a poll hangs, and says of when a slow answer is', async () => {
    const r = rig();
    r.http.rows = many(2);
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    r.engine.look();
    expect(r.stream.get().phase).toBe('loading');
    await r.settle();
    r.http.hangs = true;
    await vi.advanceTimersByTimeAsync(30_000);
    r.engine.look();
    expect(r.stream.get().phase).toBe('polling');
    await vi.advanceTimersByTimeAsync(1);
    r.engine.look();
    expect(r.stream.get().phase).toBe('reconnecting');
    r.http.asOf = 15_000; // when it was asked
    r.http.goOn();
    await r.settle();
    expect(r.stream.get()).toMatchObject({ phase: 'polling', asOf: T0 + 15_000 });
    expect(r.clock.now()).toBe(T0 + 30_001);
    expect(r.http.calls).toHaveLength(2);
  });

  it('polls 1200 changes in one request, takes away what has gone and drops nothing else', async () => {
    const r = rig();
    r.http.rows = many(1500);
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    r.http.asOf = 20;
    r.http.changed = many(1200).map(row => rowAt(row.id, 9, { street: 'New St' }));
    r.http.delta = { gone: ['t1400'] };
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.http.paths()).toEqual([SNAPSHOT_PATH, SNAPSHOT_PATH]);
    expect(r.store.getCounts().total).toBe(1499);
    expect(r.store.thing('t1199')?.street).toBe('New St');
    expect(r.store.thing('t1400')).toBeUndefined();
    expect(r.store.thing('t1450')?.street).toBe(rowAt('x', 0).street);
  });

  it('reads everything once when changes name an asset that it does not know and do not say all of it', async () => {
    const r = rig();
    r.http.rows = many(3);
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    r.http.rows = many(4);
    r.http.changed = [rowAt('t3', 5)];
    r.http.delta = { nickname: [] };
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.http.calls.map(c => c.query.last_updated_timestamp)).toEqual([undefined, at(0), undefined]);
    expect(r.store.thing('t3')?.nickname).toBe('N3');
  });

  it('takes an answer that is everything for that, whatever it asked for', async () => {
    const r = rig();
    r.http.rows = many(3);
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    r.http.asOf = 20;
    r.http.changed = many(2);
    r.http.delta = { full: true };
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.store.ids()).toEqual(new Set(['t0', 't1']));
  });

  it('reads everything when it twice holds another number of assets than the server sees', async () => {
    const r = rig();
    r.http.rows = many(3);
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    r.http.rows = many(2);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.http.calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.http.calls.map(c => c.query.last_updated_timestamp)).toEqual([undefined, at(0), at(0), undefined]);
    expect(r.store.ids()).toEqual(new Set(['t0', 't1']));
  });

  it('takes no answer for a snapshot that lacks a column', async () => {
    const r = rig();
    r.http.rows = many(3);
    r.http.whole = { flags: 'BwA=' as unknown as number[] };
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    expect(r.stream.get()).toMatchObject({ phase: 'failed', asOf: 0 });
    expect(r.store.size()).toBe(0);
  });

  it('changes over from the stream to the poll when the organization grows, and back, without a gap', async () => {
    const r = rig();
    r.http.rows = many(5000);
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    expect(r.stream.get().phase).toBe('live');
    const socket = r.last();
    r.http.calls.length = 0;
    r.http.word = { is_large: true };
    r.http.rows = many(5001);
    const added = rowAt('t5000', 40, { nickname: 'N5000' });
    socket.say(batchOf('e1', [{ offset: 2, message: { type: 'admin', action: 'added', thing: added } }]));
    await vi.advanceTimersByTimeAsync(1000);
    expect(r.http.paths()).toEqual(['/organization/things', SNAPSHOT_PATH]);
    expect(r.stream.get()).toMatchObject({ phase: 'polling', socketClosed: true });
    expect(socket.isClosed).toBe(true);
    expect(r.store.getCounts().total).toBe(5001);

    r.http.word = { is_large: false };
    r.http.delta = { is_large: false };
    r.http.rows = many(4999);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.store.getCounts().total).toBe(4999);
    expect(r.sockets).toHaveLength(2);
    const since = r.http.calls.length;
    await r.goLive();
    expect(r.stream.get().phase).toBe('live');
    // What was said between the list and the subscription is asked for.
    expect(r.http.calls[since]).toMatchObject({ path: '/organization/things', query: { page: 1 } });
    expect(r.http.calls[since]?.query.last_updated_timestamp).toBeDefined();
  });

  it('streams on when the server says that so many are not large, and asks no more', async () => {
    const r = rig();
    r.http.rows = many(5001);
    r.http.word = { is_large: false };
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    expect(r.stream.get().phase).toBe('live');
    const calls = r.http.calls.length;
    for (let i = 2; i < 5; i++) {
      r.last().say(batchOf('e1', [{ offset: i, message: pointAt('t0', i * 10) }]));
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(r.http.calls).toHaveLength(calls);
  });

  it('takes the snapshot when the first page tells of more than 5000 assets', async () => {
    const r = rig();
    r.http.word = { is_large: true };
    r.http.rows = many(5001);
    r.engine.open(SUBSCRIPTION);
    await r.settle();
    expect(r.http.paths()).toEqual(['/organization/things', '/organization/things/snapshot']);
    expect(r.store.getCounts().total).toBe(5001);
    expect(r.stream.get().phase).toBe('polling');
  });

  // spec: 4.stream.01, 4.stream.05
  it('switches the organization: old rows go, lists are read, a new subscription is sent', async () => {
    const r = rig();
    r.http.rows = many(2);
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    const old = r.last();
    r.http.rows = [rowAt('other', 0)];
    r.engine.open({ ...SUBSCRIPTION, organizationId: 'org-2' });
    expect(r.store.getCounts().total).toBe(0);
    expect(old.isClosed).toBe(true);
    await r.settle();
    expect(r.store.visibleIds()).toEqual(['other']);
    r.last().say(streamed('welcome'));
    expect(r.last().sent).toMatchObject([{ identifier: '{"channel":"EventsChannel","organization_id":"org-2"}' }]);
  });

  // spec: 4.stream.05
  it('switches the organization: its locations go with its assets, and are read of the new one', async () => {
    const r = rig();
    r.http.rows = [rowAt('a', 0, { status: 'active_location', location: sceneAt('l1'), is_active: true })];
    r.http.locations = [wireLocation({ id: 'l1', is_active: true })];
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    expect(
      r.store
        .of('location')
        .list()
        .map(one => one.id),
    ).toEqual(['l1']);
    r.http.rows = [rowAt('b', 0, { status: 'active_location', location: sceneAt('l2') })];
    r.http.locations = [wireLocation({ id: 'l2', is_active: true })];
    r.engine.open({ ...SUBSCRIPTION, organizationId: 'org-2' });
    expect(r.store.of('location').list()).toEqual([]);
    await r.settle();
    expect(
      r.store
        .of('location')
        .list()
        .map(one => one.id),
    ).toEqual(['l2']);
  });

  it('lets an answer for the former organization fall', async () => {
    const r = rig();
    r.http.rows = many(2);
    r.engine.open(SUBSCRIPTION);
    r.engine.open({ ...SUBSCRIPTION, organizationId: 'org-2' });
    r.http.rows = [rowAt('other', 0)];
    await r.settle();
    expect(r.store.visibleIds()).toEqual(['other']);
  });

  it('keeps the picture and says so while the stream is lost; reads what was missed when history is rejected', async () => {
    const r = rig();
    r.http.rows = many(2);
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    const { asOf } = r.stream.get();
    r.last().cut();
    expect(r.stream.get()).toMatchObject({ phase: 'reconnecting', asOf, socketClosed: true });
    expect(r.store.getCounts().total).toBe(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(r.stream.get().asOf).toBe(asOf);
    r.http.changed = [rowAt('t1', 50, { status: 'standby' })];
    r.last().say(streamed('welcome'));
    r.last().say(confirmAt(9, 'e2'));
    r.last().say(streamed('reject_history'));
    expect(r.stream.get().phase).toBe('reconnecting'); // an open socket alone is not live
    await r.settle();
    expect(r.stream.get().phase).toBe('live');
    expect(r.store.getCounts().byStatus[2]).toBe(1);
  });

  it('says why the first load failed and tries again by itself and by Retry', async () => {
    const r = rig();
    r.http.failure = new Error('no network');
    r.engine.open(SUBSCRIPTION);
    await r.settle();
    expect(r.stream.get()).toMatchObject({ phase: 'failed', failure: r.http.failure, asOf: 0 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(r.http.calls).toHaveLength(2);
    r.http.failure = undefined;
    r.http.rows = many(1);
    r.engine.again();
    await r.settle();
    expect(r.store.getCounts().total).toBe(1);
    expect(r.stream.get().failure).toBeUndefined();
  });

  // spec: 4.refresh.03, D.ws.05
  it('tracks online, focused and the socket, and catches up at once when the network returns', async () => {
    const r = rig();
    r.http.rows = many(1);
    r.engine.open({ ...SUBSCRIPTION, awareness: true });
    await r.goLive();
    expect(r.stream.get()).toMatchObject({ awareness: true, socketClosed: false });
    r.engine.setFocused(false);
    r.engine.setOnline(false);
    r.last().cut();
    expect(r.stream.get()).toMatchObject({ online: false, focused: false, socketClosed: true });
    r.engine.setOnline(true);
    expect(r.sockets).toHaveLength(2);
    expect(r.stream.get().online).toBe(true);
  });

  // spec: 9.limits.07
  it('reads what changed every 30 min, even while the stream runs', async () => {
    const r = rig();
    r.http.rows = many(1);
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    const calls = r.http.calls.length;
    for (let s = 0; s < 1799; s += 3) {
      r.last().say(vary(streamed('ping'), { at: at(s * 1000) }));
      await vi.advanceTimersByTimeAsync(3000);
    }
    expect(r.http.calls.length).toBe(calls + 1);
    expect(r.sockets).toHaveLength(1);
  });

  it('learns the server’s time from pings', async () => {
    const r = rig();
    r.http.rows = many(1);
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    r.last().say(vary(streamed('ping'), { at: at(90_000) }));
    expect(r.clock.now()).toBe(T0 + 90_000);
    expect(r.stream.get().asOf).toBe(T0 + 90_000);
  });

  it('dates the picture by what the server said, though the local clock is set ahead', async () => {
    const r = rig();
    r.http.rows = many(1);
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    r.last().say(vary(streamed('ping'), { at: at(3000) }));
    r.last().cut();
    r.clock.learn(T0 + 90_000);
    await vi.advanceTimersByTimeAsync(1000);
    r.last().say(streamed('welcome'));
    r.last().say(confirmAt(1));
    r.last().say(streamed('confirm_history'));
    expect(r.stream.get()).toMatchObject({ phase: 'live', asOf: T0 + 3000 });
    r.last().say(vary(streamed('ping'), { at: at(6000) }));
    expect(r.stream.get().asOf).toBe(T0 + 6000);
    r.last().say(vary(streamed('ping'), { at: at(2000) })); // the server's own clock was set back
    expect(r.stream.get().asOf).toBe(T0 + 2000);
  });

  it('tells the session when the socket is refused', async () => {
    const r = rig();
    r.http.rows = many(1);
    r.engine.open(SUBSCRIPTION);
    await r.settle();
    r.last().say(streamed('disconnect.unauthorized'));
    expect(r.refused).toHaveBeenCalledExactlyOnceWith('unauthorized');
  });

  describe('a longer list', () => {
    const ended = (id: string, minutes: number, version = 1) =>
      wireLocation({
        id,
        is_active: false,
        start_time: at(-minutes * 60_000),
        end_time: at((10 - minutes) * 60_000),
        version,
      });
    const reads = (r: ReturnType<typeof rig>) => r.http.calls.filter(call => call.path === '/locations');

    // It says no start: seven days back is the server's own. spec: 7.location.01, 7.location.02
    it('is read when somebody looks at it, and kept up to date while they do', async () => {
      const r = rig();
      const rows = () => r.store.of('location');
      r.http.recent = [ended('early', 60)];
      r.engine.open(SUBSCRIPTION);
      await r.goLive();
      expect([reads(r).length, rows().isWhole()]).toEqual([0, false]);
      r.http.asOf = 500;
      r.looked.add('location');
      r.engine.readLonger();
      await r.settle();
      expect(reads(r).map(call => call.query)).toEqual([
        { 'org_ids[]': ['org-1'], page: 1, per_page: 500, last_updated_timestamp: undefined },
      ]);
      expect([
        rows().isWhole(),
        rows()
          .list()
          .map(row => row.id),
        r.stream.get().phase,
      ]).toEqual([true, ['early'], 'live']);
      r.http.recentChanged = [ended('late', 20), { ...ended('early', 60), is_deleted: true }];
      r.engine.again();
      await r.settle();
      expect(reads(r)[1]?.query.last_updated_timestamp).toBe(at(500));
      expect(
        rows()
          .list()
          .map(row => row.id),
      ).toEqual(['late']);
      r.looked.clear();
      r.engine.again();
      await r.settle();
      expect(reads(r)).toHaveLength(2);
      r.engine.open({ ...SUBSCRIPTION, organizationId: 'org-2' });
      expect(rows().isWhole()).toBe(false);
    });

    // spec: 7.cache.04, 9.limits.09, D.value.10
    it('is read only as far as its rows are kept', async () => {
      const r = rig();
      r.looked.add('location');
      r.http.recent = Array.from({ length: 1200 }, (_, i) => ended(`l${i}`, i));
      r.engine.open(SUBSCRIPTION);
      await r.goLive();
      expect(reads(r).every(call => call.query.page === 1)).toBe(true);
      expect(r.store.of('location').list()).toHaveLength(500);
    });

    it('is asked for again when it could not be had', async () => {
      const r = rig();
      r.engine.open(SUBSCRIPTION);
      await r.goLive();
      r.looked.add('location');
      r.http.recentFailure = new Failure({ status: 500, code: 'unknown', message: '' });
      r.engine.readLonger();
      await r.settle();
      expect([r.stream.get().phase, r.store.of('location').isWhole()]).toEqual(['reconnecting', false]);
      r.http.recentFailure = undefined;
      await vi.advanceTimersByTimeAsync(1000);
      expect([r.stream.get().phase, r.stream.get().failure, r.store.of('location').isWhole()]).toEqual([
        'live',
        undefined,
        true,
      ]);
    });
  });
});

describe('a change of what may be seen', () => {
  it('shows something else, as another organization does; its size does not', () => {
    expect(showsSame(SUBSCRIPTION, { ...SUBSCRIPTION, isLarge: true, awareness: true })).toBe(true);
    expect(showsSame(SUBSCRIPTION, { ...SUBSCRIPTION, sees: [] })).toBe(false);
    expect(showsSame(SUBSCRIPTION, { ...SUBSCRIPTION, organizationId: 'org-2' })).toBe(false);
    expect(showsSame(SUBSCRIPTION, undefined)).toBe(false);
  });

  it('is told to the session when the stream is back', async () => {
    vi.useFakeTimers();
    const r = rig();
    r.engine.open({ organizationId: 'o', isLarge: false, sees: ['location'], awareness: false });
    await r.goLive();
    expect(r.accessChanged).not.toHaveBeenCalled();
    r.last().say(vary(streamed('disconnect.server_restart'), { reason: 'access_changed', after: 0 }));
    await vi.advanceTimersByTimeAsync(60_000);
    await r.goLive();
    expect(r.accessChanged).toHaveBeenCalledTimes(1);
    r.engine.close();
    vi.useRealTimers();
  });
});

describe('what happened while nobody listened', () => {
  const scene = [rowAt('a', 10, { status: 'active_location', status_at: at(10), location: sceneAt('l') })];
  const left = (ms: number) => [
    rowAt('a', ms, { status: 'standby', enroute: false, is_active: false, status_at: at(ms) }),
  ];
  const incident = wireLocation({ id: 'l', start_time: at(-1000) });
  const active = (r: ReturnType<typeof rig>) =>
    r.store
      .of('location')
      .list()
      .map(one => one.is_active);

  it('ends an incident that ended while the socket was away', async () => {
    const r = rig();
    r.http.rows = scene;
    r.http.locations = [incident];
    r.engine.open(SUBSCRIPTION);
    await r.goLive();
    expect(active(r)).toEqual([true]);
    Object.assign(r.http, { changed: left(900_000), locations: [], asOf: 900_000 });
    r.last().cut();
    await vi.advanceTimersByTimeAsync(1000);
    r.last().say(streamed('welcome'));
    r.last().say(confirmAt(9, 'e2'));
    r.last().say(streamed('reject_history'));
    await r.settle();
    expect(r.stream.get().phase).toBe('live');
    expect(active(r)).toEqual([false]);
  });

  it('ends the last incident of a polled organization', async () => {
    const r = rig();
    r.http.rows = [rowAt('a', 0)];
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    Object.assign(r.http, { changed: scene, locations: [incident] });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(active(r)).toEqual([true]);
    Object.assign(r.http, { changed: left(30_000), locations: [], asOf: 30_000 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(active(r)).toEqual([false]);
  });

  it('asks how things stand when a polled organization is out of reach', async () => {
    const r = rig();
    r.http.rows = [rowAt('a', 0)];
    r.engine.open({ ...SUBSCRIPTION, isLarge: true });
    await r.settle();
    expect(r.accessChanged).not.toHaveBeenCalled();
    r.http.failure = new Failure({ status: 404, code: 'not_found', message: 'Organization not found' });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(r.accessChanged).toHaveBeenCalled();
  });
});
