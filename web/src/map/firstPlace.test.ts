// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from './config';
import { FirstPlace } from './firstPlace';
import { FIRST_STATE } from './state';
import type { LatLngBounds, MapState } from './types';

const BOUNDS = { south: 38, west: -76, north: 40, east: -75 };
const HOME = { center: { lat: 39.7, lng: -75.5 }, zoom: 12 };

function rig(region: LatLngBounds | null) {
  let state: MapState = FIRST_STATE;
  const fits: LatLngBounds[] = [];
  const camera = { isHidden: true, fit: (bounds: LatLngBounds) => void fits.push(bounds) };
  const navigator = { placed: false };
  const config = { ...DEFAULT_CONFIG, ...(region && { region: { bounds: region } }) };
  const first = new FirstPlace({
    engine: () => ({ camera }) as never,
    base: { config, firstView: () => HOME } as never,
    navigator,
    state: () => state,
    patch: change => {
      state = { ...state, ...change };
    },
  });
  return { first, camera, navigator, fits, become: (phase: MapState['phase']) => (state = { ...state, phase }) };
}

describe('where the map stands before anybody has chosen a place', () => {
  it('is hidden until it is ready and at the place that is expected', () => {
    const { first, camera, become } = rig(null);
    first.expect(true);
    become('ready');
    first.ready();
    expect(camera.isHidden).toBe(true);
    first.expect(false);
    expect(camera.isHidden).toBe(false);
  });

  it('shows an imported region whole, until somebody has been somewhere', () => {
    const { first, navigator, fits } = rig(BOUNDS);
    first.ready();
    expect(fits).toEqual([BOUNDS]);
    navigator.placed = true;
    first.showRegion();
    expect(fits).toHaveLength(1);
  });

  it('begins where the last map ended', () => {
    const { first, fits } = rig(BOUNDS);
    expect(first.start()).toEqual(HOME);
    const last = { center: { lat: 39.1, lng: -75.2 }, zoom: 15 };
    first.left(last);
    expect(first.start()).toEqual(last);
    first.ready();
    expect(fits).toEqual([]);
  });
});
