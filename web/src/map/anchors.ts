import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Insets, LatLng } from './types';

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Beside: right of the mark, else left (assets). Below: under it, else above (locations, with their wide circle). */
export type CardSide = 'beside' | 'below';

const EDGE_PX = 8;
const GAP_PX = { beside: 26, below: 34 } as const;
const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/**
 * Where a card of `size` stands by a mark at (x, y), kept inside the free room of
 * the stage. CSS px of its upper left corner.
 */
export function placeCard(
  x: number,
  y: number,
  size: Box,
  stage: Box,
  insets: Insets,
  side: CardSide,
): [number, number] {
  const right = stage.width - insets.right - EDGE_PX - size.width;
  const left = insets.left + EDGE_PX;
  const bottom = stage.height - insets.bottom - EDGE_PX - size.height;
  const top = insets.top + EDGE_PX;
  const gap = GAP_PX[side];
  let atX: number;
  let atY: number;
  if (side === 'beside') {
    const other = x - gap - size.width;
    atX = x + gap <= right || other < left ? x + gap : other;
    atY = y - Math.min(64, size.height / 2);
  } else {
    const other = y - gap - size.height;
    atX = x - size.width / 2;
    atY = y + gap <= bottom || other < top ? y + gap : other;
  }
  return [Math.round(between(atX, left, Math.max(left, right))), Math.round(between(atY, top, Math.max(top, bottom)))];
}

interface Anchor {
  readonly element: HTMLElement;
  readonly place: () => LatLng | null;
  /** Cards stand by their place; null: a mark, which stands on it. */
  readonly side: CardSide | null;
}

/** Elements that hold on to places of the map; moved on every frame the map draws, and only then. */
export class Anchors {
  insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  readonly #anchors = new Set<Anchor>();
  #map: MapLibreMap | null = null;
  readonly #update = (): void => this.update();

  attach(map: MapLibreMap | null): void {
    this.#map?.off('render', this.#update);
    this.#map = map;
    map?.on('render', this.#update);
    this.update();
  }

  add(element: HTMLElement, place: () => LatLng | null, side: CardSide | null): () => void {
    const anchor: Anchor = { element, place, side };
    this.#anchors.add(anchor);
    this.#move(anchor);
    return () => this.#anchors.delete(anchor);
  }

  update(): void {
    for (const anchor of this.#anchors) this.#move(anchor);
  }

  #move({ element, place, side }: Anchor): void {
    const map = this.#map;
    const at = map ? place() : null;
    if (!map || !at) {
      element.style.visibility = 'hidden';
      return;
    }
    const point = map.project([at.lng, at.lat]);
    const stage = { width: map.getContainer().clientWidth, height: map.getContainer().clientHeight };
    const inside = point.x > -60 && point.y > -60 && point.x < stage.width + 60 && point.y < stage.height + 60;
    element.style.visibility = inside ? 'visible' : 'hidden';
    if (!inside) return;
    const size = { width: element.offsetWidth, height: element.offsetHeight };
    const [x, y] = side ? placeCard(point.x, point.y, size, stage, this.insets, side) : [point.x, point.y];
    element.style.transform = `translate(${x}px, ${y}px)`;
  }
}
