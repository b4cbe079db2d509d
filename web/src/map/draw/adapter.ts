import type { Feature } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { type SetCursor, type TerraDrawChanges, TerraDrawExtend } from 'terra-draw';

/** As a press counts as a drag: a mouse is exact, a thumb is not. */
export interface Reach {
  readonly dragPx: number;
}

/**
 * terra-draw on our map: it hears the pointer, and what it draws goes into a source of ours, whose layers are part of
 * every style. (Its own adapter adds sources and layers that a change of style drops.)
 */
export class DrawAdapter extends TerraDrawExtend.TerraDrawBaseAdapter {
  readonly #map: MapLibreMap;
  readonly #draw: (features: readonly Feature[]) => void;
  #frame = 0;

  constructor(map: MapLibreMap, { dragPx }: Reach, draw: (features: readonly Feature[]) => void) {
    super({ minPixelDragDistance: dragPx, minPixelDragDistanceSelecting: dragPx, coordinatePrecision: 9 });
    this.#map = map;
    this.#draw = draw;
  }

  /** A drag is of what was pressed, not of where the pointer was when it counted as one: a quick hand is far by then. */
  override register(callbacks: TerraDrawExtend.TerraDrawCallbacks): void {
    super.register({
      ...callbacks,
      onDragStart: (event, setDraggability) => callbacks.onDragStart(this._lastDrawEvent ?? event, setDraggability),
    });
  }

  getMapEventElement(): HTMLElement {
    return this.#map.getCanvas();
  }

  getLngLatFromEvent({ clientX, clientY }: PointerEvent | MouseEvent) {
    const { left, top } = this.#map.getContainer().getBoundingClientRect();
    return this.unproject(clientX - left, clientY - top);
  }

  project(lng: number, lat: number) {
    const { x, y } = this.#map.project([lng, lat]);
    return { x, y };
  }

  unproject(x: number, y: number) {
    const { lng, lat } = this.#map.unproject([x, y]);
    return { lng, lat };
  }

  setCursor(cursor: Parameters<SetCursor>[0]): void {
    this.#map.getCanvas().style.cursor = cursor === 'unset' ? '' : cursor;
  }

  setDraggability(on: boolean): void {
    if (on) this.#map.dragPan.enable();
    else this.#map.dragPan.disable();
  }

  setDoubleClickToZoom(on: boolean): void {
    if (on) this.#map.doubleClickZoom.enable();
    else this.#map.doubleClickZoom.disable();
  }

  /** Once a frame at most. */
  render({ created, updated, unchanged }: TerraDrawChanges): void {
    cancelAnimationFrame(this.#frame);
    const features = [...created, ...updated, ...unchanged] as Feature[];
    this.#frame = requestAnimationFrame(() => this.#draw(features));
  }

  clear(): void {
    cancelAnimationFrame(this.#frame);
    this._currentModeCallbacks?.onClear();
    cancelAnimationFrame(this.#frame); // forgetting its features asks for another frame
    this.#draw([]);
  }
}
