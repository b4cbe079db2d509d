import { describe, expect, it } from 'vitest';
import { formatLatLng, parseLatLng, truncateCoordinate } from '~/lib/coordinates';
import { googleLink, navigationLink, wazeLink } from './coordinates';

// spec: 9.ui.10
describe('coordinates are cut to 7 decimals', () => {
  it.each([
    [41.862312399, '41.8623123'],
    [-87.61671999, '-87.6167199'],
    [-87.6167, '-87.6167'],
    [0.29, '0.29'],
    [40, '40'],
    [-0.00000001, '0'],
    [179.99999999, '179.9999999'],
  ])('%d reads %s', (degrees, text) => {
    expect(truncateCoordinate(degrees)).toBe(text);
  });
});

// spec: 2.map.10 5.general.06
describe('the coordinate search box takes a lat, lng text', () => {
  it.each([
    ['41.8623, -87.6167', 41.8623, -87.6167],
    ['  41.8623,-87.6167 ', 41.8623, -87.6167],
    ['41.8623 -87.6167', 41.8623, -87.6167],
    ['41.8623; -87.6167', 41.8623, -87.6167],
    ['(+41.8623°, -87.6167°)', 41.8623, -87.6167],
    ['-90, 180', -90, 180],
    ['90, -180', 90, -180],
    ['41,8623 -87,6167', 41.8623, -87.6167],
    ['41,8623; -87,6167', 41.8623, -87.6167],
    ['41.8623,\u221287.6167', 41.8623, -87.6167],
    ['geo:41.8623,-87.6167', 41.8623, -87.6167],
    ['GEO:41.8623,-87.6167,180;u=35?z=12', 41.8623, -87.6167],
    ['41.8623 N, 87.6167 W', 41.8623, -87.6167],
    ['41.8623\u00b0 N 87.6167\u00b0 W', 41.8623, -87.6167],
    ['W87.6167 N41.8623', 41.8623, -87.6167],
    ['33,8688 s 151,2093 e', -33.8688, 151.2093],
    [`41\u00b030'36"N 87\u00b015'54"W`, 41.51, -87.265],
    [`N 41\u00b0 30.6' W 087\u00b0 15.9'`, 41.51, -87.265],
    ['41\u00ba30\u203236\u2033 N, 87\u00ba15\u203254\u2033 W', 41.51, -87.265],
    ['41 30 36 N 87 15 54 W', 41.51, -87.265],
    [`41\u00b030'36", -87\u00b015'54"`, 41.51, -87.265],
  ])('%s', (text, lat, lng) => {
    expect(parseLatLng(text)?.lat).toBeCloseTo(lat, 9);
    expect(parseLatLng(text)?.lng).toBeCloseTo(lng, 9);
  });

  it.each([
    '',
    'Main St',
    '41.8623',
    '91, 0',
    '90.1, 0',
    '0, 181',
    '0, 180.1',
    '0, -180.1',
    '1,2,3',
    '41,8623, -87,6167',
    'NaN, 1',
    '41.5 N, 42.5 N',
    '-41.5 N, 87.5 W',
    '91 N, 10 W',
    '41\u00b060\u2032N 87\u00b015\u2032W',
    '41.5\u00b030\u2032N 87\u00b015\u2032W',
    '41 N',
    'geo:0,181',
    '41 Elm St N, 5 Oak St W',
    '1e3, 2',
  ])('refuses %j', text => {
    expect(parseLatLng(text)).toBeNull();
  });

  it('reads back what it copies', () => {
    expect(parseLatLng(formatLatLng({ lat: 39.74470000001, lng: -75.5484 }))).toEqual({ lat: 39.7447, lng: -75.5484 });
  });
});

// spec: 2.map.08 2.map.09
describe('links to navigation services', () => {
  const place = { lat: 41.86231239, lng: -87.6167 };
  it('Waze', () => {
    expect(wazeLink(place)).toBe('https://waze.com/ul?ll=41.8623123%2C-87.6167&navigate=yes');
  });
  it('Google Maps: the place, and directions to it', () => {
    expect(googleLink(place)).toBe('https://www.google.com/maps/search/?api=1&query=41.8623123%2C-87.6167');
    expect(navigationLink(place)).toBe('https://www.google.com/maps/dir/?api=1&destination=41.8623123%2C-87.6167');
  });
});
