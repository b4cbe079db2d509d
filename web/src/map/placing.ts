import type { Insets } from './types';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** CSS px on the stage. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What floats on the map. */
export interface Taken extends Box {
  /** It is only read: less is lost below a card than of what is pressed. */
  readonly words?: boolean;
}

/** Beside: right of the mark, else left (assets). Below: under it, else above (locations, with their wide circle). */
export type CardSide = 'beside' | 'below';

const EDGE_PX = 8;
const GAP_PX = { beside: 26, below: 34 } as const;
/** How much of its height a card beside a mark stands above it. */
const ABOVE_PX = 64;
/** What the other sides cost against the first, in px that a card would rather move. */
const TURN_PX = 40;
/** Covering a px² of the mark, of a control or of words is worse than any way. */
const COVERED = { mark: 1e9, control: 1e6, words: 1e3 } as const;

const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

const boxAt = (left: number, top: number, { width, height }: Size): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

/** The room of the stage that panels leave. */
export const freeRoom = (stage: Size, insets: Insets): Box => ({
  left: insets.left,
  top: insets.top,
  right: stage.width - insets.right,
  bottom: stage.height - insets.bottom,
});

export const isInside = (x: number, y: number, room: Box): boolean =>
  x >= room.left && x <= room.right && y >= room.top && y <= room.bottom;

/** Where a card would like to stand by a mark, best first. */
function wishes(x: number, y: number, { width, height }: Size, side: CardSide): [number, number][] {
  const gap = GAP_PX[side];
  const level = y - Math.min(ABOVE_PX, height / 2);
  const beside: [number, number][] = [
    [x + gap, level],
    [x - gap - width, level],
  ];
  const below: [number, number][] = [
    [x - width / 2, y + gap],
    [x - width / 2, y - gap - height],
  ];
  return side === 'beside' ? [...beside, ...below] : [...below, ...beside];
}

/**
 * Where a card of `size` stands by a mark at (x, y): within the free room, off the mark, and off what floats on the
 * map (`taken`: controls, chip, credits), as near to its best place as that allows. CSS px of its upper left corner.
 */
export function placeCard(
  x: number,
  y: number,
  size: Size,
  room: Box,
  taken: readonly Taken[],
  side: CardSide,
): [number, number] {
  const low = { x: room.left + EDGE_PX, y: room.top + EDGE_PX };
  const high = {
    x: Math.max(low.x, room.right - EDGE_PX - size.width),
    y: Math.max(low.y, room.bottom - EDGE_PX - size.height),
  };
  const reach = GAP_PX[side] - 2;
  const mark = { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
  const wished = wishes(x, y, size, side);
  /** A place costs what it covers, and its way from where the card would like to stand. */
  const cost = (left: number, top: number): number => {
    const box = boxAt(left, top, size);
    const way = Math.min(...wished.map(([wx, wy], turn) => Math.hypot(wx - left, wy - top) + turn * TURN_PX));
    const covered = taken.map(one => overlap(box, one) * (one.words ? COVERED.words : COVERED.control));
    return covered.reduce((sum, one) => sum + one, way + overlap(box, mark) * COVERED.mark);
  };
  const walls = [mark, ...taken];
  const lefts = [
    ...wished.map(([left]) => left),
    ...walls.flatMap(one => [one.left - EDGE_PX - size.width, one.right + EDGE_PX]),
  ];
  const tops = [
    ...wished.map(([, top]) => top),
    ...walls.flatMap(one => [one.top - EDGE_PX - size.height, one.bottom + EDGE_PX]),
  ];
  let best: [number, number] = [low.x, low.y];
  let least = Number.POSITIVE_INFINITY;
  for (const left of new Set(lefts.map(value => between(value, low.x, high.x)))) {
    for (const top of new Set(tops.map(value => between(value, low.y, high.y)))) {
      const now = cost(left, top);
      if (now >= least) continue;
      least = now;
      best = [left, top];
      if (least === 0) return [Math.round(left), Math.round(top)];
    }
  }
  return [Math.round(best[0]), Math.round(best[1])];
}
