import { describe, expect, it } from 'vitest';
import { boxOf, contains, type Shape, squareMeters } from './areaShape';

const square = (by: number): [number, number][] => [
  [-75.5 - by, 39.7 - by],
  [-75.5 + by, 39.7 - by],
  [-75.5 + by, 39.7 + by],
  [-75.5 - by, 39.7 + by],
  [-75.5 - by, 39.7 - by],
];
const shape = (geometry: Shape['area_geom'], radius = 0): Shape => ({
  lat: 39.7,
  lng: -75.5,
  radius_dist: radius,
  area_geom: geometry,
});
const holed = shape({ type: 'Polygon', coordinates: [square(0.002), square(0.001)] });
const at = (north: number) => ({ lat: 39.7 + north, lng: -75.5 });

describe('shapes of areas', () => {
  it('contain what is in them: not in holes, not beside, nothing in lines', () => {
    expect([0, 0.0015, 0.0025].map(by => contains(holed, at(by)))).toEqual([false, true, false]);
    const circle = shape(null, 100);
    expect([0.00089, 0.00091].map(by => contains(circle, at(by)))).toEqual([true, false]);
    expect(contains(shape({ type: 'LineString', coordinates: square(0.001) }), at(0.001))).toBe(false);
    const both = shape({ type: 'MultiPolygon', coordinates: [[square(0.0005)]] });
    expect([0, 0.001].map(by => contains(both, at(by)))).toEqual([true, false]);
  });

  it('have a size on the ground, holes taken off', () => {
    const side = 0.002 * 111_195.08;
    const expected = side * side * Math.cos((39.7 * Math.PI) / 180);
    expect(squareMeters(shape({ type: 'Polygon', coordinates: [square(0.001)] }))).toBeCloseTo(expected, -1);
    expect(squareMeters(holed) / expected).toBeCloseTo(3, 3);
    expect(squareMeters(shape(null, 100))).toBeCloseTo(31_416, 0);
  });

  it('stand in a box', () => {
    const [west, south, east, north] = boxOf(shape(null, 111.195));
    expect(north - south).toBeCloseTo(0.002, 6);
    expect(east - west).toBeGreaterThan(0.002);
    expect(boxOf(holed).map(degrees => Number(degrees.toFixed(6)))).toEqual([-75.502, 39.698, -75.498, 39.702]);
  });
});
