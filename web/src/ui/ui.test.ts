import { describe, expect, it } from 'vitest';
import { rowsFor, stepTo } from './listKeys';
import { nearestStop, sheetHeight } from './sheetStops';

describe('stepTo', () => {
  const none = () => false;
  const heads = (index: number) => index === 0 || index === 4;

  it('begins at the edge that one comes from', () => {
    expect(stepTo(-1, 1, 5, none)).toBe(0);
    expect(stepTo(-1, -1, 5, none)).toBe(4);
    expect(stepTo(-1, 5, 5, none)).toBe(4); // End
    expect(stepTo(-1, -5, 5, none)).toBe(0); // Home
  });

  it('stops at the ends', () => {
    expect(stepTo(4, 1, 5, none)).toBe(4);
    expect(stepTo(2, -50, 5, none)).toBe(0);
  });

  it('passes over skipped rows in its direction, and turns back at an end', () => {
    expect(stepTo(3, 1, 7, heads)).toBe(5);
    expect(stepTo(5, -1, 7, heads)).toBe(3);
    expect(stepTo(1, -1, 7, heads)).toBe(1);
    expect(stepTo(0, 1, 1, () => true)).toBe(-1);
  });

  it('knows the keys of lists', () => {
    expect(['ArrowDown', 'PageUp', 'End', 'x'].map(key => rowsFor(key, 10, 300))).toEqual([1, -10, 300, undefined]);
  });
});

describe('sheet', () => {
  it('rests at the nearest of three heights', () => {
    const room = 722;
    expect([sheetHeight('peek', room), sheetHeight('half', room), sheetHeight('full', room)]).toEqual([132, 390, 710]);
    expect([100, 300, 600].map(height => nearestStop(height, room))).toEqual(['peek', 'half', 'full']);
  });

  it('fits a room that is lower than itself', () => {
    expect(sheetHeight('peek', 90)).toBe(90);
  });
});
