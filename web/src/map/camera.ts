import limits from '@catalog/limits.json';
import type { Map as MapLibreMap, PaddingOptions } from 'maplibre-gl';
import { reducedMotion } from './motion';
import type { Insets, LatLng, LatLngBounds } from './types';

const map = limits.map;

/** How the camera moves; every move keeps its target out of the room that panels cover. */
export interface CameraMove {
  readonly center: LatLng;
  readonly zoom: number;
}

/** Where the middle of the free room stands, in px from the middle of the stage. */
export const freeOffset = (insets: Insets): [x: number, y: number] => [
  (insets.left - insets.right) / 2,
  (insets.top - insets.bottom) / 2,
];

/** Padding of a fit: the covered room and a margin, but never more than the stage leaves for something to show. */
export function fitPadding(insets: Insets, margin: number, width: number, height: number): PaddingOptions {
  const clampPair = (a: number, b: number, whole: number): [number, number] => {
    const most = Math.max(0, whole - 32);
    const sum = a + b + 2 * margin;
    if (sum <= most) return [a + margin, b + margin];
    const share = most / sum;
    return [(a + margin) * share, (b + margin) * share];
  };
  const [left, right] = clampPair(insets.left, insets.right, width);
  const [top, bottom] = clampPair(insets.top, insets.bottom, height);
  return { top, right, bottom, left };
}

/** Zoom of a selected thing: at least 16, what the user already has beyond it is kept. */
export const centerZoom = (zoom: number): number => Math.max(zoom, map.centerMinZoom.value);

/** Zoom when a fit has one single marker: between 16 and 17. */
export const markerFitZoom = (zoom: number): number =>
  Math.min(map.markerFitMaxZoom.value, Math.max(map.markerFitMinZoom.value, zoom));

export const followZoom = (zoom: number): number => Math.max(zoom, map.followZoom.value);

export const isSinglePlace = (bounds: LatLngBounds): boolean =>
  bounds.south === bounds.north && bounds.west === bounds.east;

/** Moves of the camera on one map. */
export class Camera {
  insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  /** Nobody sees the map yet: it is where it is to be at once. */
  isHidden = true;
  readonly #map: MapLibreMap;

  constructor(map: MapLibreMap) {
    this.#map = map;
  }

  #duration(ms: number): number {
    return this.isHidden || reducedMotion() ? 0 : ms;
  }

  center(move: CameraMove, durationMs = 450): void {
    this.#map.easeTo({
      center: [move.center.lng, move.center.lat],
      zoom: move.zoom,
      offset: freeOffset(this.insets),
      duration: this.#duration(durationMs),
    });
  }

  /** Keeps a moving asset in the middle: the camera glides as long and as evenly as the mark. */
  follow(place: LatLng, zoom: number, durationMs: number): void {
    this.#map.easeTo({
      center: [place.lng, place.lat],
      zoom,
      offset: freeOffset(this.insets),
      duration: this.#duration(durationMs),
      easing: share => share,
      essential: true,
    });
  }

  fit(bounds: LatLngBounds, marginPx: number, animate = true): void {
    const canvas = this.#map.getContainer();
    const { south, west, north, east } = bounds;
    if (isSinglePlace(bounds)) {
      this.center({ center: { lat: south, lng: west }, zoom: markerFitZoom(this.#map.getZoom()) });
      return;
    }
    this.#map.fitBounds([west, south, east, north], {
      padding: fitPadding(this.insets, marginPx, canvas.clientWidth, canvas.clientHeight),
      maxZoom: map.boundsMaxZoom.value,
      duration: animate ? this.#duration(500) : 0,
    });
  }

  zoomBy(steps: number): void {
    const canvas = this.#map.getContainer();
    const [dx, dy] = freeOffset(this.insets);
    const around = this.#map.unproject([canvas.clientWidth / 2 + dx, canvas.clientHeight / 2 + dy]);
    this.#map.easeTo({ zoom: this.#map.getZoom() + steps, around, duration: this.#duration(200) });
  }
}
