import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unpackAside } from './unpacker';

/** What a browser leaves of a worker that it has ended: nothing is said any more. */
class EndedWorker {
  static ended = 0;
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {
    EndedWorker.ended++;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', EndedWorker);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('gives up on a worker that says nothing, so that the next poll can begin', async () => {
  const read = unpackAside(new Blob(['{}']), new AbortController().signal);
  const failed = expect(read).rejects.toMatchObject({ status: 0, code: 'unreadable' });
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(EndedWorker.ended).toBe(1);
});
