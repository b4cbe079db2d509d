import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { malformed } from '~/api/recorded';
import { createClock } from '~/lib/clock';
import { arrive, type FakeServer, fakeServer, feature } from './drive.fakes';
import { Follower } from './follow';

const HERE = { lat: 39.68, lng: -75.65 };
let server: FakeServer;
let follower: Follower;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-27T12:00:00Z') });
  server = fakeServer();
});
afterEach(() => {
  follower.stop();
  vi.useRealTimers();
});

const clock = createClock(() => Date.now());
function follow(key = '') {
  follower = new Follower({ organization: 'o 1', key }, { fetch: server.fetch, clock, random: () => 1 });
  follower.at(HERE);
}
const ids = () => [...follower.alerts.keys()];
const hello = (retry_ms = 1000) =>
  server.last().say('hello', { server_time: new Date(Date.now() + 5000).toISOString(), retry_ms });

async function live(...alerts: string[]) {
  await arrive();
  hello();
  alerts.forEach((id, i) => void server.last().say('alert', feature(id, 39.69, -75.65), `e-${i + 1}`));
  server.last().say('ready', {}, `e-${alerts.length}`);
  await arrive();
}

it('asks for a circle of 5 km, and is live once it has heard everything', async () => {
  follow();
  await arrive();
  expect(server.last().url).toBe('/feeds/o%201/alerts/stream?lat=39.680&lng=-75.650&radius_m=5000');
  expect(server.last().headers.has('Authorization')).toBe(false);
  expect(follower.connection.get()).toBe('connecting');
  hello();
  server.last().say('alert', feature('a', 39.69, -75.65));
  await arrive();
  expect([follower.connection.get(), follower.isHeard()]).toEqual(['connecting', false]);
  server.last().say('ready', {});
  await arrive();
  expect([follower.connection.get(), follower.isHeard()]).toEqual(['live', true]);
  expect(clock.now() - Date.now()).toBeGreaterThan(4000);
  expect(ids()).toEqual(['a']);
  server.last().say('gone', { id: 'a' });
  await arrive();
  expect(ids()).toEqual([]);
});

it('sends a key in a header, never in the address', async () => {
  follow('lb_secret');
  await arrive();
  expect(server.last().headers.get('Authorization')).toBe('Bearer lb_secret');
  expect(server.last().url).not.toContain('secret');
});

it('moves its circle every 2 km, and forgets what the new one does not name', async () => {
  follow();
  await live('a', 'b');
  follower.at({ lat: HERE.lat + 0.017, lng: HERE.lng });
  expect(server.streams).toHaveLength(1);
  follower.at({ lat: HERE.lat + 0.0185, lng: HERE.lng });
  await arrive();
  expect(server.streams).toHaveLength(2);
  expect(server.streams[0]?.isLeft()).toBe(true);
  expect(server.last().url).toContain('lat=39.699');
  expect(server.last().headers.has('Last-Event-ID')).toBe(false);
  expect([ids(), follower.isHeard()]).toEqual([['a', 'b'], true]); // meanwhile
  await live('b', 'c');
  expect(ids()).toEqual(['b', 'c']);
});

it('goes on from the last event, and begins anew when the server says so', async () => {
  follow();
  await live('a', 'b');
  server.last().end();
  await arrive();
  expect(follower.connection.get()).toBe('lost');
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.last().headers.get('Last-Event-ID')).toBe('e-2');
  hello();
  server.last().say('gone', { id: 'a' }, 'e-3');
  server.last().say('ready', {}, 'e-3');
  await arrive();
  expect([ids(), follower.connection.get()]).toEqual([['b'], 'live']);
  server.last().end();
  await vi.advanceTimersByTimeAsync(1001);
  hello();
  server.last().say('reset', {});
  server.last().say('alert', feature('c', 39.69, -75.65), 'f-1');
  server.last().say('ready', {}, 'f-1');
  await arrive();
  expect(ids()).toEqual(['c']);
});

it('is not live after 40 seconds of silence, and asks again', async () => {
  follow();
  await live('a');
  await vi.advanceTimersByTimeAsync(39_000);
  expect(follower.isHeard()).toBe(true);
  server.last().keepAlive();
  await vi.advanceTimersByTimeAsync(39_000);
  expect(follower.isHeard()).toBe(true);
  await vi.advanceTimersByTimeAsync(1001);
  expect([follower.isHeard(), follower.connection.get()]).toEqual([false, 'lost']);
  expect(server.streams[0]?.isLeft()).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.streams).toHaveLength(2);
});

it('does not take a phone that slept for live', async () => {
  follow();
  await live('a');
  vi.setSystemTime(Date.now() + 60_000); // no timer has run
  expect(follower.isHeard()).toBe(false);
  follower.wake();
  await arrive();
  expect(server.streams).toHaveLength(2);
});

it('does not wait for ever for an answer', async () => {
  let asked = 0;
  server.stream = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  follow();
  await vi.advanceTimersByTimeAsync(39_999);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(2001);
  expect(asked).toBe(2);
});

it('knows at once that the network has gone, and that it is back', async () => {
  follow();
  await live('a');
  follower.drop();
  expect([follower.isHeard(), follower.connection.get(), ids()]).toEqual([false, 'lost', ['a']]);
  follower.wake();
  await live('a');
  expect(follower.connection.get()).toBe('live');
  expect(server.streams).toHaveLength(2);
  follower.wake();
  expect(server.streams).toHaveLength(2);
});

it('waits longer with each failure, and as long as it is asked to', async () => {
  let asked = 0;
  server.stream = () => {
    asked += 1;
    return malformed('', 502);
  };
  follow();
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return asked;
  };
  expect(await after(1)).toBe(1);
  expect(await after(2000)).toBe(2);
  expect(await after(3998)).toBe(2);
  expect(await after(2)).toBe(3);
  expect(await after(8000)).toBe(4);
  server.stream = () => {
    asked += 1;
    return malformed('', 503, { 'Retry-After': '60' });
  };
  expect(await after(16_000)).toBe(5);
  expect(await after(60_000)).toBe(5);
  expect(await after(30_000)).toBe(6);
});

it.each([401, 403, 404])('gives up when it is answered %i', async status => {
  server.stream = () => malformed('', status);
  follow();
  await arrive();
  expect(follower.connection.get()).toBe('refused');
  server.stream = undefined;
  await vi.advanceTimersByTimeAsync(600_000);
  follower.wake();
  follower.at({ lat: 40, lng: -75 });
  expect(server.streams).toHaveLength(0);
});

it('takes neither a page nor broken words for the stream', async () => {
  server.stream = () => malformed('<html>', 200, { 'Content-Type': 'text/html' });
  follow();
  await arrive();
  expect(follower.connection.get()).toBe('connecting');
  server.stream = undefined;
  await vi.advanceTimersByTimeAsync(2000);
  hello();
  server.last().say('alert', { id: 'x' });
  server.last().say('alert', null);
  server.last().say('surprise', { id: 'x' });
  server.last().say('ready', {});
  await arrive();
  expect([follower.connection.get(), ids()]).toEqual(['live', []]);
});
