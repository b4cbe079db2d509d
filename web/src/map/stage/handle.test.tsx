// @vitest-environment jsdom

import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStore } from '~/lib/store';
import type { MapController } from '../controller';
import { moved, nearMeters } from '../geometry';
import { FIRST_STATE } from '../state';
import type { LatLng, MapState } from '../types';
import { Handle } from './Handle';

const ORIGIN = { lat: 39.7447, lng: -75.5484 };
/** One px of this map is a meter, with the origin at 0, 0. */
const project = ([lng, lat]: [number, number]) => ({
  x: nearMeters(lat, ORIGIN.lng, lat, lng) * Math.sign(lng - ORIGIN.lng),
  y: nearMeters(ORIGIN.lat, lng, lat, lng) * Math.sign(ORIGIN.lat - lat),
});
const unproject = ([x, y]: [number, number]) => moved(ORIGIN, x, -y);

let root: Root;
let host: HTMLElement;
let state: ReturnType<typeof createStore<MapState>>;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  HTMLElement.prototype.setPointerCapture = () => undefined;
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  state = createStore<MapState>(FIRST_STATE);
  const controller = {
    subscribe: state.subscribe,
    getState: state.get,
    anchors: { add: () => () => undefined, update: () => undefined },
    engineMap: () => ({ project, unproject }),
  } as unknown as MapController;
  await act(async () => root.render(<Handle controller={controller} />));
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  vi.unstubAllGlobals();
});

const show = (place: LatLng) =>
  act(async () =>
    state.set(now => ({
      ...now,
      zoom: 17,
      handle: { label: 'Incident', origin: ORIGIN, withinM: 100, place, heading: 45, onMove: next => void show(next) },
    })),
  );
const marker = () => host.querySelector('button') as HTMLButtonElement;
const place = () => state.get().handle?.place as LatLng;
const away = () => nearMeters(ORIGIN.lat, ORIGIN.lng, place().lat, place().lng);
const pointer = (type: string, x: number, y: number) =>
  act(
    async () =>
      void marker().dispatchEvent(
        Object.assign(new MouseEvent(type, { bubbles: true, button: 0, clientX: x, clientY: y }), { pointerId: 1 }),
      ),
  );
const key = (name: string, shiftKey = false) =>
  act(
    async () =>
      void marker().dispatchEvent(
        new KeyboardEvent('keydown', { key: name, shiftKey, bubbles: true, cancelable: true }),
      ),
  );

// spec: 2.map.15 5.location.02 9.map.05
describe('a place that is moved', () => {
  it('stands in its circle, drawn as large as it is on the ground', async () => {
    expect(marker()).toBeNull();
    await show(ORIGIN);
    const circle = host.querySelector<HTMLElement>('[data-within-m="100"]');
    // 512 px around the equator at zoom 0: 100 m at 39.7447 degrees and zoom 17.
    expect(Number.parseFloat(circle?.style.width ?? '')).toBeCloseTo(436.1, 0);
  });

  it('follows a drag, and stays on the edge of the circle beyond it', async () => {
    await show(ORIGIN);
    await pointer('pointermove', 30, 0);
    expect(away()).toBe(0);
    await pointer('pointerdown', 5, 5);
    await pointer('pointermove', 35, 5);
    expect(project([place().lng, place().lat]).x).toBeCloseTo(30, 3);
    await pointer('pointermove', 605, 5);
    expect(away()).toBeCloseTo(100, 3);
    await pointer('pointermove', 5, -895);
    expect([away(), project([place().lng, place().lat]).x]).toEqual([expect.closeTo(100, 3), expect.closeTo(0, 3)]);
    await pointer('pointerup', 5, -895);
    await pointer('pointermove', 5, 5);
    expect(away()).toBeCloseTo(100, 3);
  });

  it('goes by the arrow keys, 1 m and with Shift 10 m, and no farther than the circle', async () => {
    await show(ORIGIN);
    await key('ArrowUp');
    expect([away(), place().lat > ORIGIN.lat]).toEqual([expect.closeTo(1, 3), true]);
    await key('ArrowLeft', true);
    expect(place().lng).toBeLessThan(ORIGIN.lng);
    expect(away()).toBeCloseTo(Math.hypot(1, 10), 2);
    for (let i = 0; i < 12; i++) await key('ArrowLeft', true);
    expect(away()).toBeCloseTo(100, 2);
    expect(marker().getAttribute('aria-label')).toContain(', 100 m of 100 m away.');
    const before = place();
    await key('a');
    expect(place()).toBe(before);
  });
});
