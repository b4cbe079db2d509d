// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MapEngine } from './engine';
import { DARK_MS, MapMount, type MapMountHost, SOUND_MS } from './mapMount';
import { type TileAt, WorkerRecovery } from './workerRecovery';

type Engines = typeof import('./engine');

/** A mount whose network the test holds; `told` is what its map was told, in order. */
function network() {
  const told: string[] = [];
  const net = { up: true, served: true, why: 'cut', graphics: true, builds: true };
  let engines = 0;
  const host: MapMountHost = {
    build: () => {
      if (!net.builds) throw new Error('no engine');
      return { number: ++engines } as unknown as MapEngine;
    },
    adopted: engine => {
      const { number } = engine as unknown as { number: number };
      told.push(`adopted ${number}`);
      return () => told.push(`left ${number}`);
    },
    phase: phase => told.push(phase),
    seen: visible => told.push(visible ? 'seen' : 'hidden'),
    online: () => told.push('online'),
    fault: error => told.push(`fault ${String(error)}`),
  };
  const mount = new MapMount(host, {
    load: () => (net.up ? Promise.resolve({} as Engines) : Promise.reject(net.why)),
    served: () => Promise.resolve(net.served),
    supported: () => net.graphics,
    random: () => 0.5,
  });
  return { mount, told, net, take: () => told.splice(0) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the place of a map on the page', () => {
  it('loads the map once and takes it down when the page is left', async () => {
    const { mount, take } = network();
    const leave = mount.attach(document.body);
    await settle();
    expect(take()).toEqual(['loading', 'adopted 1']);
    leave();
    expect(take()).toEqual(['left 1', 'loading']);
  });

  it('adopts nothing when the page was left while the map loaded', async () => {
    const { mount, take } = network();
    mount.attach(document.body)();
    await settle();
    expect(take()).toEqual(['loading', 'loading']);
  });

  it('says that the map could not be loaded, and tries again after 1, 2 and 4 seconds', async () => {
    const { mount, net, take } = network();
    net.up = false;
    net.served = false;
    const leave = mount.attach(document.body);
    await settle();
    expect(take()).toEqual(['loading', 'unloaded']);
    for (const ms of [1000, 2000, 4000]) {
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(take()).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(take()).toEqual(['loading', 'unloaded']);
    }
    net.up = true;
    await vi.advanceTimersByTimeAsync(8000);
    expect(take()).toEqual(['loading', 'adopted 1']);
    leave();
  });

  it('tries at once when the network is back, when the tab is shown and by hand; not while it tries', async () => {
    const { mount, net, take } = network();
    net.up = false;
    net.served = false;
    const leave = mount.attach(document.body);
    await settle();
    take();
    window.dispatchEvent(new Event('online'));
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(take()).toEqual(['loading', 'online', 'online', 'unloaded']);
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(take()).toEqual(['loading', 'seen', 'unloaded']);
    net.up = true;
    mount.retry();
    await settle();
    expect(take()).toEqual(['loading', 'adopted 1']);
    mount.retry();
    await settle();
    expect(take()).toEqual([]);
    leave();
    window.dispatchEvent(new Event('online'));
    expect(take()).toEqual(['left 1', 'loading']);
  });

  it('replaces an engine whose worker could not be loaded', async () => {
    const { mount, take } = network();
    mount.attach(document.body);
    await settle();
    take();
    mount.lost('no worker');
    await settle();
    expect(take()).toEqual(['left 1', 'unloaded']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(take()).toEqual(['loading', 'adopted 2']);
  });

  it('reports what the network does not explain, once', async () => {
    const { mount, net, take } = network();
    net.up = false;
    mount.attach(document.body);
    await settle();
    await vi.advanceTimersByTimeAsync(1000);
    expect(take()).toEqual(['loading', 'unloaded', 'loading', 'unloaded', 'fault cut']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(take().filter(text => text.startsWith('fault'))).toEqual([]);
  });

  it('takes a server that is away for weather, however often', async () => {
    const { mount, net, take } = network();
    net.up = false;
    net.served = false;
    mount.attach(document.body);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(take().filter(text => text.startsWith('fault'))).toEqual([]);
  });

  it.each([
    'TypeError: Failed to fetch dynamically imported module: https://x/assets/engine.js',
    'TypeError: error loading dynamically imported module: https://x/assets/engine.js',
    'TypeError: Importing a module script failed.',
    'Error: Unable to preload CSS for /assets/engine.css',
  ])('takes a file that did not come for weather, though others do: %s', async why => {
    const { mount, net, take } = network();
    Object.assign(net, { up: false, why });
    mount.attach(document.body);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(take().filter(text => text.startsWith('fault'))).toEqual([]);
  });
});

/** Shows or hides the tab. */
function show(isShown: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(!isShown);
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('a map whose graphics the browser takes away', () => {
  /** A map that stands. */
  async function standing() {
    const rig = network();
    rig.mount.attach(document.body);
    await settle();
    rig.mount.ready();
    rig.take();
    return rig;
  }
  afterEach(() => void vi.restoreAllMocks());

  it('is left alone when they are back in time', async () => {
    const { mount, take } = await standing();
    mount.graphics(true);
    await vi.advanceTimersByTimeAsync(DARK_MS - 1);
    mount.graphics(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(take()).toEqual([]);
  });

  it('is replaced after 3 s, without a fault being told', async () => {
    const { mount, take } = await standing();
    mount.graphics(true);
    await vi.advanceTimersByTimeAsync(DARK_MS);
    expect(take()).toEqual(['left 1', 'loading', 'adopted 2']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(take()).toEqual([]);
  });

  it('that loses them again and again is replaced ever more slowly, until one has stood for a minute', async () => {
    const { mount, take } = await standing();
    const lose = async () => {
      mount.graphics(true);
      const from = Date.now();
      await vi.advanceTimersByTimeAsync(DARK_MS);
      const said = take();
      while (!said.some(text => text.startsWith('adopted'))) {
        await vi.advanceTimersByTimeAsync(100);
        said.push(...take());
      }
      mount.ready();
      return { waited: Date.now() - from - DARK_MS, said };
    };
    const first = await lose();
    expect(first.waited).toBe(0);
    const second = await lose();
    expect(second.waited).toBe(1000);
    expect(second.said).toEqual(['left 2', 'stopped', 'loading', 'adopted 3']);
    expect((await lose()).waited).toBe(2000);
    expect((await lose()).waited).toBe(4000);
    await vi.advanceTimersByTimeAsync(SOUND_MS);
    expect((await lose()).waited).toBe(0);
  });

  it('gives way to the notice while there are none to be had, and comes back when there are', async () => {
    const { mount, net, take } = await standing();
    net.graphics = false;
    mount.graphics(true);
    await vi.advanceTimersByTimeAsync(DARK_MS);
    expect(take()).toEqual(['left 1', 'lost']);
    await vi.advanceTimersByTimeAsync(600_000);
    const tries = take();
    expect(new Set(tries)).toEqual(new Set(['lost']));
    expect(tries.length).toBeLessThan(40);
    net.graphics = true;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(take()).toEqual(['loading', 'adopted 2']);
  });

  it('does nothing while its tab is hidden, and has its time when it is seen', async () => {
    const { mount, net, take } = await standing();
    show(false);
    mount.graphics(true);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(take()).toEqual(['hidden']);
    show(true);
    await vi.advanceTimersByTimeAsync(DARK_MS - 1);
    expect(take()).toEqual(['seen']);
    net.graphics = false;
    await vi.advanceTimersByTimeAsync(1);
    expect(take()).toEqual(['left 1', 'lost']);
    show(false);
    net.graphics = true;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(take()).toEqual(['hidden']);
    show(true);
    await settle();
    expect(take()).toEqual(['loading', 'seen', 'adopted 2']);
  });
});

describe('a browser without graphics for a map', () => {
  it('is asked again only when its tab is seen or the network is back', async () => {
    const { mount, net, take } = network();
    net.graphics = false;
    mount.attach(document.body);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(take()).toEqual(['unsupported']);
    net.graphics = true;
    show(true);
    await settle();
    expect(take()).toEqual(['loading', 'seen', 'adopted 1']);
    vi.restoreAllMocks();
  });

  it('is noticed when the engine cannot be made; an engine that fails with graphics is a fault', async () => {
    const { mount, net, take } = network();
    net.builds = false;
    mount.attach(document.body);
    await settle();
    expect(take()).toEqual(['loading', 'fault Error: no engine', 'unloaded']);
    net.graphics = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(take()).toEqual(['lost']);
    Object.assign(net, { builds: true, graphics: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(take()).toEqual(['loading', 'adopted 1']);
  });
});

describe('tiles that could not be had', () => {
  const tile = (x: number): TileAt => ({ x, y: 0, z: 3 });

  it('are asked for again after a growing wait, all at once, and at once when the network is back', () => {
    const asked: [string, number[]][] = [];
    const mender = new WorkerRecovery(
      (source, tiles) => asked.push([source, tiles.map(t => t.x)]),
      () => 0.5,
    );
    mender.failed('region', tile(1));
    mender.failed('region', tile(2));
    mender.failed('base', tile(3));
    vi.advanceTimersByTime(999);
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(1);
    const all = [
      ['region', [1, 2]],
      ['base', [3]],
    ];
    expect(asked.splice(0)).toEqual(all);
    mender.failed('region', tile(1));
    vi.advanceTimersByTime(1999);
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(asked.splice(0)).toEqual([['region', [1]]]);
    mender.failed('region', tile(1));
    mender.now();
    expect(asked.splice(0)).toEqual([['region', [1]]]);
    vi.advanceTimersByTime(60_000);
    expect(asked).toEqual([]);
  });

  it('are forgotten when they came by themselves; the next failure waits a second again', () => {
    const asked: number[] = [];
    const mender = new WorkerRecovery(
      (_, tiles) => asked.push(...tiles.map(t => t.x)),
      () => 0.5,
    );
    mender.failed('region', tile(1));
    mender.now();
    mender.failed('region', tile(1));
    mender.loaded('region', tile(1));
    vi.advanceTimersByTime(60_000);
    expect(asked.splice(0)).toEqual([1]);
    mender.failed('region', tile(2));
    vi.advanceTimersByTime(1000);
    expect(asked).toEqual([2]);
    mender.failed('region', tile(3));
    mender.stop();
    vi.advanceTimersByTime(60_000);
    expect(asked).toEqual([2]);
  });
});
