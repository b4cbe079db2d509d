import { expect, it } from 'vitest';
import type { MapSign } from '../types';
import { hazardLayer } from './hazard';
import { locationLayer } from './location';
import { MapRows } from './rows';

const sign = (id: string, lng: number, quiet: boolean): MapSign => ({
  id,
  lat: 39.7,
  lng,
  text: id,
  glyph: 'other',
  active: true,
  shapes: [],
  contains: () => false,
  quiet,
});

it('what stands behind is none that Show All looks for, and the keyboard comes to it last', () => {
  const rows = new MapRows([locationLayer as never, hazardLayer as never]);
  rows.set(locationLayer, [{ id: 'incident', lat: 39.7, lng: -75.5, active: true }]);
  rows.set(hazardLayer, [sign('behind', -75.52, true)]);
  expect([...rows.places()]).toEqual([{ lat: 39.7, lng: -75.5 }]);
  expect(rows.listed(() => true).map(({ id }) => id)).toEqual(['incident', 'behind']);
  rows.set(hazardLayer, [sign('behind', -75.52, true), sign('before', -75.51, false)]);
  expect(rows.listed(() => true).map(({ id }) => id)).toEqual(['before', 'incident', 'behind']);
  expect([...rows.places()]).toHaveLength(2);
  // It is met by the pointer as any other.
  expect(rows.pick({ lat: 39.7, lng: -75.52 }, 14, 8)).toEqual({ kind: 'hazard', id: 'behind' });
});
