import { afterEach, expect, it, vi } from 'vitest';
import { browserTabs } from './tabs';

afterEach(() => vi.unstubAllGlobals());

/** Locks as browsers have them: whoever asks for a name waits for those before. */
function stubLocks(): void {
  const last = new Map<string, Promise<unknown>>();
  const request = (name: string, work: () => Promise<unknown>) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work);
    last.set(name, turn);
    return turn;
  };
  vi.stubGlobal('navigator', { locks: { request } });
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
}

// spec: D.auth.04
it('lets one tab of the browser work at a time under a name', async () => {
  stubLocks();
  const done: string[] = [];
  const { promise: held, resolve: release } = deferred();
  const first = browserTabs().alone('renew', () => held.then(() => done.push('first')));
  const second = browserTabs().alone('renew', async () => done.push('second'));
  await browserTabs().alone('another', async () => done.push('another'));
  expect(done).toEqual(['another']);
  release();
  await Promise.all([first, second]);
  expect(done).toEqual(['another', 'first', 'second']);
});

it('works at once in a browser without locks', async () => {
  vi.stubGlobal('navigator', {});
  expect(await browserTabs().alone('renew', async () => 7)).toBe(7);
});
