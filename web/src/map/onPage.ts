import catalog from '@catalog/texts.json';
import type { Anchors } from './anchors';
import type { Annotations } from './annotations';
import type { AssetsMapLayer } from './assets/layer';
import type { BaseStyle } from './baseStyle';
import type { DrawingDesk } from './draw/desk';
import type { EngineEvents, MapEngine } from './engine';
import type { FirstPlace } from './firstPlace';
import type { Fleet } from './fleet';
import { MapMount, type MapMountHost, type MountPhase } from './mapMount';
import type { Navigator } from './navigator';
import type { Places } from './places';
import { listenPointer, type PointerTarget } from './pointer';
import type { Refresher } from './refresher';
import type { MapNotice, MapState, MapView } from './types';

const UNLOADED: MapNotice = { code: 'unloaded', text: catalog.texts.map.unloaded };
const STOPPED: MapNotice = { code: 'unloaded', text: catalog.texts.map.stopped };

export interface OnPageHost {
  readonly anchors: Anchors;
  readonly layer: AssetsMapLayer;
  readonly base: BaseStyle;
  readonly first: FirstPlace;
  readonly navigator: Navigator;
  readonly annotations: Annotations;
  readonly refresher: Refresher;
  readonly places: Places;
  readonly desk: DrawingDesk;
  readonly assets: Fleet;
  readonly pointer: PointerTarget;
  state(): MapState;
  patch(change: Partial<MapState>): void;
  view(): MapView | null;
  /** A hand has moved the map. */
  dragged(): void;
  closeMenu(): void;
  tell: {
    ready(): void;
    view(view: MapView): void;
    middle(middle: MapView['middle']): void;
  };
}

/** The MapLibre map while there is one: how it comes, what the rest hears of it, how it goes and is replaced. */
export class OnPage {
  readonly #host: OnPageHost;
  readonly #mount = new MapMount(this.#mountHost());
  #engine: MapEngine | null = null;
  #rested = '';
  #middle = '';

  constructor(host: OnPageHost) {
    this.#host = host;
  }

  get engine(): MapEngine | null {
    return this.#engine;
  }

  attach(container: HTMLElement): () => void {
    return this.#mount.attach(container);
  }

  retry(): void {
    this.#mount.retry();
  }

  #mountHost(): MapMountHost {
    return {
      build: ({ MapEngine: Engine, FIRST_VIEW }, container) => {
        const { first, layer, base } = this.#host;
        return new Engine(container, layer, base.look(), first.start() ?? FIRST_VIEW, this.#events());
      },
      adopted: engine => this.#adopt(engine),
      phase: phase => this.#host.patch(this.#shown(phase)),
      seen: visible => {
        if (visible) this.#host.assets.shown();
        else this.#host.assets.hidden();
      },
      online: () => {
        this.#engine?.online();
        this.#host.base.providers.send({ type: 'online' });
      },
      fault: error => reportError(error),
    };
  }

  /** What a phase of the mount looks like. The notice of a map that does not come stays until one is there. */
  #shown(phase: MountPhase): Partial<MapState> {
    switch (phase) {
      case 'unloaded':
        return { phase, notice: UNLOADED };
      case 'stopped':
        return { phase: 'unloaded', notice: STOPPED };
      case 'unsupported':
      case 'lost':
        return { phase: 'unsupported', hadMap: phase === 'lost', notice: this.#otherNotice() };
      default:
        return { phase };
    }
  }

  #otherNotice(): MapNotice | null {
    const { notice } = this.#host.state();
    return notice?.code === 'unloaded' ? null : notice;
  }

  #adopt(engine: MapEngine): () => void {
    const { anchors, navigator, desk, first, refresher, pointer } = this.#host;
    this.#engine = engine;
    anchors.attach(engine.map);
    engine.camera.insets = anchors.insets;
    navigator.begin(engine);
    const unlisten = listenPointer(engine.map, pointer);
    desk.arrived();
    return () => {
      first.left(engine.view());
      unlisten();
      desk.leaves();
      refresher.stop();
      anchors.attach(null);
      this.#engine = null;
      engine.dispose();
    };
  }

  #events(): EngineEvents {
    const { first, annotations, places, refresher, base, patch, tell, dragged } = this.#host;
    return {
      ready: () => {
        this.#mount.ready();
        patch({ phase: 'ready', notice: this.#otherNotice() });
        first.ready();
        annotations.ready();
        places.refresh();
        refresher.soon();
        tell.ready();
      },
      moved: () => this.#moved(),
      rested: () => {
        refresher.soon();
        places.refresh();
        this.#tellView();
      },
      dragged,
      lost: (error: unknown) => this.#mount.lost(error),
      graphics: (isLost: boolean, wasReady: boolean) => {
        patch({ phase: wasReady && !isLost ? 'ready' : 'loading' });
        if (!isLost) places.refresh();
        this.#mount.graphics(isLost);
      },
      providerTile: (ok: boolean) => base.providers.send({ type: 'tile', ok }),
    };
  }

  /** Where the map rests now. Another size of the stage is no movement: who counts them wants to know of hands. */
  #tellView(): void {
    const view = this.#host.view();
    if (!view) return;
    const key = `${view.center.lat} ${view.center.lng} ${view.zoom}`;
    if (key !== this.#rested) this.#host.tell.view(view);
    this.#rested = key;
    this.tellMiddle();
  }

  tellMiddle(): void {
    const middle = this.#host.desk.middle();
    const key = middle ? `${middle.lat} ${middle.lng}` : '';
    if (middle && key !== this.#middle) this.#host.tell.middle(middle);
    this.#middle = key;
  }

  #moved(): void {
    const zoom = this.#engine?.map.getZoom() ?? 0;
    const { zoom: before, menu } = this.#host.state();
    if (zoom !== before) this.#host.patch({ zoom });
    if (menu) this.#host.closeMenu();
  }
}
