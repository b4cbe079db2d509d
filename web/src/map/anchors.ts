import type { Map as MapLibreMap } from 'maplibre-gl';
import { type CardSide, freeRoom, isInside, placeCard, type Size, type Taken } from './placing';
import type { Insets, LatLng } from './types';

interface Anchor {
  readonly element: HTMLElement;
  readonly place: () => LatLng | null;
  /** Cards stand by their place; null: a mark, which stands on it. */
  readonly side: CardSide | null;
}

/** A mark is drawn as long as a part of it may be in sight. */
const MARK_PX = 60;

/** What floats on a map says so by this attribute ("words": it is only read): cards keep clear of it. */
const OVER_MAP = '[data-over-map]';

/**
 * How long a measurement of the page stays valid (ms). Measuring makes the browser lay the page out, in each frame of a
 * drag again, because the frame before has moved what is measured.
 */
const MEASURED_MS = 250;

interface Measured {
  readonly at: number;
  readonly stage: Size;
  readonly taken: readonly Taken[];
  /** of the cards, as they are met */
  readonly sizes: Map<HTMLElement, Size>;
}

/** The boxes that cards keep clear of, on a stage. */
function takenOn(stage: HTMLElement): Taken[] {
  const { left: x, top: y } = stage.getBoundingClientRect();
  return [...stage.ownerDocument.querySelectorAll<HTMLElement>(OVER_MAP)].map(element => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return {
      left: left - x,
      top: top - y,
      right: right - x,
      bottom: bottom - y,
      words: element.dataset.overMap === 'words',
    };
  });
}

/** Elements that hold on to places of the map; moved on every frame the map draws, and only then. */
export class Anchors {
  insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  #measured: Measured | null = null;
  readonly #anchors = new Set<Anchor>();
  #map: MapLibreMap | null = null;
  readonly #forget = (): void => {
    this.#measured = null;
  };
  readonly #update = (): void => this.#move([...this.#anchors]);

  attach(map: MapLibreMap | null): void {
    this.#map?.off('render', this.#update);
    this.#map?.off('resize', this.#forget);
    this.#map = map;
    map?.on('render', this.#update);
    map?.on('resize', this.#forget);
    this.update();
  }

  add(element: HTMLElement, place: () => LatLng | null, side: CardSide | null): () => void {
    const anchor: Anchor = { element, place, side };
    this.#anchors.add(anchor);
    this.#measured = null;
    this.#move([anchor]);
    return () => this.#anchors.delete(anchor);
  }

  /** Marks have gone elsewhere on a map that stands still. */
  moveMarks(): void {
    this.#move([...this.#anchors].filter(({ side }) => !side));
  }

  /** Something other than the map has changed: everything is measured again. */
  update(): void {
    this.#measured = null;
    this.#move([...this.#anchors]);
  }

  #measure(map: MapLibreMap, hasCards: boolean): Measured {
    const now = performance.now();
    const known = this.#measured;
    if (known && now - known.at < MEASURED_MS) return known;
    const container = map.getContainer();
    const stage = { width: container.clientWidth, height: container.clientHeight };
    this.#measured = { at: now, stage, taken: hasCards ? takenOn(container) : [], sizes: new Map() };
    return this.#measured;
  }

  #move(anchors: readonly Anchor[]): void {
    const map = this.#map;
    const hasCards = [...this.#anchors].some(({ side }) => side);
    const measured = map && anchors.length > 0 ? this.#measure(map, hasCards) : null;
    for (const { element, place, side } of anchors) {
      const at = map ? place() : null;
      const point = at && map ? map.project([at.lng, at.lat]) : null;
      const corner = point && measured && this.#cornerOf(element, point, side, measured);
      element.style.visibility = corner ? 'visible' : 'hidden';
      if (corner) element.style.transform = `translate(${corner[0]}px, ${corner[1]}px)`;
    }
  }

  /** Where an element stands; null where it does not: a card goes with its mark when that leaves the free room. */
  #cornerOf(
    element: HTMLElement,
    { x, y }: { x: number; y: number },
    side: CardSide | null,
    { stage, taken, sizes }: Measured,
  ): [number, number] | null {
    if (!side) {
      const sight = { left: -MARK_PX, top: -MARK_PX, right: stage.width + MARK_PX, bottom: stage.height + MARK_PX };
      return isInside(x, y, sight) ? [x, y] : null;
    }
    const room = freeRoom(stage, this.insets);
    if (!isInside(x, y, room)) return null;
    const size = sizes.get(element) ?? { width: element.offsetWidth, height: element.offsetHeight };
    sizes.set(element, size);
    return placeCard(x, y, size, room, taken, side);
  }
}
