// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChunkError, chunk, chunkTypeOf, whenThere } from './chunk';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

// Requirements 8.update: load error of type missing or timeout.
it.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/Shell-1.js',
  'error loading dynamically imported module: http://localhost/assets/Shell-1.js',
  'Importing a module script failed.',
])('knows a missing part by the words of the browser: %s', async words => {
  await expect(chunk(() => Promise.reject(new TypeError(words)))()).rejects.toMatchObject({ type: 'missing' });
});

// spec: 9.session.06 8.update.03
it('gives up on a part that does not come within 120 s', async () => {
  const part = chunk(() => new Promise<never>(() => {}))();
  const outcome = part.catch((error: unknown) => error);
  const settled = vi.fn();
  void outcome.then(settled);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(chunkTypeOf(await outcome)).toBe('timeout');
});

it('passes on what a part throws itself, and what comes in time', async () => {
  const own = new Error('broken');
  await expect(chunk(() => Promise.reject(own))()).rejects.toBe(own);
  expect(chunkTypeOf(own)).toBeUndefined();
  await expect(chunk(() => Promise.resolve(7))()).resolves.toBe(7);
  expect(vi.getTimerCount()).toBe(0);
  expect(chunkTypeOf(new ChunkError('missing'))).toBe('missing');
});

it('asks again for a part that did not come whenever the network is back, until it is there or not wanted', async () => {
  const load = vi.fn<() => Promise<number>>(() => Promise.reject(new ChunkError('missing')));
  const take = vi.fn();
  const online = () => window.dispatchEvent(new Event('online'));
  const stop = whenThere(load, take);
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalledTimes(1);
  online();
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalledTimes(2);
  load.mockResolvedValue(7);
  online();
  online();
  await vi.advanceTimersByTimeAsync(0);
  expect(take.mock.calls).toEqual([[7]]);
  online();
  expect(load).toHaveBeenCalledTimes(4);
  stop();
  whenThere(load, take)();
  await vi.advanceTimersByTimeAsync(0);
  expect(take).toHaveBeenCalledTimes(1);
});
