import 'maplibre-gl/dist/maplibre-gl.css';
import type { FeatureCollection } from 'geojson';
import { type GeoJSONSource, Map as MapLibreMap, type StyleSpecification, setWorkerUrl } from 'maplibre-gl';
// A file of our own: the policy of the page allows no blob: worker.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { ASSETS_LAYER, type AssetsMapLayer } from './assets/layer';
import { Camera } from './camera';
import { provideImages } from './images';
import { LABELS, type OverlaySource, withOverlay } from './overlay';
import { buildStyle, PROVIDER_SOURCE } from './style';
import type { LatLng, MapConfig, MapProvider, MapView, ThemeName } from './types';

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
  frame(): void;
  providerTile(ok: boolean): void;
}

const OUR_SOURCES = /^(base|region|app-.*)$/;

function viewOf(map: MapLibreMap): MapView {
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
  #look: BaseLook;

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
      fadeDuration: 150,
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
    // Also after a lost graphics context: MapLibre then loads its style anew.
    map.on('style.load', () => this.#ensureAssets());
    map.once('load', () => events.ready());
    map.on('move', () => events.moved());
    map.on('moveend', () => events.rested());
    map.on('dragstart', () => events.dragged());
    map.on('render', () => events.frame());
    map.on('error', event => {
      const sourceId = 'sourceId' in event ? event.sourceId : undefined;
      if (this.#isProvider(sourceId)) events.providerTile(false);
      // A tile that fails is weather; anything else is a fault of ours and must not vanish.
      else if (sourceId === undefined) reportError(event.error);
    });
    map.on('sourcedata', event => {
      if (event.tile && this.#isProvider(event.sourceId) && event.tile.hasData?.()) events.providerTile(true);
    });
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

  setData(source: OverlaySource, data: FeatureCollection): void {
    // Between a lost graphics context and its return there is no style.
    if (this.map.style) this.map.getSource<GeoJSONSource>(source)?.setData(data);
  }

  view(): MapView {
    return viewOf(this.map);
  }

  dispose(): void {
    this.map.remove();
  }
}

/** Where a map starts before there is anything to show: the whole lower United States. */
export const FIRST_VIEW = { center: { lat: 38.5, lng: -96 }, zoom: 3.6 };
