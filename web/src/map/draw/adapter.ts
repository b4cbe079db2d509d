import type { Feature } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { type SetCursor, type TerraDrawChanges, TerraDrawExtend } from 'terra-draw';

/** What points: a mouse is exact, a finger is not. */
export type Hand = 'fine' | 'coarse';

/** How far, in px, a press moves before it is a drag. */
const DRAG_PX = { fine: 3, coarse: 8 } as const;

export interface AdapterHost {
  draw(features: readonly Feature[]): void;
  /** A press ended where it began. */
  tapped(point: { x: number; y: number }): void;
  /** It became something else. What it held is let go by `release`, and stays where it was before. */
  dropped(release: () => void): void;
}

/**
 * terra-draw on our map: it hears the pointer, and what it draws goes into a source of ours, whose layers are part of
 * every style. (Its own adapter adds sources and layers that a change of style drops.)
 *
 * It knows one pointer. A second finger makes of a press a gesture of the map: it zooms and pans, and draws nothing.
 */
export class DrawAdapter extends TerraDrawExtend.TerraDrawBaseAdapter {
  readonly #map: MapLibreMap;
  readonly #host: AdapterHost;
  #frame = 0;
  #unlisten: AbortController | null = null;
  readonly #hand: Hand;
  /** Fingers of this gesture belong to the map until all are up. */
  #isMaps = false;

  constructor(map: MapLibreMap, hand: Hand, host: AdapterHost) {
    const dragPx = DRAG_PX[hand];
    super({ minPixelDragDistance: dragPx, minPixelDragDistanceSelecting: dragPx, coordinatePrecision: 9 });
    this.#map = map;
    this.#hand = hand;
    this.#host = host;
  }

  override register(callbacks: TerraDrawExtend.TerraDrawCallbacks): void {
    this.#listen();
    super.register({
      ...callbacks,
      onMouseMove: event => this.#isMaps || callbacks.onMouseMove(event),
      onClick: event => {
        if (this.#isMaps) return;
        callbacks.onClick(event);
        if (event.button === 'left') this.#host.tapped({ x: event.containerX, y: event.containerY });
      },
      // A drag is of what was pressed, not of where the pointer was when it counted as one: a quick hand is far by then.
      // And it is there already: a hand that lets go at once makes no further move.
      onDragStart: (event, setDraggability) => {
        callbacks.onDragStart(this._lastDrawEvent ?? event, setDraggability);
        callbacks.onDrag(event, setDraggability);
      },
    });
  }

  override unregister(): void {
    this.#unlisten?.abort();
    super.unregister();
  }

  /** Before terra-draw hears the same. */
  #listen(): void {
    this.#unlisten = new AbortController();
    const options = { capture: true, signal: this.#unlisten.signal };
    const element = this.#map.getCanvasContainer();
    const pressed = ({ isPrimary }: PointerEvent): void => {
      if (isPrimary) this.#isMaps = false;
      else this.#drop();
    };
    element.addEventListener('pointerdown', pressed, options);
    element.addEventListener('pointercancel', () => this.#drop(), options);
    // A finger that rests asks for the menu too; terra-draw would take its next tap for a right click, which deletes.
    const rested = (event: Event): void => {
      if (this.#hand === 'fine') return;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener('contextmenu', rested, options);
  }

  #drop(): void {
    if (this.#isMaps) return;
    this.#isMaps = true;
    const last = this._lastDrawEvent;
    const callbacks = this._currentModeCallbacks;
    if (this._dragState === 'dragging' && last && callbacks) {
      this.#host.dropped(() => callbacks.onDragEnd(last, on => this.setDraggability(on)));
    }
    this._dragState = 'not-dragging';
    this.setDraggability(true);
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

  /** Never while something is drawn: the view sees to it. */
  setDoubleClickToZoom(): void {}

  /** Once a frame at most. */
  render({ created, updated, unchanged }: TerraDrawChanges): void {
    cancelAnimationFrame(this.#frame);
    const features = [...created, ...updated, ...unchanged] as Feature[];
    this.#frame = requestAnimationFrame(() => this.#host.draw(features));
  }

  clear(): void {
    cancelAnimationFrame(this.#frame);
    this._currentModeCallbacks?.onClear();
    cancelAnimationFrame(this.#frame); // forgetting its features asks for another frame
    this.#host.draw([]);
  }
}
