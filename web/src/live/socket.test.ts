import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { streamed, vary } from '~/api/recorded';
import { reconnectDelay } from './backoff';
import { MessageBuffer } from './buffer';
import { parseFrame } from './frame';
import { LiveSocket, SILENCE_MS, type SocketOptions } from './socket';
import { batchOf, confirmAt as confirm, FakeSocket, pointAt } from './testing';

const IDENTIFIER = '{"channel":"EventsChannel","organization_id":"org-1"}';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function rig(over: Partial<SocketOptions> = {}) {
  const sockets: FakeSocket[] = [];
  const calls = {
    messages: [] as string[],
    fetch: [] as string[],
    states: [] as boolean[],
    pings: [] as number[],
    profiles: 0,
    refused: [] as string[],
  };
  const socket = new LiveSocket(
    {
      url: 'ws://host/cable',
      organizationId: 'org-1',
      token: () => 'the-token',
      open: (url, protocols) => {
        const s = new FakeSocket(url, protocols);
        sockets.push(s);
        return s;
      },
      random: () => 0.5,
      onMessages: list => {
        for (const m of list) calls.messages.push('live' in m ? m.live.street : m.type);
      },
      onFetch: reason => calls.fetch.push(reason),
      onPing: at => calls.pings.push(at),
      onState: state => calls.states.push(state.open),
      onProfile: () => calls.profiles++,
      onRefused: reason => calls.refused.push(reason),
      ...over,
    },
    () => Date.now(),
  );
  const last = () => {
    const s = sockets.at(-1);
    if (!s) throw new Error('no socket was opened');
    return s;
  };
  return { socket, sockets, last, calls };
}

const data = (epoch: string, ...entries: [number, number][]) =>
  batchOf(
    epoch,
    entries.map(([offset, ms]) => ({ offset, message: pointAt('a', ms) })),
  );
const ended = (over: Partial<Schemas['DisconnectFrame']>) => vary(streamed('disconnect.server_restart'), over);

describe('the socket', () => {
  // spec: 7.stream.01, 7.stream.02, 4.stream.01
  it('carries the token as a subprotocol and subscribes after the welcome', () => {
    const { socket, last, calls } = rig();
    socket.start();
    expect(last()).toMatchObject({ url: 'ws://host/cable', protocols: ['datapumper', 'the-token'] });
    expect(last().sent).toEqual([]);
    last().say(streamed('welcome'));
    expect(last().sent).toEqual([{ command: 'subscribe', identifier: IDENTIFIER, batch: true }]);
    last().say(confirm(7));
    expect(calls).toMatchObject({ fetch: ['missed'], states: [true] });
  });

  it('says that the profile is another one, and goes on', () => {
    const { socket, sockets, last, calls } = rig();
    socket.start();
    last().say(streamed('welcome'));
    last().say(confirm(7));
    last().say(streamed('profile_changed'));
    expect(calls).toMatchObject({ profiles: 1, fetch: ['missed'], states: [true], refused: [] });
    expect(sockets).toHaveLength(1);
  });

  it('delivers batches and single messages once, in order', () => {
    const { socket, last, calls } = rig();
    socket.start();
    last().say(streamed('welcome'));
    last().say(confirm(7));
    last().say(data('e1', [8, 1000], [9, 2000]));
    last().say(data('e1', [9, 2000]));
    last().say(vary(streamed('message'), { message: pointAt('a', 3000), epoch: 'e1', offset: 11 }));
    expect(calls.messages).toEqual(['street 1000', 'street 2000', 'street 3000']);
  });

  // spec: D.ws.04
  it('resumes by epoch and offset after a cut and reads nothing anew', () => {
    const { socket, sockets, last, calls } = rig();
    socket.start();
    last().say(streamed('welcome'));
    last().say(confirm(7));
    last().say(data('e1', [8, 1000]));
    last().cut();
    expect(calls.states).toEqual([true, false]);
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
    last().say(streamed('welcome'));
    expect(last().sent).toEqual([
      { command: 'subscribe', identifier: IDENTIFIER, batch: true, history: { epoch: 'e1', offset: 8 } },
    ]);
    last().say(confirm(10));
    expect(calls.states).toEqual([true, false]); // not live before what was missed has come
    last().say(data('e1', [9, 2000], [10, 3000]));
    last().say(streamed('confirm_history'));
    expect(calls).toMatchObject({
      messages: ['street 1000', 'street 2000', 'street 3000'],
      fetch: ['missed'],
      states: [true, false, true],
    });
  });

  // spec: D.ws.04
  it('asks for the list when the history is rejected and goes on from where the server stands', () => {
    const { socket, last, calls } = rig();
    socket.start();
    last().say(streamed('welcome'));
    last().say(confirm(7));
    last().cut();
    vi.advanceTimersByTime(1000);
    last().say(streamed('welcome'));
    last().say(confirm(3, 'e2'));
    last().say(streamed('reject_history'));
    expect(calls.fetch).toEqual(['missed', 'missed']);
    last().cut();
    vi.advanceTimersByTime(1000);
    last().say(streamed('welcome'));
    expect(last().sent).toMatchObject([{ history: { epoch: 'e2', offset: 3 } }]);
    last().say(confirm(3, 'e2'));
    last().say(streamed('confirm_history'));
    last().say(data('e2', [4, 1000]));
    last().cut();
    vi.advanceTimersByTime(1000);
    last().say(streamed('welcome'));
    expect(last().sent).toMatchObject([{ history: { epoch: 'e2', offset: 4 } }]);
  });

  // spec: 4.stream.04, 9.session.03, D.ws.05
  it('reconnects after 1, 2, 4, 8, 10, 10 s … and then every 30 s for ever', () => {
    const delays = Array.from({ length: 12 }, (_, n) => reconnectDelay(n, 0.5) / 1000);
    expect(delays).toEqual([1, 2, 4, 8, 10, 10, 10, 10, 10, 10, 30, 30]);
    expect([reconnectDelay(10, 0), reconnectDelay(10, 0.999)].map(Math.round)).toEqual([24_000, 35_988]);
    const { socket, sockets, last } = rig();
    socket.start();
    let expected = 1;
    for (const delay of delays) {
      last().cut();
      vi.advanceTimersByTime(delay * 1000 - 1);
      expect(sockets).toHaveLength(expected);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(++expected);
    }
  });

  it('starts counting anew after a confirmed subscription', () => {
    const { socket, sockets, last } = rig();
    socket.start();
    last().cut();
    vi.advanceTimersByTime(1000);
    last().cut();
    vi.advanceTimersByTime(2000);
    last().say(streamed('welcome'));
    last().say(confirm(1));
    last().cut();
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(4);
  });

  it('comes again after a disconnect for slowness with its history, and waits as long as a restart asks', () => {
    const { socket, sockets, last } = rig();
    socket.start();
    last().say(streamed('welcome'));
    last().say(confirm(7));
    last().say(ended({ reason: 'slow', after: 0 }));
    vi.advanceTimersByTime(1000);
    last().say(streamed('welcome'));
    expect(last().sent).toMatchObject([{ history: { epoch: 'e1', offset: 7 } }]);
    last().say(confirm(7));
    last().say(streamed('confirm_history'));
    last().say(ended({ after: 4000 }));
    vi.advanceTimersByTime(5999);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(3);
  });

  it('forgets its place when access changed: everything is read anew', () => {
    const { socket, last, calls } = rig();
    socket.start();
    last().say(streamed('welcome'));
    last().say(confirm(7));
    last().say(ended({ reason: 'access_changed', after: 0 }));
    vi.advanceTimersByTime(1000);
    last().say(streamed('welcome'));
    expect(last().sent).toEqual([{ command: 'subscribe', identifier: IDENTIFIER, batch: true }]);
    last().say(confirm(9));
    expect(calls.fetch).toEqual(['missed', 'access']);
  });

  it('stops when it is refused', () => {
    for (const frame of [streamed('disconnect.unauthorized'), streamed('reject_subscription')]) {
      const { socket, sockets, last, calls } = rig();
      socket.start();
      last().say(frame);
      vi.advanceTimersByTime(120_000);
      expect(sockets).toHaveLength(1);
      expect(calls.refused).toHaveLength(1);
    }
  });

  it('takes a silent socket for dead', () => {
    const { socket, sockets, last, calls } = rig();
    socket.start();
    last().say(streamed('welcome'));
    last().say(confirm(1));
    for (let i = 0; i < 5; i++) {
      vi.advanceTimersByTime(3000);
      last().say(streamed('ping'));
    }
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(SILENCE_MS);
    expect(calls.states.at(-1)).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  it('says at once that a socket is dead which a sleep has kept silent', () => {
    for (const wake of ['nudge', 'mistrust'] as const) {
      const { socket, sockets, last, calls } = rig();
      socket.start();
      last().say(streamed('welcome'));
      last().say(confirm(1));
      vi.setSystemTime(Date.now() + SILENCE_MS - 1);
      socket[wake]();
      expect(calls.states.at(-1)).toBe(true);
      vi.setSystemTime(Date.now() + 1);
      socket[wake]();
      expect(calls.states.at(-1)).toBe(false);
      vi.advanceTimersByTime(1000);
      expect(sockets).toHaveLength(2);
      socket.stop();
    }
  });

  // spec: D.ws.05
  it('connects at once when the tab is seen again, but leaves a healthy socket alone', () => {
    const { socket, sockets, last } = rig();
    socket.start();
    last().say(streamed('welcome'));
    socket.nudge();
    expect(sockets).toHaveLength(1);
    last().cut();
    socket.nudge();
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(999);
    expect(sockets).toHaveLength(2);
  });

  it('opens no socket without a token and closes the last one when stopped', () => {
    let token: string | undefined;
    const { socket, sockets, last } = rig({ token: () => token });
    socket.start();
    expect(sockets).toHaveLength(0);
    token = 'later';
    vi.advanceTimersByTime(1000);
    expect(last().protocols[1]).toBe('later');
    socket.stop();
    expect(last().isClosed).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });
});

describe('frames', () => {
  it('reads the types it knows and ignores everything else', () => {
    const known = [
      streamed('point.moving'),
      streamed('heartbeat.standby'),
      streamed('thing.edited'),
      streamed('location.begun'),
      streamed('admin.added'),
    ];
    const body = { id: 'a' };
    for (const message of known)
      expect(parseFrame(JSON.stringify({ message }))).toEqual({
        type: 'data',
        messages: [message],
        position: undefined,
      });
    for (const junk of ['', 'x', '[]', 'null', '7', '{"type":"mystery"}', '{}', undefined, new ArrayBuffer(1)]) {
      expect(parseFrame(junk)).toEqual({ type: 'unknown' });
    }
    for (const message of [
      null,
      7,
      { type: 'other' },
      { type: 'point', live: 7 },
      { type: 'thing', live: body },
      { type: 'thing', thing: {} },
    ]) {
      expect(parseFrame(JSON.stringify({ message }))).toMatchObject({ type: 'data', messages: [] });
    }
  });

  // spec: 4.stream.03
  it('learns the time from pings and nothing else', () => {
    expect(parseFrame('{"type":"ping","message":1795257727,"at":"2026-11-21T10:42:07.250Z"}')).toEqual({
      type: 'ping',
      serverAt: Date.parse('2026-11-21T10:42:07.250Z'),
    });
    expect(parseFrame('{"type":"ping","message":1795257727}')).toEqual({ type: 'ping', serverAt: 1795257727000 });
  });
});

describe('the buffer', () => {
  // spec: 4.stream.02
  it('hands over once a second', () => {
    const flush = vi.fn();
    const buffer = new MessageBuffer(flush, () => undefined);
    for (let i = 0; i < 100; i++) {
      buffer.push([pointAt('a', i)]);
      vi.advanceTimersByTime(9);
    }
    expect(flush).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(flush).toHaveBeenCalledTimes(1);
    expect(flush.mock.calls[0]?.[0]).toHaveLength(100);
    vi.advanceTimersByTime(5000);
    expect(flush).toHaveBeenCalledTimes(1);
  });

  it('gives up on a flood instead of growing', () => {
    const [flush, overflow] = [vi.fn(), vi.fn()];
    const buffer = new MessageBuffer(flush, overflow);
    const many = Array.from({ length: 150_000 }, () => pointAt('a', 1));
    buffer.push(many);
    buffer.push(many);
    vi.advanceTimersByTime(2000);
    expect(overflow).toHaveBeenCalledTimes(1);
    expect(flush).not.toHaveBeenCalled();
  });
});
