import { expect, it } from 'vitest';
import { recorded } from '~/api/recorded';
import { type Area, areaOfWire } from '~/model/area';
import { type AssetBatch, AssetColumns, type MapAsset } from '~/model/batch';
import { Inside } from './inside';

const rows = recorded('listAreas.ok').data.filter(row => !row.is_deleted);
const circle = areaOfWire(rows.find(row => row.area_geom === null) as never);
const polygon = areaOfWire(rows.find(row => row.area_geom !== null) as never);

const asset = (row: number, lat: number, lng: number): MapAsset => ({
  row,
  id: `thing-${row}`,
  lat,
  lng,
  course: null,
  speed: 0,
  status: 'ACTIVE',
  type: 'fire',
  inService: true,
  at: 1,
  staleAt: 0,
  shown: true,
  label: '',
});
const batch = (assets: readonly MapAsset[], more: Partial<AssetBatch> = {}): AssetBatch => ({
  upserted: AssetColumns.of(assets),
  removed: [],
  ...more,
});
const middle = (area: Area) => asset(0, area.lat, area.lng);
/** Degrees of latitude for so many meters. */
const north = (meters: number) => meters / 111_195;

it('knows who is in a circle, its edge included, and in a polygon', () => {
  const inside = new Inside();
  inside.setAreas([circle, polygon]);
  const edge = asset(1, circle.lat + north(circle.radius_dist - 0.5), circle.lng);
  const beyond = asset(2, circle.lat + north(circle.radius_dist + 0.5), circle.lng);
  expect(inside.apply(batch([middle(circle), edge, beyond, { ...middle(polygon), row: 3, id: 'thing-3' }]))).toBe(true);
  expect([...inside.of(circle.id)]).toEqual(['thing-0', 'thing-1']);
  expect([...inside.of(polygon.id)]).toEqual(['thing-3']);
});

it('follows who moves, goes and comes back under another number, and says when nothing changed', () => {
  const inside = new Inside();
  inside.setAreas([circle]);
  inside.apply(batch([middle(circle)]));
  expect(inside.apply(batch([asset(0, circle.lat + north(1), circle.lng)]))).toBe(false);
  expect(inside.apply(batch([asset(0, circle.lat + north(900), circle.lng)]))).toBe(true);
  expect(inside.of(circle.id).size).toBe(0);
  inside.apply(batch([middle(circle)]));
  expect(inside.apply(batch([{ ...middle(circle), id: 'other' }], { removed: [0] }))).toBe(true);
  expect([...inside.of(circle.id)]).toEqual(['other']);
  expect(inside.apply(batch([], { reset: true }))).toBe(true);
  expect(inside.of(circle.id).size).toBe(0);
});

it('follows areas that are moved, switched off or deleted while assets stand still', () => {
  const inside = new Inside();
  inside.setAreas([circle]);
  inside.apply(batch([middle(circle)]));
  inside.setAreas([{ ...circle, lat: circle.lat + 0.1 }]);
  expect(inside.of(circle.id).size).toBe(0);
  inside.setAreas([circle]);
  expect(inside.of(circle.id).size).toBe(1);
  inside.setAreas([{ ...circle, is_active: false }]);
  expect(inside.of(circle.id).size).toBe(0);
  inside.setAreas([]);
  expect(inside.of(circle.id).size).toBe(0);
});
