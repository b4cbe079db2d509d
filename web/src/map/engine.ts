import 'maplibre-gl/dist/maplibre-gl.css';
import type { FeatureCollection } from 'geojson';
import {
  type GeoJSONSource,
  type GeoJSONSourceDiff,
  Map as MapLibreMap,
  type StyleSpecification,
  setWorkerUrl,
  type Tile,
} from 'maplibre-gl';
// A file of our own: the policy of the page allows no blob: worker.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { ASSETS_LAYER, type AssetsMapLayer } from './assets/layer';
import { Camera } from './camera';
import { provideImages } from './images';
import { reducedMotion } from './motion';
import { LABELS, type OverlaySource, withOverlay } from './overlay';
import { buildStyle, PROVIDER_SOURCE } from './style';
import type { LatLng, MapConfig, MapProvider, MapView, ThemeName } from './types';
import { type TileAt, WorkerRecovery } from './workerRecovery';

setWorkerUrl(workerUrl);

/** What the base of the map is to be. */
export interface BaseLook {
  readonly theme: ThemeName;
  readonly config: MapConfig;
  readonly provider: MapProvider | null;
  /** Style document of a provider of kind style. */
  readonly providerStyle: StyleSpecification | null;
}

export interface EngineEvents {
  ready(): void;
  moved(): void;
  rested(): void;
  dragged(): void;
  providerTile(ok: boolean): void;
  /** MapLibre's worker could not be loaded: this map will never draw. */
  lost(error: unknown): void;
  /** The browser took the graphics away: nothing is drawn; or they are back, and the map is as it was. */
  graphics(isLost: boolean, wasReady: boolean): void;
}

/** MapLibre has no other name for it. Once the map is ready the same words mean an exception in the worker. */
const WORKER_FAILED = /^Worker failed to load/;
/** Sources that the server's own tiles come from. */
const TILE_SOURCES = /^(base|region)$/;
const OUR_SOURCES = /^(base|region|app-.*)$/;

function viewOf(map: MapLibreMap): Omit<MapView, 'middle'> {
  const center = map.getCenter();
  const bounds = map.getBounds();
  return {
    center: { lat: center.lat, lng: center.lng },
    zoom: map.getZoom(),
    bounds: { south: bounds.getSouth(), west: bounds.getWest(), north: bounds.getNorth(), east: bounds.getEast() },
  };
}

/** One MapLibre map with our styles, sources and layers on it. Everything that knows MapLibre's events is here. */
export class MapEngine {
  readonly map: MapLibreMap;
  readonly camera: Camera;
  readonly #layer: AssetsMapLayer;
  readonly #events: EngineEvents;
  readonly #mender = new WorkerRecovery((source, tiles) => this.#askAgain(source, tiles));
  #look: BaseLook;
  #isReady = false;

  constructor(
    container: HTMLElement,
    layer: AssetsMapLayer,
    look: BaseLook,
    start: { center: LatLng; zoom: number },
    events: EngineEvents,
  ) {
    this.#layer = layer;
    this.#look = look;
    this.#events = events;
    this.map = new MapLibreMap({
      container,
      style: withOverlay(this.#style(), look.theme, location.origin),
      center: [start.center.lng, start.center.lat],
      zoom: start.zoom,
      maxZoom: 20,
      attributionControl: false,
      // North stays up: a dispatcher reads the map like the one on the wall.
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      maxPitch: 0,
      fadeDuration: reducedMotion() ? 0 : 150,
      canvasContextAttributes: { antialias: false, powerPreference: 'default' },
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.getCanvas().setAttribute('aria-label', 'Map');
    this.camera = new Camera(this.map);
    provideImages(this.map);
    this.#listen();
  }

  #listen(): void {
    const { map } = this;
    const events = this.#events;
    // Also after a lost graphics context: MapLibre then loads its style again.
    map.on('style.load', () => this.#ensureAssets());
    map.on('webglcontextlost', () => events.graphics(true, this.#isReady));
    map.on('webglcontextrestored', () => events.graphics(false, this.#isReady));
    map.once('load', () => {
      this.#isReady = true;
      events.ready();
    });
    map.on('move', () => events.moved());
    map.on('moveend', () => events.rested());
    map.on('dragstart', () => events.dragged());
    map.on('zoomend', () => this.#placeNames());
    map.on('error', event => this.#failed(event));
    map.on('sourcedata', event => {
      if (!event.tile?.hasData?.()) return;
      if (this.#isProvider(event.sourceId)) events.providerTile(true);
      else this.#mender.loaded(event.sourceId, event.tile.tileID.canonical);
    });
  }

  /** Tiles and a worker that do not come are weather; anything else is a fault of ours and must not vanish. */
  #failed(event: { error: { name?: string; message: string }; sourceId?: unknown; tile?: Tile }): void {
    const { error, sourceId, tile } = event;
    if (this.#isProvider(sourceId)) this.#events.providerTile(false);
    else if (typeof sourceId === 'string') {
      if (tile && TILE_SOURCES.test(sourceId)) this.#mender.failed(sourceId, tile.tileID.canonical);
    } else if (!this.#isReady && WORKER_FAILED.test(error.message)) this.#events.lost(error);
    // The browser says that lost graphics are back, and gives none: the map is replaced as if they had stayed away.
    else if (error.name !== 'GPUInitializationError') reportError(error);
  }

  #askAgain(source: string, tiles: TileAt[]): void {
    // Between a lost graphics context and its return there is no style; that loads all tiles again.
    if (this.map.style && this.map.getSource(source)) this.map.refreshTiles(source, tiles);
  }

  /** The network is back: what could not be had is asked for again at once. */
  online(): void {
    this.#mender.now();
    // A font that failed is not tried again until the style names its fonts again.
    if (this.map.style && this.#isReady) this.map.setFontFaces(this.map.getStyle()['font-faces']);
  }

  #isProvider(sourceId: unknown): boolean {
    if (typeof sourceId !== 'string' || this.#look.provider === null) return false;
    return this.#look.providerStyle ? !OUR_SOURCES.test(sourceId) : sourceId === PROVIDER_SOURCE;
  }

  /** MapLibre neither carries custom layers over a change of style nor restores them after a lost context. */
  #ensureAssets(): void {
    const { map } = this;
    const before = map.getLayer(LABELS) ? LABELS : undefined;
    if (!map.getLayer(ASSETS_LAYER)) map.addLayer(this.#layer, before);
    else if (before) map.moveLayer(ASSETS_LAYER, before);
  }

  /**
   * MapLibre places names for two milliseconds a frame: where frames take long, those of the zoom before lie on one
   * another for seconds. After a change of the order of layers it places all of them in the next frame.
   */
  #placeNames(): void {
    if (this.map.style && this.#isReady) this.#ensureAssets();
  }

  #style(): StyleSpecification {
    const { theme, config, provider, providerStyle } = this.#look;
    if (providerStyle) return providerStyle;
    const raster = provider?.kind === 'raster' ? provider : null;
    return buildStyle({ theme, config, origin: location.origin, role: provider?.role ?? 'roadmap', raster });
  }

  /** Changes theme, tiles or provider; our layers and their data stay. */
  setLook(look: BaseLook): void {
    const foreign = look.providerStyle !== null || this.#look.providerStyle !== null;
    this.#look = look;
    this.#layer.setTheme(look.theme);
    this.map.setStyle(this.#style(), {
      diff: !foreign,
      transformStyle: (previous, next) => withOverlay(next, look.theme, location.origin, previous),
    });
  }

  /** Answers once the worker has it; null when there is no such source just now. */
  setData(source: OverlaySource, data: FeatureCollection): Promise<void> | null {
    return this.#source(source)?.setData(data) ?? null;
  }

  /** Takes features of a source away by their ids, and adds others; answers as `setData` does. */
  updateData(source: OverlaySource, diff: GeoJSONSourceDiff): Promise<void> | null {
    return this.#source(source)?.updateData(diff) ?? null;
  }

  #source(id: OverlaySource): GeoJSONSource | undefined {
    // Between a lost graphics context and its return there is no style.
    return this.map.style ? this.map.getSource<GeoJSONSource>(id) : undefined;
  }

  view(): Omit<MapView, 'middle'> {
    return viewOf(this.map);
  }

  dispose(): void {
    this.#mender.stop();
    this.map.remove();
  }
}

/** Where a map starts before there is anything to show: the whole lower United States. */
export const FIRST_VIEW = { center: { lat: 38.5, lng: -96 }, zoom: 3.6 };
