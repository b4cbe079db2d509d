import { expect, it } from 'vitest';
import { firstOf, recorded, vary } from '~/api/recorded';
import { type Area, areaOfWire, passesArea } from './area';
import { boxOf, pointsOf } from './areaShape';

const rows = recorded('listAreas.ok').data;
const types = recorded('listAreaTypes.ok').data;

// spec: 3.area.04 3.area.07
it('is an exclusion by its type: those that must not be entered or stopped in; a point of interest is none', () => {
  const exclusions = types.filter(type => areaOfWire(vary(firstOf(rows), { ez_type: type })).isExclusion);
  expect(exclusions.map(type => type.db_name)).toEqual(['no_enter', 'no_stop', 'av_no_enter', 'av_no_stop']);
});

const named = (name: string): Area => {
  const row = rows.find(one => one.name === name);
  if (!row) throw new Error(name);
  return areaOfWire(row);
};

// spec: 3.area.05 3.area.06
it('is a circle by its radius, else what its points draw', () => {
  const [circle, polygon] = [named('Station 9'), named('Yard gate')];
  expect([circle.radius, circle.geometry, polygon.radius]).toEqual([120, null, 0]);
  const [west, , east] = boxOf(circle);
  expect(((east - west) / 2) * 111_195 * Math.cos((circle.lat * Math.PI) / 180)).toBeCloseTo(120, 0);
  expect(pointsOf(polygon)).toEqual([
    [-75.55, 39.74],
    [-75.549, 39.74],
    [-75.549, 39.741],
    [-75.55, 39.741],
    [-75.55, 39.74],
  ]);
});

// spec: 5.search.04
it('is found by a part of its name, letter case aside, and by nothing else', () => {
  const found = (search: string) => passesArea(named('Station 9'), { search, types: null });
  expect(['', 'station 9', 'tion', 'engine 9', 'wilmington'].map(found)).toEqual([true, true, true, false, false]);
});
