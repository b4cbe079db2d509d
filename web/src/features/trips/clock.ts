import { createStore } from '~/lib/store';
import { type Stretch, stretchAt } from './track';

/** How many times as fast as it was. */
export const RATES = [1, 2, 5, 10, 30, 60] as const;
export type Rate = (typeof RATES)[number];

export interface ClockState {
  /** the instant that is looked at, ms */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly playing: boolean;
  /** its head is being dragged: it rests when it is let go */
  readonly dragging: boolean;
  readonly rate: Rate;
  /** the camera keeps the asset in view */
  readonly follow: boolean;
  /** when no asset was heard of; what plays goes past it where `skipping` */
  readonly skips: readonly Stretch[];
  readonly skipping: boolean;
}

const START: ClockState = {
  at: 0,
  from: 0,
  to: 0,
  playing: false,
  dragging: false,
  rate: 10,
  follow: false,
  skips: [],
  skipping: false,
};

/** A frame that comes later than this was not watched: the clock stood meanwhile. */
const FRAME_MAX_MS = 250;

/** One clock for all assets that are shown. It runs while it plays, and only then. */
export const clock = createStore<ClockState>(START);

const patch = (change: Partial<ClockState>) => clock.set(now => ({ ...now, ...change }));
const within = (at: number) => {
  const { from, to } = clock.get();
  return Math.min(to, Math.max(from, at));
};

let frame = 0;
let last = 0;

function tick(now: number): void {
  frame = 0;
  const { at, to, rate, playing, skips, skipping } = clock.get();
  if (!playing) return;
  const ran = Math.min(FRAME_MAX_MS, Math.max(0, now - last));
  last = now;
  const on = at + ran * rate;
  const next = Math.min(to, (skipping && stretchAt(skips, on)?.end) || on);
  patch({ at: next, playing: next < to });
  if (next < to) frame = requestAnimationFrame(tick);
}

function halt(): void {
  if (frame !== 0) cancelAnimationFrame(frame);
  frame = 0;
}

/** Goes on from here; from the end, from the beginning. */
export function play(): void {
  const { at, from, to, playing } = clock.get();
  if (playing || to <= from) return;
  halt();
  last = performance.now();
  patch({ playing: true, at: at >= to ? from : at });
  frame = requestAnimationFrame(tick);
}

export function pause(): void {
  halt();
  if (clock.get().playing) patch({ playing: false });
}

export const playOrPause = (): void => (clock.get().playing ? pause() : play());

/** Goes to an instant. It plays on from there if it plays. */
export function seek(at: number): void {
  if (Number.isFinite(at)) patch({ at: within(at) });
}

export const step = (byMs: number): void => seek(clock.get().at + byMs);

/** The head is taken; answers how it is let go: what played before plays on. */
export function drag(): () => void {
  const { playing } = clock.get();
  pause();
  patch({ dragging: true });
  return () => {
    patch({ dragging: false });
    if (playing && clock.get().at < clock.get().to) play();
  };
}

export const setRate = (rate: Rate): void => patch({ rate });
export const setSkips = (skips: readonly Stretch[]): void => patch({ skips });
export const setSkipping = (skipping: boolean): void => patch({ skipping });
export const setFollow = (follow: boolean): void => patch({ follow });

/** Other trips are shown: their time, and where the clock stands in it. */
export function begin(from: number, to: number, at: number): void {
  halt();
  patch({ from, to, at: Math.min(to, Math.max(from, at)), playing: false, dragging: false, follow: false });
}

/** Nothing is shown: the clock has no instant, and nothing runs. */
export function end(): void {
  halt();
  clock.set(now => ({ ...START, rate: now.rate, skipping: now.skipping }));
}

/** The instant that an address asks for, until there are trips to look at; what it says is not checked yet. */
let asked: number | undefined;

/** What the address says: trips that are shown go there, others begin there. */
export function askAt(at: number | undefined): void {
  asked = at;
  const { from, to, playing } = clock.get();
  if (to <= from) restingAt.set(at);
  else if (at !== undefined && !playing) seek(at);
}

/** The instant that the address asks for; it counts once. */
export function takeAsked(): number | undefined {
  const at = asked;
  asked = undefined;
  return at;
}

/** The instant that an address is to say: where the clock rests, to the second; not each frame on the way. */
export const restingAt = createStore<number | undefined>(undefined);

clock.subscribe(() => {
  const { at, from, to, playing, dragging } = clock.get();
  if (playing || dragging) return;
  restingAt.set(to > from ? Math.floor(at / 1000) * 1000 : asked);
});
