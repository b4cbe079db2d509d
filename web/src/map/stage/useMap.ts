import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { MapController } from '../controller';
import type { CardSide } from '../placing';
import type { LatLng, MapState } from '../types';

/** A part of the map's state; renders only when it changes. */
export function useMapState<T>(controller: MapController, select: (state: MapState) => T): T {
  const read = (): T => select(controller.getState());
  return useSyncExternalStore(controller.subscribe, read, read);
}

/** A ref callback that keeps an element on a place of the map; `place` is asked on every drawn frame. */
export function anchored(controller: MapController, place: () => LatLng | null, side: CardSide | null) {
  return (element: HTMLElement | null): (() => void) | undefined =>
    element ? controller.anchors.add(element, place, side) : undefined;
}

/**
 * Gives the focus back, when what is drawn in `ref` goes and has it, to what had it before; if that has gone too, to
 * the map.
 */
export function useFocusBack(controller: MapController, ref: RefObject<HTMLElement | null>): void {
  // While it is drawn for the first time: afterwards a part of it has the focus.
  const [before] = useState(() => document.activeElement);
  // Before the element leaves the page: then the browser has forgotten who had the focus.
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
      else controller.focus();
    };
  }, [controller, ref, before]);
}
