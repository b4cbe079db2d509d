import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';
import type { FeatureCollection } from 'geojson';
import { createStore } from '~/lib/store';
import { Anchors } from './anchors';
import { AssetsMapLayer } from './assets/layer';
import { markPx } from './assets/stack';
import { HOVERED, PINNED, SELECTED } from './assets/table';
import { centerZoom, followZoom } from './camera';
import { DEFAULT_CONFIG } from './config';
import { densityCells } from './density';
import type { MapEngine } from './engine';
import { locate } from './geolocation';
import { boundsOf, growBounds, nearMetres } from './geometry';
import { GLIDE_MS } from './glide';
import { labelFeatures } from './labels';
import { Locations } from './locations';
import { DENSITY, LABELS, LOCATIONS, TRAIL } from './overlay';
import { listenPointer, type PointerTarget } from './pointer';
import { BUILTIN, offeredProviders, type ProviderState, shownProvider, typeOptions } from './providers';
import { attributions } from './style';
import { probeSupport } from './support';
import { ProviderSwitch } from './switcher';
import type {
  AssetBatch,
  AssetsLayer,
  CardSource,
  Insets,
  LatLng,
  LatLngBounds,
  MapAsset,
  MapConfig,
  MapControl,
  MapEvents,
  MapLocation,
  MapState,
  MapView,
  MarkStatus,
  OpenCard,
  OpenMenu,
  ThemeName,
} from './types';

const map = limits.map;
const CARDS_MAX = map.cardsMax.value;
const PULSING_MAX = 20;
const HOVER_KEEP_MS = 220;
const REFRESH_MS = 1000;
const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

export interface ControllerOptions {
  readonly theme: ThemeName;
  /** Server time, ms since the epoch. */
  readonly now: () => number;
  /** Brand shown in the geolocation text. */
  readonly name?: string;
}

type Listeners = { [E in keyof MapEvents]: Set<(payload: MapEvents[E]) => void> };

const FIRST_STATE: MapState = {
  phase: 'loading',
  zoom: 0,
  types: typeOptions(DEFAULT_CONFIG),
  type: BUILTIN,
  attribution: attributions(DEFAULT_CONFIG, null, 'roadmap'),
  following: false,
  density: false,
  finderOpen: false,
  findMe: 'off',
  notice: null,
  selected: null,
  pinned: [],
  cards: [],
  pulsing: [],
  menu: null,
  me: null,
};

/**
 * The map outside React: what is wanted (theme, selection, assets…) is kept here
 * and holds before, after and without a MapLibre map. MapLibre itself is loaded
 * when the stage is attached, so that this file costs the first page nothing.
 */
export class MapController implements MapControl {
  readonly anchors = new Anchors();
  readonly layer: AssetsMapLayer;
  readonly assets: AssetsLayer;
  /** Grows with each batch: open cards are described anew. */
  readonly cardTick = createStore(0);
  readonly #state = createStore<MapState>(FIRST_STATE);
  readonly #options: ControllerOptions;
  readonly #locations = new Locations();
  readonly #providers: ProviderSwitch;
  readonly #listeners: Listeners = {
    assetclick: new Set(),
    locationclick: new Set(),
    mapclick: new Set(),
    assethover: new Set(),
    view: new Set(),
    followend: new Set(),
    ready: new Set(),
  };
  #engine: MapEngine | null = null;
  #config: MapConfig = DEFAULT_CONFIG;
  #theme: ThemeName;
  #cards: CardSource | null = null;
  #hover: OpenCard | null = null;
  #hoverTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshPending = false;
  #refreshedAt = 0;
  #trail: readonly LatLng[] | null = null;
  #wasHidden = false;
  #placed = false;
  #wanted: (() => void) | null = null;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#theme = options.theme;
    this.layer = new AssetsMapLayer(options.theme, { now: options.now, steady: () => performance.now() });
    this.#providers = new ProviderSwitch(state => this.#providerChanged(state));
    const controller = this;
    this.assets = {
      apply: batch => this.#apply(batch),
      setFilter: filter => this.#setFilter(filter),
      setDimmed: dimmed => {
        if (this.layer.dimmed === dimmed) return;
        this.layer.dimmed = dimmed;
        this.layer.invalidate();
      },
      get size() {
        return controller.layer.table.size;
      },
    };
  }

  // Being on a page

  /** Puts the map into an element; returns the undo. The element keeps its size by its own style. */
  attach(container: HTMLElement): () => void {
    let gone = false;
    let undo = (): void => {
      gone = true;
    };
    if (probeSupport(container.ownerDocument) !== 'ok') {
      this.#patch({ phase: 'unsupported' });
      return () => this.#patch({ phase: 'loading' });
    }
    void import('./engine').then(({ MapEngine: Engine, FIRST_VIEW }) => {
      if (gone) return;
      const start = this.#lastView ?? this.#firstView() ?? FIRST_VIEW;
      const engine = new Engine(container, this.layer, this.#look(), start, this.#engineEvents());
      undo = this.#adopt(engine);
    });
    return () => undo();
  }

  #lastView: { center: LatLng; zoom: number } | null = null;

  #firstView(): { center: LatLng; zoom: number } | null {
    const bounds = this.#config.region?.bounds;
    if (!bounds) return null;
    return { center: { lat: (bounds.south + bounds.north) / 2, lng: (bounds.west + bounds.east) / 2 }, zoom: 9 };
  }

  #adopt(engine: MapEngine): () => void {
    this.#engine = engine;
    this.anchors.attach(engine.map);
    engine.camera.insets = this.anchors.insets;
    const unlisten = listenPointer(engine.map, this.#pointer());
    const watch = new AbortController();
    const { signal } = watch;
    document.addEventListener('visibilitychange', () => this.#visibilityChanged(), { signal });
    window.addEventListener('online', () => this.#providers.send({ type: 'online' }), { signal });
    return () => {
      const { center, zoom } = engine.view();
      this.#lastView = { center, zoom };
      watch.abort();
      unlisten();
      clearTimeout(this.#refreshTimer);
      this.anchors.attach(null);
      this.#engine = null;
      engine.dispose();
      this.#patch({ phase: 'loading' });
    };
  }

  #engineEvents() {
    return {
      ready: () => {
        this.#patch({ phase: 'ready' });
        this.#wanted?.();
        this.#wanted = null;
        this.#drawLocations();
        this.setTrail(this.#trail);
        this.#refreshSoon();
        this.#emit('ready', null);
      },
      moved: () => this.#moved(),
      rested: () => {
        this.#refreshSoon();
        if (this.#engine) this.#emit('view', this.#engine.view());
      },
      dragged: () => {
        this.openMenu(null);
        if (!this.getState().following) return;
        this.#patch({ following: false });
        this.#emit('followend', null);
      },
      frame: () => {},
      providerTile: (ok: boolean) => this.#providers.send({ type: 'tile', ok }),
    };
  }

  #moved(): void {
    const zoom = this.#engine?.map.getZoom() ?? 0;
    if (zoom !== this.getState().zoom) this.#patch({ zoom });
    if (this.getState().menu) this.openMenu(null);
  }

  #visibilityChanged(): void {
    if (document.hidden) {
      this.#wasHidden = true;
      return;
    }
    // What happened meanwhile is shown as it is now, not played back.
    this.layer.table.settle();
    this.layer.invalidate();
  }

  // Base, theme, providers

  #look() {
    return {
      theme: this.#theme,
      config: this.#config,
      provider: shownProvider(this.#providers.state),
      providerStyle: this.#providers.style,
    };
  }

  #restyle(): void {
    this.#engine?.setLook(this.#look());
    const provider = shownProvider(this.#providers.state);
    this.#patch({ attribution: attributions(this.#config, provider, provider?.role ?? 'roadmap') });
  }

  #providerChanged(state: ProviderState): void {
    if (state.phase === 'down') {
      this.#patch({ notice: { code: 'provider_unreachable', text: catalog.texts.map.providerUnreachable } });
    } else if (state.phase !== 'probing' && this.getState().notice?.code === 'provider_unreachable') {
      this.#patch({ notice: null });
    }
    this.#restyle();
  }

  setConfig(config: MapConfig): void {
    this.#config = config;
    const types = typeOptions(config);
    const type = types.some(option => option.id === this.getState().type) ? this.getState().type : BUILTIN;
    this.#patch({ types, type });
    this.#restyle();
    const first = this.#firstView();
    // Until somebody chose a place, an imported region is the best one.
    if (first && !this.#placed && this.#engine)
      this.#engine.map.jumpTo({ center: [first.center.lng, first.center.lat], zoom: first.zoom });
  }

  setTheme(theme: ThemeName): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.layer.setTheme(theme);
    this.#restyle();
  }

  setType(id: string): void {
    if (id === this.getState().type) return;
    this.#patch({ type: id });
    this.#providers.send({
      type: 'choose',
      provider: offeredProviders(this.#config).find(provider => provider.id === id) ?? null,
    });
  }

  // Assets

  #apply(batch: AssetBatch): void {
    const unwatched = document.hidden || this.#wasHidden || reducedMotion();
    this.#wasHidden = document.hidden;
    const { table } = this.layer;
    const applied = this.layer.apply(batch, unwatched);
    if (batch.reset) this.#restoreMarks();
    if (applied.newOnScene.length > 0) this.#pulse(applied.newOnScene.map(row => table.objects[row]?.id ?? ''));
    const { selected, following } = this.getState();
    if (following && selected) this.#followNow(selected);
    if (applied.visible) this.#refreshSoon();
    if (this.getState().cards.length > 0) this.#cardsChanged();
  }

  /** Rows are new after a reset: flags are set again by id. */
  #restoreMarks(): void {
    const { table } = this.layer;
    const { selected, pinned } = this.getState();
    if (selected) table.mark(table.rowOf(selected), SELECTED, true);
    for (const id of pinned) table.mark(table.rowOf(id), PINNED, true);
  }

  #setFilter(filter: ((asset: MapAsset) => boolean) | null): void {
    this.layer.table.setFilter(filter);
    this.layer.invalidate();
    this.#refreshSoon();
  }

  #pulse(ids: readonly string[]): void {
    const pulsing = [...ids, ...this.getState().pulsing.filter(id => !ids.includes(id))].slice(0, PULSING_MAX);
    this.#patch({ pulsing });
    setTimeout(() => {
      this.#patch({ pulsing: this.getState().pulsing.filter(id => !ids.includes(id)) });
    }, map.pulseMs.value);
  }

  /** Where an asset's mark stands now; null when it is not displayed. */
  placeOf(id: string): LatLng | null {
    const { table } = this.layer;
    const row = table.rowOf(id);
    return row < 0 ? null : this.layer.positionOf(row);
  }

  statusOf(id: string): MarkStatus | null {
    return this.layer.table.objects[this.layer.table.rowOf(id)]?.status ?? null;
  }

  placeOfLocation(id: string): LatLng | null {
    return this.#locations.place(id);
  }

  setDensity(on: boolean): void {
    if (on === this.getState().density) return;
    this.#patch({ density: on });
    this.layer.alertingOnly = on;
    this.layer.invalidate();
    this.#refreshSoon();
  }

  /** Labels and density at most once a second, and after the camera rests. */
  #refreshSoon(): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshPending = true;
    const wait = Math.max(60, this.#refreshedAt + REFRESH_MS - performance.now());
    this.#refreshTimer = setTimeout(() => this.#refresh(), wait);
  }

  #refresh(): void {
    this.#refreshPending = false;
    const engine = this.#engine;
    if (!engine || this.getState().phase !== 'ready') return;
    this.#refreshedAt = performance.now();
    const { bounds, zoom } = engine.view();
    const { table, fill } = this.layer;
    engine.setData(LABELS, labelFeatures(table, fill, bounds, zoom, this.#options.now()));
    engine.setData(DENSITY, this.getState().density ? densityCells(table, growBounds(bounds, 0.25)) : NOTHING);
  }

  setLocations(locations: readonly MapLocation[]): void {
    this.#locations.set(locations);
    this.#drawLocations();
    if (this.getState().cards.some(card => card.kind === 'location')) this.#cardsChanged();
  }

  #drawLocations(): void {
    this.#engine?.setData(LOCATIONS, this.#locations.features(this.getState().selected));
  }

  setTrail(points: readonly LatLng[] | null): void {
    this.#trail = points;
    this.#engine?.setData(TRAIL, points && points.length > 1 ? lineOf(points) : NOTHING);
  }

  // Pointer, cards, menu

  #pointer(): PointerTarget {
    return {
      hit: (place, reachPx, nearest) => {
        const zoom = this.#engine?.map.getZoom() ?? 0;
        const row = this.layer.pick(place, markPx(zoom) / 2 + reachPx, nearest);
        const asset = row >= 0 ? this.layer.table.objects[row] : undefined;
        if (asset) return { kind: 'asset', id: asset.id };
        const location = this.#locations.pick(place, zoom, reachPx);
        return location ? { kind: 'location', id: location } : null;
      },
      hover: target => this.hover(target ? { ...target, pinned: false } : null),
      click: (target, place) => {
        this.openMenu(null);
        if (!target) this.#emit('mapclick', place);
        else if (target.kind === 'asset') this.#emit('assetclick', { id: target.id });
        else this.#emit('locationclick', { id: target.id });
      },
      menu: menu => this.openMenu(menu),
    };
  }

  /** What the pointer is over. A card stays a moment, so that the pointer can reach it. */
  hover(target: OpenCard | null): void {
    clearTimeout(this.#hoverTimer);
    if (target && this.#hover?.id === target.id) return;
    if (target) this.#setHover(target);
    else if (this.#hover) this.#hoverTimer = setTimeout(() => this.#setHover(null), HOVER_KEEP_MS);
  }

  /** The pointer is on the card itself. */
  holdHover(): void {
    clearTimeout(this.#hoverTimer);
  }

  #setHover(target: OpenCard | null): void {
    const { table } = this.layer;
    const before = this.#hover;
    this.#hover = target;
    if (before?.kind === 'asset') table.mark(table.rowOf(before.id), HOVERED, false);
    if (target?.kind === 'asset') table.mark(table.rowOf(target.id), HOVERED, true);
    this.layer.invalidate();
    this.#emit('assethover', { id: target?.kind === 'asset' ? target.id : null });
    this.#cardsOpen();
  }

  pin(id: string, on: boolean): void {
    const { pinned } = this.getState();
    if (pinned.includes(id) === on) return;
    const next = on ? [...pinned, id].slice(-CARDS_MAX) : pinned.filter(other => other !== id);
    const { table } = this.layer;
    for (const other of pinned) if (!next.includes(other)) table.mark(table.rowOf(other), PINNED, false);
    if (on) table.mark(table.rowOf(id), PINNED, true);
    this.#patch({ pinned: next });
    this.layer.invalidate();
    this.#cardsOpen();
  }

  #kindOf(id: string): OpenCard['kind'] {
    return this.#locations.place(id) ? 'location' : 'asset';
  }

  /** Open cards: the pinned ones, the selected one, the hovered one. */
  #cardsOpen(): void {
    const { pinned, selected } = this.getState();
    const cards: OpenCard[] = pinned.map(id => ({ kind: this.#kindOf(id), id, pinned: true }));
    const add = (card: OpenCard): void => {
      if (!cards.some(open => open.id === card.id)) cards.push(card);
    };
    if (selected) add({ kind: this.#kindOf(selected), id: selected, pinned: false });
    if (this.#hover) add(this.#hover);
    this.#patch({ cards: cards.slice(-CARDS_MAX) });
  }

  #cardsChanged(): void {
    this.cardTick.set(tick => tick + 1);
  }

  setCards(source: CardSource | null): void {
    this.#cards = source;
    this.#cardsChanged();
  }

  /** Words of an open card now. */
  cardSource(): CardSource | null {
    return this.#cards;
  }

  serverNow(): number {
    return this.#options.now();
  }

  openMenu(menu: OpenMenu | null): void {
    if (menu === null && this.getState().menu === null) return;
    this.#patch({ menu });
  }

  // Camera and selection

  setInsets(insets: Insets): void {
    this.anchors.insets = insets;
    if (this.#engine) this.#engine.camera.insets = insets;
    this.anchors.update();
  }

  select(id: string | null, options: { readonly pan?: boolean } = {}): void {
    const before = this.getState().selected;
    const { table } = this.layer;
    if (before !== id) {
      if (before) table.mark(table.rowOf(before), SELECTED, false);
      if (id) table.mark(table.rowOf(id), SELECTED, true);
      this.#patch({ selected: id, ...(id === null && { following: false }) });
      this.layer.invalidate();
      this.#drawLocations();
      this.#cardsOpen();
    }
    if (id && options.pan) this.#panTo(id);
  }

  #panTo(id: string): void {
    const place = this.#locations.place(id) ?? this.#targetOf(id);
    if (place) this.#move(engine => engine.camera.center({ center: place, zoom: centerZoom(engine.map.getZoom()) }));
  }

  /** Last fix of an asset: the camera goes where the mark will rest. */
  #targetOf(id: string): LatLng | null {
    const asset = this.layer.table.objects[this.layer.table.rowOf(id)];
    return asset ? { lat: asset.lat, lng: asset.lng } : null;
  }

  follow(on: boolean): void {
    const { selected, following } = this.getState();
    if (on === following || (on && !selected)) return;
    this.#patch({ following: on });
    if (on && selected) this.#followNow(selected, 450);
    if (!on) this.#emit('followend', null);
  }

  #followNow(id: string, durationMs = GLIDE_MS): void {
    const place = this.#targetOf(id);
    if (!place) return;
    this.#move(engine => {
      const from = engine.map.getCenter();
      // A still asset keeps the picture still.
      if (durationMs === GLIDE_MS && nearMetres(from.lat, from.lng, place.lat, place.lng) < 0.5) return;
      engine.camera.follow(place, followZoom(engine.map.getZoom()), durationMs);
    });
  }

  /** Does a move now, or as soon as there is a map; the last wish wins. */
  #move(move: (engine: MapEngine) => void): void {
    this.#placed = true;
    const engine = this.#engine;
    if (engine && this.getState().phase === 'ready') move(engine);
    else this.#wanted = () => this.#engine && move(this.#engine);
  }

  showAll(): void {
    const bounds = boundsOf(this.#displayed());
    if (bounds) this.#move(engine => engine.camera.fit(bounds, map.showAllPaddingPx.value));
  }

  *#displayed(): Generator<LatLng> {
    yield* this.layer.table.shownPlaces();
    yield* this.#locations.places();
  }

  fitBounds(bounds: LatLngBounds): void {
    this.#move(engine => engine.camera.fit(bounds, map.boundsPaddingPx.value));
  }

  goTo(place: LatLng, zoom?: number): void {
    this.#move(engine => engine.camera.center({ center: place, zoom: zoom ?? centerZoom(engine.map.getZoom()) }));
  }

  zoomIn(): void {
    this.#engine?.camera.zoomBy(1);
  }

  zoomOut(): void {
    this.#engine?.camera.zoomBy(-1);
  }

  findMe(): void {
    if (this.getState().findMe === 'asking') return;
    if (this.getState().findMe === 'on') {
      this.#patch({ findMe: 'off', me: null });
      return;
    }
    this.#patch({ findMe: 'asking' });
    const name = this.#options.name ?? globalThis.location.hostname;
    void locate(navigator.geolocation, name).then(found => {
      if ('failure' in found) {
        this.#patch({ findMe: 'off', notice: { code: 'geolocation', text: found.failure } });
        return;
      }
      this.#patch({ findMe: 'on', me: found.place });
      this.goTo(found.place, map.findMeZoom.value);
    });
  }

  toggleFinder(): void {
    this.#patch({ finderOpen: !this.getState().finderOpen });
  }

  dismissNotice(): void {
    this.#patch({ notice: null });
  }

  view(): MapView | null {
    return this.#engine?.view() ?? null;
  }

  /** MapLibre's own map, for measuring; null while there is none. */
  engineMap(): MapEngine['map'] | null {
    return this.#engine?.map ?? null;
  }

  /** Calls back when everything in view has been loaded and drawn, and nothing moves. */
  whenIdle(listener: () => void): void {
    const map = this.#engine?.map;
    if (!map) this.on('ready', () => this.whenIdle(listener));
    else if (map.loaded() && !map.isMoving() && !this.#refreshPending) listener();
    else map.once('idle', () => this.whenIdle(listener));
  }

  // Telling

  on<E extends keyof MapEvents>(event: E, listener: (payload: MapEvents[E]) => void): () => void {
    const listeners: Set<(payload: MapEvents[E]) => void> = this.#listeners[event];
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  #emit<E extends keyof MapEvents>(event: E, payload: MapEvents[E]): void {
    const listeners: Set<(payload: MapEvents[E]) => void> = this.#listeners[event];
    for (const listener of [...listeners]) listener(payload);
  }

  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);
  getState = (): MapState => this.#state.get();

  #patch(change: Partial<MapState>): void {
    this.#state.set(state => ({ ...state, ...change }));
  }
}

function reducedMotion(): boolean {
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
}

function lineOf(points: readonly LatLng[]): FeatureCollection {
  const coordinates = points.map(point => [point.lng, point.lat]);
  return {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry: { type: 'LineString', coordinates }, properties: {} }],
  };
}
