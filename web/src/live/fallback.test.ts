// What the engine does when the stream does not open, or does not stay, while HTTP works.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type Schemas, type WireThing } from '~/api';
import { recorded, streamed, vary } from '~/api/recorded';
import { createClock } from '~/lib/clock';
import { defaultFilter } from '~/model/filter';
import { DOWN_MS, LiveEngine } from './engine';
import { STEADY_MS } from './socket';
import { LiveStore } from './store';
import { createStreamStore } from './stream';
import { at, batchOf, confirmAt, FakeSocket, pointAt, rowAt, T0 } from './testing';

beforeEach(() => void vi.useFakeTimers({ now: T0 }));
afterEach(() => void vi.useRealTimers());

const POLL_MS = 15_000;
const ORGANIZATION = { organizationId: 'org-1', isLarge: false, sees: [], awareness: false };

/** `blocked`: what a socket meets on its way; `changed`: what the list says has changed. */
function rig() {
  const way = { blocked: true, hangs: false, failure: undefined as unknown, holds: false, changed: [] as WireThing[] };
  const reads: number[] = [];
  const sockets: FakeSocket[] = [];
  const store = new LiveStore(defaultFilter(true));
  const stream = createStreamStore();
  const clock = createClock(() => Date.now());
  const access = vi.fn();
  const refused = vi.fn();
  const engine = new LiveEngine({
    store,
    stream,
    clock,
    get: async <T>(_path: string, query: unknown): Promise<T> => {
      reads.push(Date.now() - T0);
      if (way.holds) await new Promise(() => undefined);
      if (way.failure) throw way.failure;
      const isAll = !Object.entries(query as object).some(
        ([name, value]) => name === 'last_updated_timestamp' && value,
      );
      const data = isAll ? [rowAt('a', 0, { status: 'standby' })] : way.changed;
      const meta = vary<Schemas['Meta']>(recorded('listThings.ok').meta, {
        total: data.length,
        as_of: at(Date.now() - T0),
      });
      return { data, meta } as T;
    },
    snapshot: () => Promise.reject(new Error('not large')),
    localNow: () => Date.now(),
    random: () => 0.5,
    url: 'ws://host/cable',
    openSocket: (url, protocols) => {
      const socket = new FakeSocket(url, protocols);
      sockets.push(socket);
      if (way.blocked && !way.hangs) queueMicrotask(() => socket.cut());
      return socket;
    },
    token: () => 'token',
    isLookedAt: () => false,
    onRefused: refused,
    onAccess: access,
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const last = () => sockets.at(-1) as FakeSocket;
  const letIn = () => {
    last().say(streamed('welcome'));
    last().say(confirmAt(sockets.length, `e${sockets.length}`));
    if (last().sent.some(one => (one as { history?: unknown }).history)) last().say(streamed('reject_history'));
  };
  engine.open(ORGANIZATION);
  return { way, reads, sockets, store, stream, engine, access, refused, pass, last, letIn };
}

const phaseOf = (r: ReturnType<typeof rig>) => r.stream.get().phase;

describe('a stream that cannot be opened while HTTP works', () => {
  it('is replaced by a read after seconds and one every 15 s, which show what has changed', async () => {
    const r = rig();
    await r.pass(0);
    expect(phaseOf(r)).toBe('reconnecting');
    r.way.changed = [rowAt('a', 3000, { street: 'Lights on' })];
    await r.pass(DOWN_MS);
    expect(phaseOf(r)).toBe('polling');
    expect(r.store.thing('a')?.street).toBe('Lights on');
    expect(r.sockets.length).toBeGreaterThanOrEqual(3);
    r.reads.splice(0);
    await r.pass(60_000);
    expect(r.reads.map(ms => ms - (r.reads[0] ?? 0))).toEqual([0, POLL_MS, 2 * POLL_MS, 3 * POLL_MS]);
    expect(phaseOf(r)).toBe('polling');
  });

  it('is tried again all the while, and followed when it opens', async () => {
    const r = rig();
    await r.pass(120_000);
    const tries = r.sockets.length;
    r.way.blocked = false;
    while (r.sockets.length === tries) await r.pass(1000);
    expect(phaseOf(r)).toBe('polling'); // asked, not yet let in
    r.letIn();
    await r.pass(0);
    expect(r.stream.get()).toMatchObject({ phase: 'live', socketClosed: false });
    r.reads.splice(0);
    for (let s = 0; s < 60; s += 3) {
      r.last().say(streamed('ping'));
      await r.pass(3000);
    }
    expect(r.reads).toEqual([]);
  });

  it('counts as such when a handshake is never answered, and when a stream is lost in the middle', async () => {
    const r = rig();
    r.way.hangs = true;
    await r.pass(DOWN_MS);
    expect(phaseOf(r)).toBe('polling');
    r.letIn();
    await r.pass(0);
    expect(phaseOf(r)).toBe('live');
    r.way.hangs = false;
    r.last().cut();
    expect(phaseOf(r)).toBe('reconnecting');
    await r.pass(DOWN_MS);
    expect(phaseOf(r)).toBe('polling');
  });

  it('is called reconnecting, not polling, as soon as HTTP fails too, and while a poll hangs', async () => {
    const r = rig();
    await r.pass(DOWN_MS);
    r.way.failure = new Failure({ status: 0, code: 'network', message: '' });
    await r.pass(POLL_MS);
    const seen = new Set<string>();
    r.stream.subscribe(() => seen.add(phaseOf(r)));
    expect(phaseOf(r)).toBe('reconnecting');
    await r.pass(12_000); // sockets fail meanwhile too
    expect([...seen, phaseOf(r)]).not.toContain('polling');
    r.way.failure = undefined;
    await r.pass(10_000);
    expect(phaseOf(r)).toBe('polling');
    r.way.holds = true;
    await r.pass(3 * POLL_MS);
    r.engine.look();
    const tries = r.sockets.length;
    seen.clear();
    while (r.sockets.length === tries) await r.pass(1000);
    expect([...seen, phaseOf(r)]).toEqual(['reconnecting', 'reconnecting']);
  });

  it('is not waited for when its page is seen again: what changed is read at once', async () => {
    const r = rig();
    await r.pass(DOWN_MS);
    r.reads.splice(0);
    r.engine.setFocused(true);
    await r.pass(0);
    expect(r.reads).toHaveLength(1);
  });

  it('leaves a stream alone that comes back within a moment', async () => {
    const r = rig();
    r.way.blocked = false;
    await r.pass(0);
    r.letIn();
    await r.pass(STEADY_MS);
    r.reads.splice(0);
    r.last().cut();
    await r.pass(1000);
    r.last().say(streamed('welcome'));
    r.last().say(confirmAt(2, 'e1'));
    r.last().say(streamed('confirm_history'));
    await r.pass(DOWN_MS);
    expect(r.reads).toEqual([]);
    expect(phaseOf(r)).toBe('live');
  });
});

describe('a stream that opens and dies within seconds', () => {
  it('is not called live again until it has stayed, and what it brings meanwhile counts', async () => {
    const r = rig();
    r.way.blocked = false;
    await r.pass(0);
    const seen: string[] = [];
    for (let i = 0; i < 8; i++) {
      r.letIn();
      await r.pass(500);
      seen.push(phaseOf(r));
      const { length } = r.sockets;
      r.last().cut();
      while (r.sockets.length === length) await r.pass(500);
    }
    expect(seen.slice(0, 3)).toEqual(['live', 'live', 'live']);
    expect(seen.slice(4)).toEqual(['polling', 'polling', 'polling', 'polling']);
    r.letIn();
    r.last().say(
      batchOf(`e${r.sockets.length}`, [{ offset: r.sockets.length + 1, message: pointAt('a', Date.now() - T0) }]),
    );
    await r.pass(1000);
    expect(r.store.thing('a')?.street).not.toBe('street 0');
    expect(phaseOf(r)).toBe('polling');
    await r.pass(STEADY_MS);
    expect(phaseOf(r)).toBe('live');
  });
});

describe('a refusal', () => {
  it('by HTTP while the stream is down says at once that access is another one', async () => {
    const r = rig();
    await r.pass(0);
    r.way.failure = new Failure({ status: 403, code: 'forbidden', message: '' });
    await r.pass(DOWN_MS);
    expect(r.access).toHaveBeenCalled();
  });

  it('by HTTP after an outage is met within 4 s, even if that was a minute', async () => {
    const r = rig();
    r.way.failure = new Failure({ status: 0, code: 'network', message: '' });
    await r.pass(60_000);
    r.reads.splice(0);
    r.way.failure = new Failure({ status: 403, code: 'forbidden', message: '' });
    await r.pass(4000);
    expect(r.access).toHaveBeenCalled();
    r.way.failure = new Failure({ status: 0, code: 'network', message: '' });
    await r.pass(60_000);
    r.reads.splice(0);
    await r.pass(600_000);
    expect(r.reads.length).toBeLessThan(26); // as rarely as a socket
  });

  it('of the stream alone is no end: the page polls, and asks for the stream again later', async () => {
    const r = rig();
    r.way.blocked = false;
    await r.pass(0);
    r.last().say(streamed('welcome'));
    r.last().say(streamed('reject_subscription'));
    expect(r.refused).toHaveBeenCalledExactlyOnceWith('rejected');
    await r.pass(DOWN_MS);
    expect(phaseOf(r)).toBe('polling');
    expect(r.sockets).toHaveLength(1);
    await r.pass(45_000);
    expect(r.sockets.length).toBeGreaterThan(1);
    r.letIn();
    await r.pass(0);
    expect(phaseOf(r)).toBe('live');
  });
});

describe('messages that cannot be taken in', () => {
  it('are reported, and the list is read instead', async () => {
    const r = rig();
    r.way.blocked = false;
    const told = vi.fn();
    vi.stubGlobal('reportError', told);
    await r.pass(0);
    r.letIn();
    await r.pass(0);
    r.reads.splice(0);
    vi.spyOn(r.store, 'applyMessages').mockImplementationOnce(() => {
      throw new Error('broken');
    });
    r.last().say(batchOf('e1', [{ offset: 2, message: pointAt('a', 1000) }]));
    await r.pass(1000);
    expect(told).toHaveBeenCalledOnce();
    expect(r.reads).toHaveLength(1);
    vi.unstubAllGlobals();
  });
});
