import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { createClock } from './clock';
import { createStore } from './store';
import { createTabTitle } from './tabTitle';
import { thrownAlone } from './testing';
import { throttle } from './throttle';

it('a clock follows the other side and ignores late readings', () => {
  let local = 1000;
  const clock = createClock(() => local);
  expect(clock.now()).toBe(1000);
  clock.learn(61_000);
  expect(clock.now()).toBe(61_000);
  local += 500;
  clock.learn(61_000); // half a second under way
  expect(clock.now()).toBe(61_500);
  clock.learn(55_000); // the server's clock was set back
  expect(clock.now()).toBe(55_000);
  clock.learn(Number.NaN);
  expect(clock.now()).toBe(55_000);
});

it('a store tells listeners of changes only', () => {
  const store = createStore(1);
  const heard = vi.fn();
  const stop = store.subscribe(heard);
  store.set(1);
  store.set(now => now + 1);
  stop();
  store.set(5);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(store.get()).toBe(5);
});

it('a listener that throws costs no other its turn, and its error is thrown on its own', async () => {
  const alone = thrownAlone();
  const store = createStore(1);
  const heard = vi.fn();
  store.subscribe(() => {
    throw new Error('broken');
  });
  store.subscribe(heard);
  store.set(2);
  expect(heard).toHaveBeenCalledTimes(1);
  await Promise.resolve();
  expect(alone()).toEqual(['broken']);
});

it('nobody calls listeners but notify', () => {
  const loop = /for \(const (\w+) of [^)]*(?:[lL]isteners|\bthis\.#?on[A-Z]\w*)\]?\)\s*\{?\s*\1\(/;
  expect('for (const one of [...this.listeners]) one();').toMatch(loop);
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name));
  expect(sources.length).toBeGreaterThan(500);
  const own = sources.filter(name => !/\.test\.|^lib\/notify\.ts$/.test(name));
  expect(own.filter(name => loop.test(readFileSync(`src/${name}`, 'utf8')))).toEqual([]);
});

it('a tab title carries a flag until it is lowered', () => {
  const page = { title: '' };
  const title = createTabTitle(page);
  title.base('Live · Safety Cloud');
  title.flag('Engine 4 on scene');
  expect(page.title).toBe('● Engine 4 on scene · Live · Safety Cloud');
  title.flag(undefined);
  expect(page.title).toBe('Live · Safety Cloud');
});

// spec: 9.session.02
it('a throttled call runs at most once in its time', () => {
  let now = 0;
  const act = vi.fn();
  const touched = throttle(act, 500, () => now);
  for (now = 0; now < 1000; now += 100) touched();
  expect(act).toHaveBeenCalledTimes(2);
});
