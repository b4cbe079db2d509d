import { describe, expect, it } from 'vitest';
import { type Box, type CardSide, freeRoom, placeCard, type Size } from './placing';
import type { Insets } from './types';

const NONE: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
const CARD: Size = { width: 252, height: 130 };
/** As cards.module.css makes it where the room is small. */
const SMALL: Size = { width: 220, height: 130 };

/** A stage with what floats on it: controls at the lower right, the bar at the upper right, chip and credits below. */
function stageOf(stage: Size, insets: Insets, control: number, card = CARD) {
  const { width } = stage;
  const room = freeRoom(stage, insets);
  const low = room.bottom - 12;
  const controls = { left: width - 14 - control, top: low - 6 * control - 22, right: width - 12, bottom: low };
  const bar = { left: width - 12 - 236, top: 12, right: width - 12, bottom: 56 };
  const chip = { left: room.left + 12, top: low - 60, right: room.left + 186, bottom: low - 32, words: true };
  const credits = { left: room.left + 12, top: low - 28, right: controls.left - 12, bottom: low, words: true };
  return { room, taken: [controls, bar, chip, credits], controls, card };
}

const SIZES: Record<string, ReturnType<typeof stageOf>> = {
  'a desk': stageOf({ width: 1280, height: 900 }, { ...NONE, left: 400 }, 36),
  'a tablet': stageOf({ width: 968, height: 768 }, { ...NONE, left: 400 }, 44, SMALL),
  'a narrow window': stageOf({ width: 713, height: 900 }, { ...NONE, left: 400 }, 36, SMALL),
  'a phone on its side': stageOf({ width: 788, height: 390 }, { ...NONE, left: 400 }, 44, SMALL),
};

const boxOf = ([left, top]: readonly [number, number], { width, height }: Size): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const around = (x: number, y: number, px: number): Box => ({
  left: x - px,
  top: y - px,
  right: x + px,
  bottom: y + px,
});

/** Marks all over a room. */
function* marks({ left, top, right, bottom }: Box): Generator<[number, number]> {
  for (let x = left; x <= right; x += (right - left) / 12)
    for (let y = top; y <= bottom; y += (bottom - top) / 12) yield [x, y];
}

describe('a card', () => {
  const { room } = SIZES['a desk'] as { room: Box };
  it('of an asset stands right of its mark, left of it near the edge', () => {
    expect(placeCard(905, 300, CARD, room, [], 'beside')).toEqual([931, 236]);
    expect(placeCard(1200, 300, CARD, room, [], 'beside')[0]).toBe(1200 - 26 - 252);
  });

  it('of a location stands below its circle, above it near the lower edge', () => {
    expect(placeCard(735, 395, CARD, room, [], 'below')).toEqual([609, 429]);
    expect(placeCard(735, 860, CARD, room, [], 'below')[1]).toBe(860 - 34 - 130);
  });

  it('goes to the other side of its mark rather than under the controls', () => {
    const { taken } = SIZES['a desk'] as { taken: Box[] };
    expect(placeCard(940, 700, CARD, room, taken, 'beside')).toEqual([940 + 26, 700 - 64]);
    expect(placeCard(1000, 700, CARD, room, taken, 'beside')).toEqual([1000 - 26 - 252, 700 - 64]);
  });

  describe.each(Object.entries(SIZES))('on %s', (_, { room, taken, controls, card: size }) => {
    it.each(['beside', 'below'] as CardSide[])('(%s) never leaves the free room nor covers its mark', side => {
      for (const [x, y] of marks(room)) {
        const card = boxOf(placeCard(x, y, size, room, taken, side), size);
        expect(card.left, `${x}, ${y}`).toBeGreaterThanOrEqual(room.left + 8);
        expect(card.right, `${x}, ${y}`).toBeLessThanOrEqual(room.right - 8);
        expect(card.top, `${x}, ${y}`).toBeGreaterThanOrEqual(room.top + 8);
        expect(card.bottom, `${x}, ${y}`).toBeLessThanOrEqual(room.bottom - 8);
        expect(meet(card, around(x, y, side === 'beside' ? 22 : 30)), `${x}, ${y}`).toBe(false);
      }
    });

    it('keeps off the controls', () => {
      for (const [x, y] of marks(room))
        expect(meet(boxOf(placeCard(x, y, size, room, taken, 'beside'), size), controls), `${x}, ${y}`).toBe(false);
    });
  });

  it('keeps off all that floats wherever its mark is, where there is room for that', () => {
    const { room: desk, taken } = SIZES['a desk'] as ReturnType<typeof stageOf>;
    for (const side of ['beside', 'below'] as const)
      for (const [x, y] of marks(desk)) {
        const card = boxOf(placeCard(x, y, CARD, desk, taken, side), CARD);
        expect(
          taken.filter(one => meet(card, one)),
          `${x}, ${y}`,
        ).toEqual([]);
      }
  });
});
