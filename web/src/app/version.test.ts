import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answered } from '~/api/recorded';
import { updateWaits, watchVersion } from './version';

let version: string | undefined;
const asked = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  asked.mockClear();
  updateWaits.set(false);
  vi.stubGlobal('fetch', async (url: string) => {
    asked(url);
    if (version === undefined) throw new TypeError('fetch failed');
    return answered('getVersion.ok', { version });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

// spec: 4.version.01 7.base.01 7.other.01 9.session.04
it('asks after 10 s, then every 10 min, and says nothing while the version stays', async () => {
  version = '1.0.0';
  const stop = watchVersion();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(asked).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveBeenCalledExactlyOnceWith('/api/version');
  await vi.advanceTimersByTimeAsync(599_999);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(updateWaits.get()).toBe(false);
  stop();
});

// spec: 4.version.02
it('notices another version, also after a time without answers', async () => {
  version = '1.0.0';
  watchVersion();
  await vi.advanceTimersByTimeAsync(10_000);
  version = undefined;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(updateWaits.get()).toBe(false);
  version = '1.0.1';
  await vi.advanceTimersByTimeAsync(600_000);
  expect(updateWaits.get()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(asked).toHaveBeenCalledTimes(3);
});
