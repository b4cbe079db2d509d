import { describe, expect, it } from 'vitest';
import { nearMeters } from '../geometry';
import { TOKENS } from '../tokens';
import { locationLayer } from './location';

const drawn = { selected: false, faint: false };
const row = { id: 'l', lat: 39.7, lng: -75.5, active: true, units: 3 };

describe('an event on the map', () => {
  // spec: 3.loc.02
  it('has its shapes beside its marker: a point, a line, a circle, a polygon', () => {
    const place: [number, number] = [-75.5, 39.7];
    const line = { type: 'LineString' as const, coordinates: [place, [-75.49, 39.71]] };
    const area = { type: 'Polygon' as const, coordinates: [[place, [-75.49, 39.7], [-75.49, 39.71], place]] };
    const shapes = [
      { type: 'Feature' as const, geometry: { type: 'Point' as const, coordinates: place }, properties: {} },
      { type: 'Feature' as const, geometry: line, properties: {} },
      {
        type: 'Feature' as const,
        geometry: { type: 'Point' as const, coordinates: place },
        properties: { radius_dist: 250 },
      },
      { type: 'Feature' as const, geometry: area, properties: {} },
    ];
    const features = [locationLayer.feature({ ...row, shapes } as never, drawn)].flat();
    expect(features.map(one => [one.geometry.type, one.properties?.shape])).toEqual([
      ['Point', true],
      ['LineString', true],
      ['Polygon', true],
      ['Polygon', true],
      ['Point', undefined],
    ]);
    const circle = features[2]?.geometry as unknown as { coordinates: [number, number][][] };
    const [ring = []] = circle.coordinates;
    expect(ring[0]).toEqual(ring.at(-1));
    for (const [lng, lat] of ring) expect(nearMeters(39.7, -75.5, lat, lng)).toBeCloseTo(250, 0);
    expect(features.at(-1)?.properties).toMatchObject({ id: 'l', units: 3, active: true });
  });

  it('is drawn by layers of its source alone, which say what they are of', () => {
    const styles = locationLayer.styles('app-location', TOKENS.dark);
    expect(styles.every(style => style.id.startsWith('app-location'))).toBe(true);
    expect(new Set(styles.map(style => style.id)).size).toBe(styles.length);
  });
});
