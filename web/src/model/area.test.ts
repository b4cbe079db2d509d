import { expect, it } from 'vitest';
import { firstOf, recorded, vary } from '~/api/recorded';
import { AREA_TYPES, type Area, areaOfWire, passesArea } from './area';
import { boxOf, pointsOf } from './areaShape';

const rows = recorded('listAreas.ok').data;
const types = recorded('listAreaTypes.ok').data;

// spec: 3.area.04 3.area.07
it('is an exclusion by its type: those that must not be entered or stopped in; a point of interest is none', () => {
  const exclusions = types.filter(type => areaOfWire(vary(firstOf(rows), { ez_type: type })).isExclusion);
  expect(exclusions.map(type => type.db_name)).toEqual(['no_enter', 'no_stop', 'av_no_enter', 'av_no_stop']);
});

// spec: 7.area.01
it('has the types that the server answers, by the ids that it gives them', () => {
  const said = types.map(({ id, db_name, display_name, is_station_view, is_av_type }) => ({
    ...{ id, name: db_name, displayName: display_name, isStationView: is_station_view, isAVType: is_av_type },
  }));
  expect(AREA_TYPES.map(({ isExclusion: _, ...type }) => type)).toEqual(said);
});

// spec: 1.feat.01 3.area.01 3.area.03
it('has every field of its row, its address beside', () => {
  const row = vary(firstOf(rows), {
    organization_id: 'o1',
    organization_name: 'Harbor County',
    thing_id: 'engine',
    lat: 39.75,
    lng: -75.5,
    desc: 'Engine 9',
    radius_dist: 120,
    is_active: false,
    area_geom: null,
    name: 'Station 9',
    address1: '22 W 2nd St',
    address2: 'Rear',
    city: 'Wilmington',
    state: 'DE',
    postal_code: '19801',
    country_code: 'US',
  });
  expect(areaOfWire(row)).toMatchObject({
    id: row.id,
    organization_id: 'o1',
    organization_name: 'Harbor County',
    thing_id: 'engine',
    lat: 39.75,
    lng: -75.5,
    desc: 'Engine 9',
    radius_dist: 120,
    is_active: false,
    area_geom: null,
    name: 'Station 9',
    typeId: row.ez_type.id,
    address: {
      address1: '22 W 2nd St',
      address2: 'Rear',
      city: 'Wilmington',
      state: 'DE',
      postal_code: '19801',
      country_code: 'US',
    },
  });
  const shape = { type: 'LineString', coordinates: [[0, 0]] };
  expect(areaOfWire(vary(row, { area_geom: shape, thing_id: null }))).toMatchObject({
    area_geom: shape,
    thing_id: null,
  });
});

const named = (name: string): Area => {
  const row = rows.find(one => one.name === name);
  if (!row) throw new Error(name);
  return areaOfWire(row);
};

// spec: 3.area.05 3.area.06
it('is a circle by its radius, else what its points draw', () => {
  const [circle, polygon] = [named('Station 9'), named('Yard gate')];
  expect([circle.radius_dist, circle.area_geom, polygon.radius_dist]).toEqual([120, null, 0]);
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
