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
