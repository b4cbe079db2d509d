import type { Map as MapLibreMap, MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import type { Hit } from './layers/rows';
import { freeRoom, isInside } from './placing';
import type { Insets, LatLng, OpenMenu } from './types';

const LONG_PRESS_MS = 550;
const LONG_PRESS_PX = 8;
/** Extra reach around a mark: a mouse is exact, a thumb is not. */
const FINE_REACH_PX = 3;
const COARSE_REACH_PX = 14;

export interface PointerTarget {
  /** A shape is being drawn: the pointer is its. */
  isTaken(): boolean;
  /** What is under a place, for a reach in px beyond its drawing. */
  hit(place: LatLng, reachPx: number, nearest: boolean): Hit | null;
  hover(target: Hit | null): void;
  click(target: Hit | null, place: LatLng): void;
  menu(menu: OpenMenu | null): void;
  /** The menu was asked for by the keyboard. */
  menuByKey(): void;
}

const isCoarse = (): boolean => globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;

/** The context menu of a place in the room that panels leave; without one there, of the middle of the room. */
export function menuAt(
  map: Pick<MapLibreMap, 'project' | 'unproject' | 'getContainer'>,
  insets: Insets,
  place: LatLng | null,
): OpenMenu {
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  const room = freeRoom({ width, height }, insets);
  const at = place && map.project([place.lng, place.lat]);
  if (place && at && isInside(at.x, at.y, room)) return { x: at.x, y: at.y, place };
  const x = (room.left + room.right) / 2;
  const y = (room.top + room.bottom) / 2;
  const { lat, lng } = map.unproject([x, y]);
  return { x, y, place: { lat, lng } };
}

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
    if (isCoarse() || target.isTaken()) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const found = target.hit(place(event), FINE_REACH_PX, false);
      map.getCanvas().style.cursor = found ? 'pointer' : '';
      target.hover(found);
    });
  };
  const out = (): void => {
    cancelAnimationFrame(frame);
    if (!isCoarse()) target.hover(null);
  };
  const click = (event: MapMouseEvent): void => {
    if (pressed) {
      pressed = false;
      return;
    }
    if (target.isTaken()) return;
    const coarse = isCoarse();
    target.click(target.hit(place(event), coarse ? COARSE_REACH_PX : FINE_REACH_PX, coarse), place(event));
  };
  const context = (event: MapMouseEvent): void => {
    event.preventDefault();
    if (target.isTaken()) return;
    target.menu({ x: event.point.x, y: event.point.y, place: place(event) });
  };
  const touchStart = (event: MapTouchEvent): void => {
    endPress();
    pressed = false;
    if (event.points.length !== 1 || target.isTaken()) return;
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
    target.menuByKey();
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
