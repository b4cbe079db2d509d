import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { cx } from '~/lib/cx';
import type { MapController } from '../controller';
import { moved, nearMeters, pxPerMeter, withinCircle } from '../geometry';
import type { LatLng, PlaceHandle } from '../types';
import cards from './cards.module.css';
import placed from './placed.module.css';
import { anchored, useMapState } from './useMap';

const HOW = 'Move it with the arrow keys, farther with Shift.';
/** Meters that an arrow key moves the place, and with Shift. */
const STEP_M = 1;
const STEP_SHIFT_M = 10;

/** Meters east and north by key. */
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The place that is being moved: a marker to drag within the circle that is drawn around its origin. */
export function Handle({ controller }: { controller: MapController }) {
  const handle = useMapState(controller, state => state.handle);
  return (
    handle && (
      <>
        {handle.withinM !== null && <Reach controller={controller} origin={handle.origin} withinM={handle.withinM} />}
        <Marker controller={controller} handle={handle} />
      </>
    )
  );
}

/** The circle that the place stays in, as large as it is on the ground. */
function Reach({ controller, origin, withinM }: { controller: MapController; origin: LatLng; withinM: number }) {
  const zoom = useMapState(controller, state => state.zoom);
  const anchor = useMemo(
    () => anchored(controller, () => controller.getState().handle?.origin ?? null, null),
    [controller],
  );
  const radius = withinM * pxPerMeter(origin.lat, zoom);
  return (
    <div ref={anchor} className={cx(cards.anchor, placed.reach)} aria-hidden="true">
      <i data-within-m={withinM} style={{ width: 2 * radius, height: 2 * radius }} />
    </div>
  );
}

function Marker({ controller, handle }: { controller: MapController; handle: PlaceHandle }) {
  const { label, origin, withinM, place, heading, onMove } = handle;
  /** how far from the place the pointer took hold of it, in px */
  const grip = useRef<{ x: number; y: number } | null>(null);
  const anchor = useMemo(
    () => anchored(controller, () => controller.getState().handle?.place ?? null, null),
    [controller],
  );
  // The map draws nothing anew when only the place has changed.
  useLayoutEffect(() => {
    void place;
    controller.anchors.update();
  }, [controller, place]);

  const move = (to: LatLng) => onMove(withinM === null ? to : withinCircle(origin, withinM, to));
  const take = (event: PointerEvent<HTMLButtonElement>) => {
    const map = controller.engineMap();
    if (!map || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = map.project([place.lng, place.lat]);
    grip.current = { x: event.clientX - at.x, y: event.clientY - at.y };
  };
  const drag = (event: PointerEvent) => {
    const map = controller.engineMap();
    if (!grip.current || !map) return;
    const { lat, lng } = map.unproject([event.clientX - grip.current.x, event.clientY - grip.current.y]);
    move({ lat, lng });
  };
  const drop = () => {
    grip.current = null;
  };
  const step = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    const meters = event.shiftKey ? STEP_SHIFT_M : STEP_M;
    move(moved(place, by[0] * meters, by[1] * meters));
  };
  const away = Math.round(nearMeters(origin.lat, origin.lng, place.lat, place.lng));
  const where = withinM === null ? formatLatLng(place) : `${formatLatLng(place)}, ${away} m of ${withinM} m away`;
  return (
    <button
      type="button"
      ref={anchor}
      className={cx(cards.anchor, placed.handle)}
      aria-label={`${label} marker, ${where}. ${HOW}`}
      title="Drag, or use the arrow keys"
      onPointerDown={take}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={step}
    >
      <svg viewBox="-22 -22 44 44" aria-hidden="true">
        {heading !== null && (
          <path className={placed.handleWay} d="M0 -21 6 -12H-6Z" transform={`rotate(${heading})`} />
        )}
        <circle r="11" />
        <path d="M-4.5 0H4.5M0 -4.5V4.5" />
      </svg>
    </button>
  );
}
