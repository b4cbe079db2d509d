import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as player from './clock';
import { clock, restingAt } from './clock';

let frames: ((now: number) => void)[] = [];
let now = 0;

/** The browser draws frames, so many ms apart. */
function run(count: number, ms: number): void {
  for (let i = 0; i < count && frames.length > 0; i++) {
    now += ms;
    const due = frames;
    frames = [];
    for (const frame of due) frame(now);
  }
}

beforeEach(() => {
  frames = [];
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
  player.begin(1_000_000, 2_000_000, 1_000_000);
  player.setRate(10);
});

afterEach(() => {
  player.end();
  vi.unstubAllGlobals();
});

it('runs as fast as is chosen, and only while it plays', () => {
  expect(frames).toHaveLength(0);
  player.play();
  run(10, 16);
  expect(clock.get().at).toBe(1_000_000 + 10 * 16 * 10);
  player.pause();
  expect(frames).toHaveLength(0);
  player.seek(1_500_000);
  expect(frames).toHaveLength(0);
});

it('stops at the end, and begins anew from there', () => {
  player.seek(1_999_900);
  player.play();
  run(100, 16);
  expect(clock.get()).toMatchObject({ at: 2_000_000, playing: false });
  expect(frames).toHaveLength(0);
  player.play();
  expect(clock.get()).toMatchObject({ at: 1_000_000, playing: true });
});

it('stands while nobody watched', () => {
  player.play();
  run(1, 60_000);
  expect(clock.get().at).toBe(1_000_000 + 250 * 10);
});

it('keeps within its time, and takes no instant that is none', () => {
  player.seek(1);
  expect(clock.get().at).toBe(1_000_000);
  player.step(1e9);
  expect(clock.get().at).toBe(2_000_000);
  player.seek(Number.NaN);
  expect(clock.get().at).toBe(2_000_000);
});

it('plays on after a drag if it played, else rests', () => {
  player.play();
  const letGo = player.drag();
  expect(clock.get()).toMatchObject({ playing: false, dragging: true });
  player.seek(1_200_000);
  letGo();
  expect(clock.get()).toMatchObject({ playing: true, dragging: false, at: 1_200_000 });
  player.pause();
  player.drag()();
  expect(clock.get().playing).toBe(false);
});

it('goes past time without data where that is wanted', () => {
  player.setSkips([{ start: 1_000_100, end: 1_900_000 }]);
  player.play();
  run(1, 16);
  expect(clock.get().at).toBe(1_000_160);
  player.setSkipping(true);
  run(1, 16);
  expect(clock.get().at).toBe(1_900_000);
  player.setSkipping(false);
});

it('says where it rests, to the second, and nothing on the way', () => {
  player.seek(1_234_567);
  expect(restingAt.get()).toBe(1_234_000);
  player.play();
  run(50, 16);
  expect(restingAt.get()).toBe(1_234_000);
  player.pause();
  expect(restingAt.get()).toBe(1_242_000);
  player.end();
  expect(restingAt.get()).toBeUndefined();
});

it('keeps what an address asks for until there are trips, and takes it once', () => {
  player.end();
  player.askAt(1_300_000);
  expect(restingAt.get()).toBe(1_300_000);
  expect(player.takeAsked()).toBe(1_300_000);
  expect(player.takeAsked()).toBeUndefined();
});
