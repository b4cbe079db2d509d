import { createStore } from '~/lib/store';
import { Anchors } from './anchors';
import { Annotations } from './annotations';
import { AssetsMapLayer } from './assets/layer';
import { BaseStyle } from './baseStyle';
import { CardStack } from './cardStack';
import { DrawingDesk } from './draw/desk';
import type { Drawing, DrawOptions } from './draw/drawing';
import type { MapEngine } from './engine';
import { findMe } from './findMe';
import { FirstPlace } from './firstPlace';
import { Fleet } from './fleet';
import { onEarth } from './geometry';
import { MAP_LAYERS } from './layers';
import type { MapLayer, MapRow } from './layers/layer';
import { MapRows } from './layers/rows';
import { Listeners } from './listeners';
import { MarkPositions } from './markPositions';
import { Navigator } from './navigator';
import { OnPage } from './onPage';
import { Places } from './places';
import { menuAt, type PointerTarget } from './pointer';
import { Refresher } from './refresher';
import { Selection } from './selection';
import { FIRST_STATE } from './state';
import type {
  CardSource,
  FoundPin,
  Insets,
  LatLng,
  LatLngBounds,
  MapConfig,
  MapControl,
  MapEvents,
  MapHead,
  MapState,
  MapView,
  MarkedLine,
  OpenMenu,
  PlaceHandle,
  ThemeName,
} from './types';

export interface ControllerOptions {
  readonly theme: ThemeName;
  /** Server time, ms since the epoch. */
  readonly now: () => number;
  /** Brand shown in the geolocation text. */
  readonly name?: string;
  /** Where the organization is: the first view, until somebody goes elsewhere. */
  readonly home?: LatLng | null;
}

/**
 * The map outside React: what is wanted (theme, selection, assets…) is kept here
 * and holds before, after and without a MapLibre map. MapLibre itself is loaded
 * when the stage is attached, so that this file costs the first page nothing.
 */
export class MapController implements MapControl {
  readonly anchors = new Anchors();
  readonly layer: AssetsMapLayer;
  readonly assets: Fleet;
  readonly standing: MarkPositions;
  readonly cards: CardStack;
  readonly desk: DrawingDesk;
  readonly heads = createStore<readonly MapHead[]>([]);
  readonly #state = createStore<MapState>(FIRST_STATE);
  readonly #options: ControllerOptions;
  readonly #rows = new MapRows(MAP_LAYERS);
  readonly #first: FirstPlace;
  readonly #selection: Selection;
  readonly #navigator: Navigator;
  readonly #annotations: Annotations;
  readonly #refresher: Refresher;
  readonly #places: Places;
  readonly #base: BaseStyle;
  readonly #listeners = new Listeners();
  readonly #page: OnPage;
  #keepsUp = false;
  readonly #aims: Record<'form' | 'drawing', MapState['aim']> = { form: null, drawing: null };

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.layer = new AssetsMapLayer(options.theme, { now: options.now, steady: () => performance.now() });
    this.standing = new MarkPositions(this.layer, this.#rows);
    this.#base = new BaseStyle(options.theme, {
      engine: () => this.#engine,
      state: this.getState,
      patch: change => this.#patch(change),
      home: options.home ?? null,
    });
    this.cards = new CardStack({
      layer: this.layer,
      state: this.getState,
      patch: change => this.#patch(change),
      kindOf: id => this.#rows.layerOf(id)?.kind ?? 'asset',
      hovered: id => this.#emit('assethover', { id }),
    });
    this.#navigator = new Navigator({
      layer: this.layer,
      rows: this.#rows,
      engine: () => this.#engine,
      moves: () => this.expectPlace(false),
    });
    this.#first = new FirstPlace({
      engine: () => this.#engine,
      base: this.#base,
      navigator: this.#navigator,
      state: this.getState,
      patch: change => this.#patch(change),
    });
    this.#annotations = new Annotations({
      layer: this.layer,
      rows: this.#rows,
      engine: () => this.#engine,
      state: this.getState,
      now: options.now,
    });
    this.desk = new DrawingDesk({
      engine: () => this.#engine,
      insets: () => this.anchors.insets,
      goTo: place => this.goTo(place),
      aim: at => this.#aimBy('drawing', at),
    });
    this.desk.open.subscribe(() => this.#placing());
    this.#refresher = new Refresher(() => this.#annotations.refresh());
    this.#places = new Places({
      rows: this.#rows,
      engine: () => (this.getState().phase === 'ready' ? this.#engine : null),
      insets: () => this.anchors.insets,
      state: this.getState,
      patch: change => this.#patch(change),
    });
    this.assets = new Fleet({
      layer: this.layer,
      navigator: this.#navigator,
      refresher: this.#refresher,
      state: this.getState,
      patch: change => this.#patch(change),
      cardsChanged: () => this.cards.changed(),
      dimmed: () => this.#annotations.drawRows(),
    });
    this.#selection = new Selection({
      layer: this.layer,
      navigator: this.#navigator,
      state: this.getState,
      patch: change => this.#patch(change),
      changed: () => {
        this.#annotations.drawRows();
        this.cards.open();
      },
      followEnds: () => this.#emit('followend', null),
    });
    this.#page = new OnPage({
      anchors: this.anchors,
      layer: this.layer,
      base: this.#base,
      first: this.#first,
      navigator: this.#navigator,
      annotations: this.#annotations,
      refresher: this.#refresher,
      places: this.#places,
      desk: this.desk,
      assets: this.assets,
      pointer: this.#pointer(),
      state: this.getState,
      patch: change => this.#patch(change),
      view: () => this.view(),
      dragged: () => this.#dragged(),
      closeMenu: () => this.openMenu(null),
      tell: {
        ready: () => this.#emit('ready', null),
        view: view => this.#emit('view', view),
        middle: middle => this.#emit('middle', middle),
      },
    });
  }

  // Being on a page

  /** Puts the map into an element; returns the undo. The element keeps its size by its own style. */
  attach(container: HTMLElement): () => void {
    return this.#page.attach(container);
  }

  retry(): void {
    this.#page.retry();
  }

  get #engine(): MapEngine | null {
    return this.#page.engine;
  }

  #dragged(): void {
    this.expectPlace(false);
    this.openMenu(null);
    this.#selection.follow(false);
    if (this.#keepsUp) this.#emit('followend', null);
    this.#keepsUp = false;
  }

  #placing(): void {
    const { aim, handle, isPlacing } = this.getState();
    const is = aim !== null || handle !== null || this.desk.open.get() !== null;
    if (is !== isPlacing) this.#patch({ isPlacing: is });
  }

  // Base, theme, providers

  setConfig(config: MapConfig): void {
    this.#base.setConfig(config);
    this.#first.showRegion();
  }

  expectPlace(on: boolean): void {
    this.#first.expect(on);
  }

  setTheme(theme: ThemeName): void {
    this.layer.setTheme(theme);
    this.#base.setTheme(theme);
  }

  setType(id: string): void {
    this.#base.setType(id);
  }

  // What the map shows

  setDensity(on: boolean): void {
    if (on === this.getState().density) return;
    this.#patch({ density: on });
    this.layer.alertingOnly = on;
    this.layer.invalidate();
    this.#refresher.soon();
  }

  setRows<Row extends MapRow>(layer: MapLayer<Row>, rows: readonly Row[]): void {
    this.#rows.set(layer, rows);
    this.#annotations.drawRows([layer]);
    this.#places.refresh();
    const { cards } = this.getState();
    // A card may have been opened before its row was on the map.
    if (cards.some(({ id, kind }) => kind !== layer.kind && this.#rows.layerOf(id) === layer)) this.cards.open();
    else if (cards.some(card => card.kind === layer.kind)) this.cards.changed();
  }

  setHeads(heads: readonly MapHead[]): void {
    this.heads.set(heads);
    this.anchors.moveMarks();
  }

  setTrail(points: readonly LatLng[] | null): void {
    this.#annotations.setTrail(points);
  }

  setMarked(lines: readonly MarkedLine[]): void {
    this.#annotations.setMarked(lines);
  }

  // Pointer, cards, menu

  #pointer(): PointerTarget {
    return {
      isTaken: () => this.desk.open.get() !== null,
      hit: (place, reachPx, nearest) => this.standing.hit(place, this.#engine?.map.getZoom() ?? 0, reachPx, nearest),
      hover: target => this.cards.hover(target),
      click: (target, place) => {
        this.openMenu(null);
        if (target?.kind === 'asset') this.#emit('assetclick', { id: target.id });
        // A finger hovers over nothing: its tap opens the card, and one elsewhere closes it.
        else this.cards.hover(target);
        if (target && target.kind !== 'asset') this.#emit('rowclick', target);
        if (!target) this.#emit('mapclick', place);
      },
      menu: menu => this.openMenu(menu),
      menuByKey: () => {
        const { selected } = this.getState();
        this.openMenuAt(selected ? this.standing.placeOf(selected) : null);
      },
    };
  }

  pin(id: string, on: boolean): void {
    this.cards.pin(id, on);
  }

  setCards(source: CardSource | null): void {
    this.cards.setSource(source);
  }

  serverNow(): number {
    return this.#options.now();
  }

  openMenu(menu: OpenMenu | null): void {
    if (menu === null && this.getState().menu === null) return;
    this.#patch({ menu: menu && { ...menu, place: onEarth(menu.place) } });
  }

  /** Opens the context menu of a place, if that is in the free room, else of the middle of that room. */
  openMenuAt(place: LatLng | null): void {
    if (this.#engine) this.openMenu(menuAt(this.#engine.map, this.anchors.insets, place));
  }

  /** Gives the keyboard to the map itself. */
  focus(): void {
    this.#engine?.map.getCanvas().focus();
  }

  openDrawing(options: DrawOptions): Promise<Drawing> {
    this.openMenu(null);
    this.cards.hover(null);
    return this.desk.begin(options);
  }

  // Camera and selection

  setInsets(insets: Insets): void {
    this.anchors.insets = insets;
    if (this.#engine) this.#engine.camera.insets = insets;
    this.anchors.update();
    this.#places.refresh();
    this.#page.tellMiddle();
  }

  select(id: string | null, options: { readonly pan?: boolean } = {}): void {
    this.#selection.select(id, options.pan ?? false);
  }

  follow(on: boolean): void {
    this.#selection.follow(on);
  }

  keepUp(place: LatLng | null, glideMs = 0): void {
    this.#keepsUp = place !== null;
    if (place) this.#navigator.glideTo(place, glideMs);
  }

  showAll(): void {
    this.#navigator.showAll();
  }

  fitBounds(bounds: LatLngBounds): void {
    this.#navigator.fitBounds(bounds);
  }

  goTo(place: LatLng, zoom?: number): void {
    this.#navigator.goTo(place, zoom);
  }

  zoomIn(): void {
    this.#engine?.camera.zoomBy(1);
  }

  zoomOut(): void {
    this.#engine?.camera.zoomBy(-1);
  }

  findMe(): void {
    findMe({
      name: this.#options.name ?? globalThis.location.hostname,
      state: this.getState,
      patch: change => this.#patch(change),
      goTo: (place, zoom) => this.goTo(place, zoom),
    });
  }

  toggleFinder(): void {
    this.#patch({ finderOpen: !this.getState().finderOpen });
  }

  find(found: FoundPin | null): void {
    this.#patch({ found });
    if (found) this.goTo(found);
  }

  setHandle(handle: PlaceHandle | null): void {
    this.#patch({ handle });
    this.#placing();
  }

  aim(at: MapState['aim']): void {
    this.#aimBy('form', at);
  }

  #aimBy(who: 'form' | 'drawing', at: MapState['aim']): void {
    this.#aims[who] = at;
    this.#patch({ aim: this.#aims.form ?? this.#aims.drawing });
    this.#placing();
  }

  pinPlace(found: LatLng): void {
    this.#patch({ found });
  }

  openAsset(id: string): void {
    this.#emit('assetclick', { id });
  }

  /** Goes to the screen that a card links to. */
  openCardLink(path: string): void {
    this.#emit('cardlink', { path });
  }

  dismissNotice(): void {
    this.#patch({ notice: null });
  }

  view(): MapView | null {
    const view = this.#engine?.view();
    return view ? { ...view, middle: this.desk.middle() ?? view.center } : null;
  }

  /** MapLibre's own map, for measuring; null while there is none. */
  engineMap(): MapEngine['map'] | null {
    return this.#engine?.map ?? null;
  }

  /** Calls back when everything in view has been loaded and drawn, and nothing moves. */
  whenIdle(listener: () => void): void {
    const map = this.#engine?.map;
    if (!map) this.on('ready', () => this.whenIdle(listener));
    else if (map.loaded() && !map.isMoving() && !this.#refresher.pending) listener();
    else map.once('idle', () => this.whenIdle(listener));
  }

  // Events

  on<E extends keyof MapEvents>(event: E, listener: (payload: MapEvents[E]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  #emit<E extends keyof MapEvents>(event: E, payload: MapEvents[E]): void {
    this.#listeners.emit(event, payload);
  }

  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);
  getState = (): MapState => this.#state.get();

  #patch(change: Partial<MapState>): void {
    this.#state.set(state => ({ ...state, ...change }));
  }
}
