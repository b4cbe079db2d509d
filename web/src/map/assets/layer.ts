import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibreMap } from 'maplibre-gl';
import { containsBounds, growBounds, mercatorX, mercatorY } from '../geometry';
import { TOKENS } from '../tokens';
import type { AssetBatch, LatLng, LatLngBounds, ThemeName } from '../types';
import { cellPixels, drawAtlas } from './atlas';
import { Fill, MARGIN_SHARE } from './fill';
import { pick } from './pick';
import { MarkProgram } from './program';
import { markPx } from './stack';
import { type Applied, AssetTable } from './table';

export const ASSETS_LAYER = 'lightbar-assets';

export interface LayerClocks {
  /** Server time, ms since the epoch. */
  readonly now: () => number;
  /** A steady clock, ms. */
  readonly steady: () => number;
}

function viewBox(map: MapLibreMap): LatLngBounds {
  const bounds = map.getBounds();
  return { south: bounds.getSouth(), west: bounds.getWest(), north: bounds.getNorth(), east: bounds.getEast() };
}

/**
 * All assets in one custom layer of MapLibre: culled to the viewport and half of
 * it on each side, sorted by stacking number, drawn by one instanced call. It
 * asks for frames only while a visible mark glides.
 */
export class AssetsMapLayer implements CustomLayerInterface {
  readonly id = ASSETS_LAYER;
  readonly type = 'custom';
  readonly renderingMode = '2d';
  readonly table = new AssetTable();
  readonly fill = new Fill();
  dimmed = false;
  alertingOnly = false;
  behind = false;
  #theme: ThemeName;
  readonly #clocks: LayerClocks;
  #map: MapLibreMap | null = null;
  #program: MarkProgram | null = null;
  #dirty = true;
  #box: LatLngBounds | null = null;
  #origin: LatLng = { lat: 0, lng: 0 };
  #atlasKey = '';
  #filledZoom = 0;
  #staleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(theme: ThemeName, clocks: LayerClocks) {
    this.#theme = theme;
    this.#clocks = clocks;
  }

  onAdd(map: MapLibreMap, gl: WebGL2RenderingContext): void {
    this.#map = map;
    this.#program = new MarkProgram(gl);
    this.#atlasKey = '';
    this.#dirty = true;
  }

  onRemove(): void {
    clearTimeout(this.#staleTimer);
    this.#program?.dispose();
    this.#program = null;
    this.#map = null;
  }

  setTheme(theme: ThemeName): void {
    this.#theme = theme;
    this.#map?.triggerRepaint();
  }

  /** Takes a batch; asks for a frame only when something in (or near) the view changed. */
  apply(batch: AssetBatch, unwatched: boolean): Applied {
    const applied = this.table.apply(batch, this.#clocks.steady(), unwatched, this.#box);
    if (applied.visible) this.invalidate();
    return applied;
  }

  /** The picture must be filled and drawn again. */
  invalidate(): void {
    this.#dirty = true;
    this.#map?.triggerRepaint();
  }

  /** Whether a visible mark is under way. */
  get gliding(): boolean {
    return this.#clocks.steady() < this.fill.restsAtMs;
  }

  pick(place: LatLng, radiusPx: number, nearest: boolean): number {
    const zoom = this.#map?.getZoom() ?? 0;
    return pick(this.table, this.fill, place, zoom, radiusPx, this.#clocks.steady(), nearest);
  }

  positionOf(row: number): LatLng {
    return this.table.positionAt(row, this.#clocks.steady());
  }

  /** Fills for the present view; normally done by render. */
  refill(map: MapLibreMap): void {
    const box = growBounds(viewBox(map), MARGIN_SHARE);
    const center = map.getCenter();
    this.#origin = { lat: center.lat, lng: center.lng };
    this.#box = box;
    this.#filledZoom = map.getZoom();
    this.fill.run(this.table, {
      box,
      origin: this.#origin,
      zoom: this.#filledZoom,
      now: this.#clocks.now(),
      nowMs: this.#clocks.steady(),
      dimmed: this.dimmed,
      alertingOnly: this.alertingOnly,
      behind: this.behind,
    });
    this.#dirty = false;
    this.#wakeWhenStale();
  }

  #wakeWhenStale(): void {
    clearTimeout(this.#staleTimer);
    const wait = this.fill.nextStaleAt - this.#clocks.now();
    // Longer waits would overflow the timer; the next fill comes long before.
    if (wait < 0x7fffffff) this.#staleTimer = setTimeout(() => this.invalidate(), Math.max(0, wait) + 20);
  }

  #prepare(map: MapLibreMap, program: MarkProgram): number {
    const pixelRatio = map.getPixelRatio();
    const px = markPx(map.getZoom());
    const key = `${this.#theme}/${px}/${pixelRatio}`;
    if (key !== this.#atlasKey) {
      program.uploadAtlas(drawAtlas(TOKENS[this.#theme], px, pixelRatio));
      this.#atlasKey = key;
    }
    const moved = this.#box === null || !containsBounds(this.#box, viewBox(map));
    // Far from the origin of the fill float32 would show; two levels of zoom are safe.
    if (this.#dirty || moved || Math.abs(map.getZoom() - this.#filledZoom) > 2) {
      this.refill(map);
      program.uploadInstances(this.fill.bytes, this.fill.instances);
    }
    return cellPixels(px, pixelRatio) / 2;
  }

  render(gl: WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const map = this.#map;
    const program = this.#program;
    if (!map || !program) return;
    const halfCell = this.#prepare(map, program);
    if (this.fill.instances > 0) {
      program.draw(this.fill.instances, {
        matrix: matrixAt(input.defaultProjectionData.mainMatrix, this.#origin),
        viewport: [gl.drawingBufferWidth, gl.drawingBufferHeight],
        halfCell,
        time: (this.#clocks.steady() - this.fill.epochMs) / 1000,
        bearing: map.getBearing() / 360,
      });
    }
    if (this.gliding) map.triggerRepaint();
  }
}

/** The map's matrix moved to the origin in float64: instances stay exact in float32 at any zoom. */
export function matrixAt(main: ArrayLike<number>, origin: LatLng): Float32Array {
  const x = mercatorX(origin.lng);
  const y = mercatorY(origin.lat);
  const moved = Float32Array.from(main);
  for (let i = 0; i < 4; i++) {
    moved[12 + i] = (main[i] as number) * x + (main[4 + i] as number) * y + (main[12 + i] as number);
  }
  return moved;
}
