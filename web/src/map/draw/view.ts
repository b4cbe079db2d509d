import type { Feature, LineString, Polygon, Position } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { type SnapToCustom, TerraDraw, type TerraDrawEventListeners, type TerraDrawMouseEvent } from 'terra-draw';
import type { LatLng } from '../types';
import { DrawAdapter, type Hand } from './adapter';
import type { Drawing } from './drawing';
import { features, pathsOf } from './features';
import { type Modes, makeModes } from './modes';
import { type Draft, middleOf, placeOf, positionOf, radiusOf, ringOf } from './shape';
import { snapTo } from './snap';

/** Half of what a finger or a mouse hits: 24 px and 44 px across. */
const REACH_PX = { fine: 12, coarse: 22 } as const;
/** Far from everything: a point that is told, not pointed at, closes and snaps to nothing. */
const NOWHERE_PX = -1e7;
const MODES = { circle: 'circle', polygon: 'polygon', line: 'linestring' } as const;

type Finish = Parameters<TerraDrawEventListeners['finish']>;

/** A drawing on a MapLibre map. terra-draw hears the pointer; what the shape is stands in the drawing alone. */
export class DrawView {
  readonly #map: MapLibreMap;
  readonly #drawing: Drawing;
  readonly #setData: (features: readonly Feature[]) => void;
  #hand: Hand;
  #modes: Modes;
  #terra: TerraDraw;
  readonly #offs: (() => void)[] = [];
  /** What terra-draw has. */
  #shown: Draft | null = null;
  #feature: string | number | undefined;
  #seen: readonly Feature[] = [];
  /** terra-draw is told, it does not tell. */
  #isTelling = false;
  /** The press of the pointer that is under way. */
  #press = {};

  constructor(map: MapLibreMap, drawing: Drawing, setData: (features: readonly Feature[]) => void) {
    this.#map = map;
    this.#drawing = drawing;
    this.#setData = setData;
    this.#hand = matchMedia('(pointer: coarse)').matches ? 'coarse' : 'fine';
    this.#modes = makeModes(this.#reach, this.#snap, event => this.#holds(event));
    this.#terra = this.#begin();
    map.doubleClickZoom.disable(); // two quick taps are two points, or the last one
    // Also while the map does not pan: a second finger must find no browser that scrolls the page in its place.
    map.getCanvas().style.touchAction = 'none';
    this.#listen();
    this.#sync();
  }

  get #reach(): number {
    return REACH_PX[this.#hand];
  }

  #begin(): TerraDraw {
    const adapter = new DrawAdapter(this.#map, this.#hand, {
      draw: seen => {
        this.#seen = seen;
        this.repaint();
      },
      tapped: point => this.#select(point),
      dropped: release => this.#dropped(release),
    });
    const terra = new TerraDraw({ adapter, modes: Object.values(this.#modes) });
    terra.on('finish', (...finish) => this.#finished(...finish));
    terra.on('change', () => this.#preview());
    terra.start();
    return terra;
  }

  end(): void {
    for (const off of this.#offs) off();
    this.#isTelling = true;
    this.#terra.stop();
    this.#map.dragPan.enable();
    this.#map.doubleClickZoom.enable();
    this.#map.getCanvas().style.touchAction = '';
    this.#map.getCanvas().style.cursor = '';
  }

  /** Draws what stands once more: the colors, the chosen vertex, a new style. */
  repaint(): void {
    this.#setData(features(this.#seen, this.#drawing.kind, this.#drawing.state.get()));
  }

  #listen(): void {
    const element = this.#map.getCanvasContainer();
    const pressed = (event: PointerEvent) => this.#pressed(event);
    const placed = () => this.#placed();
    // Where the first move of a finger is let pass, the map can refuse none of those that follow.
    const fingered = (event: TouchEvent) => event.cancelable && event.preventDefault();
    // Before terra-draw's own listeners, and after them: the point is set.
    element.addEventListener('pointerdown', pressed, true);
    element.addEventListener('pointerup', placed);
    element.addEventListener('touchmove', fingered, { passive: false });
    const restyled = () => this.repaint();
    this.#map.on('style.load', restyled);
    this.#offs.push(
      () => element.removeEventListener('pointerdown', pressed, true),
      () => element.removeEventListener('pointerup', placed),
      () => element.removeEventListener('touchmove', fingered),
      () => this.#map.off('style.load', restyled),
      this.#drawing.state.subscribe(() => this.#sync()),
    );
  }

  /** terra-draw begins anew with another hand: it asks only once how far one reaches. */
  #pressed(event: PointerEvent): void {
    if (!event.isPrimary) return;
    this.#press = {};
    const hand = event.pointerType === 'touch' ? 'coarse' : 'fine';
    if (hand === this.#hand) return;
    this.#hand = hand;
    this.#isTelling = true;
    this.#terra.stop();
    this.#isTelling = false;
    this.#modes = makeModes(this.#reach, this.#snap, event => this.#holds(event));
    this.#terra = this.#begin();
    this.#shown = null;
    this.#sync();
  }

  /** What was held is where it was before. */
  #dropped(release: () => void): void {
    this.#isTelling = true;
    try {
      release();
    } finally {
      this.#isTelling = false;
    }
    this.#shown = null;
    this.#drawing.preview(null);
    this.#sync();
  }

  // From the drawing to terra-draw

  #sync(): void {
    this.repaint();
    // Not while terra-draw is in the middle of telling what was done.
    queueMicrotask(() => {
      const { draft, live } = this.#drawing.state.get();
      if (this.#isTelling || live || draft === this.#shown) return;
      this.#shown = draft;
      this.#isTelling = true;
      try {
        this.#terra.clear();
        if (draft.isClosed) this.#showClosed(draft);
        else this.#showOpen(draft);
      } finally {
        this.#isTelling = false;
      }
    });
  }

  #showClosed({ points, radiusM }: Draft): void {
    const { kind } = this.#drawing;
    const [first] = points;
    if (!first) return;
    const coordinates = points.map(positionOf);
    const ring = kind === 'circle' ? ringOf(first, radiusM) : [...coordinates, positionOf(first)];
    const geometry: Polygon | LineString =
      kind === 'line' ? { type: 'LineString', coordinates } : { type: 'Polygon', coordinates: [ring.map(exact)] };
    this.#terra.setMode('select');
    const [added] = this.#terra.addFeatures([{ type: 'Feature', geometry, properties: { mode: MODES[kind] } }]);
    if (!added?.valid || added.id === undefined) throw new Error(`terra-draw refuses a shape: ${added?.reason}`);
    this.#feature = added.id;
    this.#terra.selectFeature(added.id);
  }

  /** Points that were set by key, or are back after an undo: set again, so that the pointer goes on from them. */
  #showOpen({ points }: Draft): void {
    const { kind } = this.#drawing;
    const mode = this.#modes[kind];
    this.#feature = undefined;
    this.#terra.setMode(MODES[kind]);
    for (const { lat, lng } of points) {
      const at: TerraDrawMouseEvent = {
        lat,
        lng,
        containerX: NOWHERE_PX,
        containerY: NOWHERE_PX,
        button: 'left',
        heldKeys: [],
        isContextMenu: false,
      };
      mode.onMouseMove(at);
      mode.onClick(at);
    }
  }

  // From terra-draw to the drawing

  /** The last vertex was set, or an edit is done. */
  #finished(id: Finish[0], { action }: Finish[1]): void {
    if (this.#isTelling) return;
    if (action === 'draw') {
      const { draft } = this.#drawing.state.get();
      const { radiusM } = this.#drawing.kind === 'circle' ? this.#read(id) : draft;
      if (this.#drawing.kind === 'circle' && radiusM < 1) this.#shown = null;
      else this.#drawing.drew({ ...draft, radiusM, isClosed: true });
      this.#sync();
      return;
    }
    this.#edited(this.#read(id, action));
  }

  #edited(draft: Draft): void {
    // A circle is drawn anew from its center and radius; points stand as terra-draw has them.
    this.#drawing.drew(draft, this.#press);
    const { draft: now } = this.#drawing.state.get();
    this.#shown = this.#drawing.kind !== 'circle' && now.points.length === draft.points.length ? now : null;
    if (this.#shown === null) this.#sync();
  }

  /** A press may have set another point of a shape that is still open. */
  #placed(): void {
    const { draft } = this.#drawing.state.get();
    const open = this.#openFeature();
    if (draft.isClosed || !open) return;
    const ring = ringIn(open);
    if (this.#drawing.kind === 'circle') {
      if (draft.points.length === 0) this.#open({ ...draft, points: [placeOf(positionOf(middleOf(ring)))] });
      return;
    }
    const count = this.#modes[this.#drawing.kind].undoSize();
    if (count > draft.points.length) this.#open({ ...draft, points: ring.slice(0, count).map(placeOf) });
  }

  #open(draft: Draft): void {
    this.#drawing.drew(draft, this.#press);
    const { draft: now } = this.#drawing.state.get();
    const isAsDrawn = now.points.length === draft.points.length && now.isClosed === draft.isClosed;
    this.#shown = isAsDrawn ? now : null;
    if (this.#shown === null) this.#sync();
  }

  #openFeature(): Feature | undefined {
    return this.#terra.getSnapshot().find(({ properties }) => properties.currentlyDrawing === true);
  }

  /** What it is at the moment, while the pointer holds it. */
  #preview(): void {
    if (this.#isTelling) return;
    const { draft } = this.#drawing.state.get();
    if (draft.isClosed && this.#feature !== undefined && this.#terra.hasFeature(this.#feature)) {
      const live = this.#read(this.#feature);
      const isChanged = live.points.length !== draft.points.length || live.radiusM !== draft.radiusM;
      if (
        isChanged ||
        live.points.some((p, at) => p.lat !== draft.points[at]?.lat || p.lng !== draft.points[at]?.lng)
      ) {
        this.#drawing.preview(live);
      }
    }
  }

  /** A shape as terra-draw has it. A circle's is its ring: what was not changed of center and radius is kept. */
  #read(id: Finish[0], action?: string): Draft {
    const feature = this.#terra.getSnapshotFeature(id);
    const { draft } = this.#drawing.state.get();
    if (!feature) return draft;
    const ring = ringIn(feature);
    if (this.#drawing.kind === 'circle') return circleRead(draft, ring, action);
    const points = feature.geometry.type === 'Polygon' ? ring.slice(0, -1) : ring;
    return { ...draft, points: points.map(placeOf) };
  }

  // What is under the pointer

  #snap: SnapToCustom = ({ containerX: x, containerY: y }) => {
    const paths = pathsOf(this.#drawing, this.#placeAt({ x, y }));
    const place = snapTo(
      { x, y },
      paths,
      this.#reach,
      at => this.#px(at),
      px => this.#placeAt(px),
    );
    return place ? positionOf(place) : undefined;
  };

  #px({ lat, lng }: LatLng) {
    return this.#map.project([lng, lat]);
  }

  #placeAt({ x, y }: { x: number; y: number }): LatLng {
    const { lat, lng } = this.#map.unproject([x, y]);
    return { lat, lng };
  }

  /** The inside of a circle is ground to pan by: it is held by its edge and by its center. */
  #holds({ containerX: x, containerY: y }: TerraDrawMouseEvent): boolean {
    const { draft } = this.#drawing.state.get();
    const [center] = draft.points;
    if (this.#drawing.kind !== 'circle' || !center) return true;
    const isNear = (place: LatLng) => {
      const px = this.#px(place);
      return Math.hypot(px.x - x, px.y - y) <= this.#reach;
    };
    return isNear(center) || ringOf(center, draft.radiusM).some(position => isNear(placeOf(position)));
  }

  #select(point: { x: number; y: number }): void {
    const { draft } = this.#drawing.state.get();
    if (!draft.isClosed || this.#drawing.kind === 'circle') return;
    const px = draft.points.map(place => {
      const { x, y } = this.#px(place);
      return Math.hypot(x - point.x, y - point.y);
    });
    const nearest = px.indexOf(Math.min(...px));
    this.#drawing.select((px[nearest] ?? Number.POSITIVE_INFINITY) <= this.#reach ? nearest : null);
  }
}

/** terra-draw takes nine decimals, and nothing beyond the 180th meridian: a circle across it ends there, and is refused. */
const exact = ([lng = 0, lat = 0]: Position): Position =>
  [Math.max(-180, Math.min(180, lng)), lat].map(part => Math.round(part * 1e9) / 1e9);

function ringIn({ geometry }: Feature): readonly Position[] {
  if (geometry.type === 'Polygon') return geometry.coordinates[0] ?? [];
  return geometry.type === 'LineString' ? geometry.coordinates : [];
}

/** Without a word for it: a circle whose size differs by more than this was held by its edge. */
const SAME_RADIUS = 0.002;

/** What the ring says of the part of a circle that was held; the other part is kept. */
function circleRead(before: Draft, ring: readonly Position[], action?: string): Draft {
  const [center] = before.points;
  if (!center) return before;
  const radiusM = radiusOf(center, ring);
  if (before.radiusM === 0) return { ...before, radiusM };
  const middle = middleOf(ring);
  const isMoved = action
    ? action === 'dragFeature'
    : Math.abs(radiusOf(middle, ring) / before.radiusM - 1) < SAME_RADIUS;
  if (!isMoved) return { ...before, radiusM };
  const was = middleOf(ringOf(center, before.radiusM));
  const to = { lat: center.lat + middle.lat - was.lat, lng: center.lng + middle.lng - was.lng };
  return { ...before, points: [to] };
}
