import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, expect, it, vi } from 'vitest';
import { Anchors } from './anchors';

afterEach(() => vi.useRealTimers());

/** A map of 1000 × 800 px that counts how often the page is measured: degrees are px. */
function stage() {
  vi.useFakeTimers();
  const listeners = new Map<string, () => void>();
  const size = { width: 1000 };
  let measured = 0;
  const container = {
    get clientWidth() {
      measured++;
      return size.width;
    },
    clientHeight: 800,
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    ownerDocument: { querySelectorAll: () => [] },
  };
  const map = {
    on: (event: string, listener: () => void) => listeners.set(event, listener),
    off: (event: string) => listeners.delete(event),
    getContainer: () => container,
    project: ([x, y]: [number, number]) => ({ x, y }),
  };
  const anchors = new Anchors();
  anchors.attach(map as unknown as MapLibreMap);
  const element = { style: { visibility: '', transform: '' }, offsetWidth: 252, offsetHeight: 130 };
  const place = { lat: 300, lng: 500 };
  anchors.add(element as unknown as HTMLElement, () => place, 'beside');
  const fire = (event: string) => listeners.get(event)?.();
  return { anchors, element, place, size, fire, measured: () => measured };
}

it('moves a card with each frame, and measures the page four times a second', () => {
  const { element, place, fire, measured } = stage();
  expect([element.style.transform, measured()]).toEqual(['translate(526px, 236px)', 1]);
  for (let frame = 1; frame <= 10; frame++) {
    place.lng = 500 - frame;
    fire('render');
    expect(element.style.transform).toBe(`translate(${526 - frame}px, 236px)`);
  }
  expect(measured()).toBe(1);
  vi.advanceTimersByTime(250);
  fire('render');
  expect(measured()).toBe(2);
});

it('knows at once that the map is smaller, or that something else has changed', () => {
  const { anchors, element, size, fire } = stage();
  size.width = 480;
  fire('resize');
  fire('render');
  expect(element.style.visibility).toBe('hidden');
  size.width = 1000;
  anchors.update();
  expect(element.style.visibility).toBe('visible');
});
