import { beforeEach, expect, it } from 'vitest';
import { createStore } from '~/lib/store';
import { createStreamStore } from '~/live/stream';
import { AWAY_MS, watchGaps } from './gaps';

const BEGAN = 1_000_000;
let local: number;
let stream: ReturnType<typeof createStreamStore>;
let locked: ReturnType<typeof createStore<boolean>>;
let told: (number | 'begin')[];

/** The picture says as of when it is, `ms` of local time later. */
const ping = (ms: number, asOf = BEGAN + local + ms) => {
  local += ms;
  stream.patch({ phase: 'live', asOf });
};

beforeEach(() => {
  local = 0;
  stream = createStreamStore();
  locked = createStore(false);
  told = [];
  const onBack = (since: number) => told.push(since);
  watchGaps({ stream, locked, now: () => local, onBack, onBegin: () => told.push('begin') });
  ping(0);
});

it('says nothing of a picture that was live all the time, nor of a short gap, nor of the time before there was one', () => {
  for (let i = 0; i < 100; i++) ping(3000);
  ping(AWAY_MS);
  expect(told).toEqual([]);
});

it('tells since when nobody could see it, once it is live again', () => {
  ping(3000);
  local += AWAY_MS + 1;
  stream.patch({ phase: 'reconnecting', attempt: 7 });
  stream.patch({ online: false });
  expect(told).toEqual([]);
  stream.patch({ asOf: BEGAN + local }); // the list has been read; the stream is not there yet
  expect(told).toEqual([]);
  stream.patch({ online: true });
  expect(told).toEqual([]);
  ping(1000);
  expect(told).toEqual([BEGAN + 3000]);
  ping(3000);
  expect(told).toHaveLength(1);
});

it('notices a frozen tab by the clock, though the pings of meanwhile come one by one', () => {
  ping(3000);
  local += 2 * AWAY_MS;
  for (let i = 1; i < 40; i++) stream.patch({ phase: 'live', asOf: BEGAN + 3000 + i * 3000 });
  expect(told).toEqual([BEGAN + 3000]);
});

it('counts a locked screen, and tells when it is open again', () => {
  locked.set(true);
  for (let i = 0; i < 30; i++) ping(3000);
  expect(told).toEqual([]);
  locked.set(false);
  expect(told).toEqual([BEGAN]);
  locked.set(true);
  ping(3000);
  locked.set(false);
  expect(told).toHaveLength(1);
});

it('forgets the gap when another picture begins', () => {
  local += 2 * AWAY_MS;
  stream.patch({ phase: 'loading', asOf: 0 });
  ping(1000);
  expect(told).toEqual(['begin']);
});
