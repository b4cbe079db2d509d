import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { malformed, replayed } from '~/api/recorded';
import { type FakeServer, fakeServer } from './drive.fakes';
import { Impressions } from './impressions';

let server: FakeServer;
let impressions: Impressions;
let names = 0;

beforeEach(() => {
  vi.useFakeTimers();
  server = fakeServer();
  names = 0;
  const newName = () => {
    names += 1;
    return `name-${names}`;
  };
  impressions = new Impressions({ organization: 'o1', key: 'k' }, { fetch: server.fetch, newName });
});
afterEach(() => {
  impressions.stop();
  vi.useRealTimers();
});

const wait = (ms = 5000) => vi.advanceTimersByTimeAsync(ms);
const sent = () => server.posts.map(({ body }) => [body.consumer, body.alerts]);

it('sends what was shown, each once, in batches', async () => {
  impressions.count('a');
  impressions.count('b');
  impressions.count('a');
  await wait();
  impressions.count('b');
  await wait();
  expect(sent()).toEqual([['name-1', ['a', 'b']]]);
  expect(server.posts[0]?.url).toBe('/feeds/o1/alerts/impressions');
  expect(server.posts[0]?.headers.get('Authorization')).toBe('Bearer k');
  for (let i = 0; i < 150; i++) impressions.count(`x${i}`);
  await wait(10_000);
  expect(sent().map(([, alerts]) => alerts?.length)).toEqual([2, 100, 50]);
});

it('tries a few times, then lets go', async () => {
  server.post = () => malformed('', 503);
  impressions.count('a');
  await wait(60_000);
  expect(sent()).toHaveLength(4);
  server.post = () => replayed('feeds-alerts-impressions.validation_failed');
  impressions.count('b');
  await wait(60_000);
  expect(sent()).toHaveLength(5);
  server.post = () => {
    throw new TypeError('offline');
  };
  impressions.count('c');
  await wait();
  server.post = () => replayed('feeds-alerts-impressions.ok');
  impressions.count('d');
  await wait();
  expect(sent().at(-1)).toEqual(['name-1', ['c', 'd']]);
});

it('has another name each day, and sends what waits at the end', async () => {
  impressions.count('a');
  await wait();
  await wait(86_400_000);
  impressions.count('a');
  impressions.count('b');
  impressions.stop();
  await wait(0);
  expect(sent()).toEqual([
    ['name-1', ['a']],
    ['name-2', ['b']],
  ]);
});
