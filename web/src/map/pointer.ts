import type { Map as MapLibreMap, MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import type { Hit } from './layers/rows';
import type { LatLng, OpenMenu } from './types';

const LONG_PRESS_MS = 550;
const LONG_PRESS_PX = 8;
/** Extra reach around a mark: a mouse is exact, a thumb is not. */
const FINE_REACH_PX = 3;
const COARSE_REACH_PX = 14;

export interface PointerTarget {
  /** What is under a place, for a reach in px beyond its drawing. */
  hit(place: LatLng, reachPx: number, nearest: boolean): Hit | null;
  hover(target: Hit | null): void;
  click(target: Hit | null, place: LatLng): void;
  menu(menu: OpenMenu | null): void;
}

const isCoarse = (): boolean => globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;

/** Turns MapLibre's pointer events into hover, click and context menu. Returns the undo. */
export function listenPointer(map: MapLibreMap, target: PointerTarget): () => void {
  let frame = 0;
  let press: { timer: ReturnType<typeof setTimeout>; x: number; y: number } | null = null;
  let pressed = false; // a long press must not also click

  const place = (event: MapMouseEvent | MapTouchEvent): LatLng => ({ lat: event.lngLat.lat, lng: event.lngLat.lng });
  const endPress = (): void => {
    if (press) clearTimeout(press.timer);
    press = null;
  };
  const move = (event: MapMouseEvent): void => {
    if (isCoarse()) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const found = target.hit(place(event), FINE_REACH_PX, false);
      map.getCanvas().style.cursor = found ? 'pointer' : '';
      target.hover(found);
    });
  };
  const out = (): void => {
    cancelAnimationFrame(frame);
    target.hover(null);
  };
  const click = (event: MapMouseEvent): void => {
    if (pressed) {
      pressed = false;
      return;
    }
    const coarse = isCoarse();
    target.click(target.hit(place(event), coarse ? COARSE_REACH_PX : FINE_REACH_PX, coarse), place(event));
  };
  const context = (event: MapMouseEvent): void => {
    event.preventDefault();
    target.menu({ x: event.point.x, y: event.point.y, place: place(event) });
  };
  const touchStart = (event: MapTouchEvent): void => {
    endPress();
    pressed = false;
    if (event.points.length !== 1) return;
    const at = { x: event.point.x, y: event.point.y, place: place(event) };
    const timer = setTimeout(() => {
      pressed = true;
      target.menu(at);
    }, LONG_PRESS_MS);
    press = { timer, x: at.x, y: at.y };
  };
  const touchMove = (event: MapTouchEvent): void => {
    if (press && Math.hypot(event.point.x - press.x, event.point.y - press.y) > LONG_PRESS_PX) endPress();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return;
    event.preventDefault();
    const canvas = map.getCanvas();
    const center = map.getCenter();
    target.menu({ x: canvas.clientWidth / 2, y: canvas.clientHeight / 2, place: { lat: center.lat, lng: center.lng } });
  };

  map.on('mousemove', move);
  map.on('mouseout', out);
  map.on('click', click);
  map.on('contextmenu', context);
  map.on('touchstart', touchStart);
  map.on('touchmove', touchMove);
  map.on('touchend', endPress);
  map.on('touchcancel', endPress);
  map.on('movestart', endPress);
  map.getCanvas().addEventListener('keydown', key);
  return () => {
    cancelAnimationFrame(frame);
    endPress();
    map.getCanvas().removeEventListener('keydown', key);
  };
}
