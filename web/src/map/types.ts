/**
 * The contract of the map room: what others give to the map and what the map
 * says back. Nothing here knows MapLibre, so every room may import the types.
 * Units: degrees (WGS 84), meters per second, degrees clockwise from north,
 * milliseconds since the epoch **by the server's clock**.
 */

import type { ComponentType } from 'react';
import type { Schemas } from '~/api';
import type { AssetBatch } from '~/model/batch';
import type { Drawing, DrawOptions } from './draw/drawing';
import type { AreaFamily } from './layers/areaGlyph';
import type { MapLayer, MapRow } from './layers/layer';
import type { Hit } from './layers/rows';
import type { SignGlyph } from './layers/signs';
import type { TripColor } from './layers/tripTone';

export type { AssetBatch, MapAsset, MarkStatus, MarkType } from '~/model/batch';

/** An incident or event as the map draws it. */
export interface MapLocation {
  readonly id: string;
  readonly lat: number;
  readonly lng: number;
  readonly active: boolean;
  /** How many assets are there; shown from two on. */
  readonly units?: number;
  /** Shapes of a reported event, as GeoJSON; a circle is a point with `radius_dist` in meters. */
  readonly shapes?: readonly Schemas['Feature'][];
  readonly quiet?: boolean;
}

/** An area as the map draws it. */
export interface MapArea {
  readonly id: string;
  /** where its marker stands */
  readonly lat: number;
  readonly lng: number;
  readonly name: string;
  readonly family: AreaFamily;
  /** false: dimmed */
  readonly active: boolean;
  /** how many assets are in it */
  readonly units: number;
  /** meters, of a circle */
  readonly radiusM: number;
  /** GeoJSON; null for a circle */
  readonly geometry: Readonly<Record<string, unknown>> | null;
  /** whether a place is in it */
  contains(place: LatLng): boolean;
  readonly quiet?: boolean;
}

/** A zone, a hazard or a closure as the map draws it: shapes on the ground, and a sign. */
export interface MapSign {
  readonly id: string;
  /** where its sign stands */
  readonly lat: number;
  readonly lng: number;
  /** beside the sign */
  readonly text: string;
  readonly glyph: SignGlyph;
  readonly active: boolean;
  /** GeoJSON; a circle is a point with `radius_dist` in meters */
  readonly shapes: readonly Schemas['Feature'][];
  /** whether a place is in one of the shapes */
  contains(place: LatLng): boolean;
  readonly quiet?: boolean;
}

/** A closure as the map draws it: a line in the direction of traffic, and a sign at its middle. */
export interface MapClosure extends MapSign {
  /** the line's [longitude, latitude] */
  readonly line: readonly (readonly [number, number])[];
  /** west, south, east and north of the line */
  readonly box: readonly [number, number, number, number];
}

/** Where an asset was at the instant of a clock that is not the map's own. */
export interface MapHead {
  readonly id: string;
  readonly lat: number;
  readonly lng: number;
  /** which of the colors of trips */
  readonly color: TripColor;
  readonly letter: string;
  /** degrees clockwise from north; null for none, or while it stands */
  readonly course: number | null;
  /** Why nothing is known of the instant: it stands where it was seen last. '' where it is known. */
  readonly unknown: string;
}

export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

/** A line that the map marks for a while, below the shape that is drawn. */
export interface MarkedLine {
  readonly points: readonly LatLng[];
  /** it is pointed at */
  readonly isHot: boolean;
  /** the line of something else, not a stretch of what is drawn */
  readonly isOther?: boolean;
}

/** south-west and north-east corner. */
export interface LatLngBounds {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** One line of a card: a quiet label and its value. */
export interface CardLine {
  readonly label: string;
  readonly value: string;
  /** Drawn fainter: an asset that has left. */
  readonly past?: boolean;
}

/** A card of something hovered, selected or pinned. The giver says the words, the map draws them. */
export interface CardContent {
  readonly title: string;
  readonly subtitle?: string;
  /** At the right edge of the head: hh:mm:ss since the start. */
  readonly aside?: string;
  /** "Responding", "On-Scene"… in the color of an asset's status. */
  readonly statusText?: string;
  /** A word in a frame beside the status ("Test Mode"). */
  readonly tag?: string;
  /** Only the lines that apply. */
  readonly lines: readonly CardLine[];
  /** The lines are a list that may be long: it scrolls. */
  readonly isList?: boolean;
  /** Copy and Go: the way there by a navigation app. */
  readonly directions?: boolean;
  /** The address of its screen, where a click on its mark opens the card alone. */
  readonly path?: string;
}

/**
 * Words for the cards of a noun's row ("asset", or a layer's kind), asked again once a second while a card is open and
 * after each batch. `now` is server time. null closes the card.
 */
export type CardSource = (kind: string, id: string, now: number) => CardContent | null;

/** What a map type is made of (GET /api/map/config: `map_type` of a provider). */
export type MapRole = Schemas['MapProvider']['map_type'];

export interface MapProvider {
  readonly id: string;
  readonly title: string;
  /** style: url of a MapLibre style; raster: url template with {z}/{x}/{y}. */
  readonly kind: Schemas['MapProvider']['kind'];
  readonly role: MapRole;
  readonly url: string;
  readonly attribution: string;
  readonly maxZoom: number;
}

/** Where the built-in tiles are and what is offered beside them. */
export interface MapConfig {
  readonly base: { readonly tiles: string; readonly maxZoom: number; readonly attribution: string };
  /** null until a region was imported. */
  readonly region: {
    readonly tiles: string;
    readonly maxZoom: number;
    readonly attribution: string;
    readonly bounds: LatLngBounds | null;
  } | null;
  readonly providers: readonly MapProvider[];
  /** The server tells the what3words address of a place. */
  readonly hasWords: boolean;
  /** The server knows the roads of a region by name. */
  readonly hasRoads: boolean;
}

export type ThemeName = 'dark' | 'light';

/** Room that panels cover, in CSS px: the camera keeps selected things out of it. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface MapView {
  /** The middle of the canvas, panels or not. */
  readonly center: LatLng;
  /** The middle of what panels leave of it. */
  readonly middle: LatLng;
  readonly zoom: number;
  readonly bounds: LatLngBounds;
}

/** A small sentence over the map; the user can close it. */
export interface MapNotice {
  readonly code: 'provider_unreachable' | 'geolocation' | 'unloaded';
  readonly text: string;
}

export type FindMeState = 'off' | 'asking' | 'on';

/** One choice of the type control. */
export interface MapTypeOption {
  /** 'builtin' or a provider's id. */
  readonly id: string;
  readonly title: string;
  readonly role: MapRole;
}

/** A card that stands open on the map. */
export interface OpenCard {
  /** "asset", or the kind of a layer */
  readonly kind: string;
  readonly id: string;
  readonly pinned: boolean;
  /** open for no other reason than that its row is selected: the panel says the same */
  readonly onlySelected: boolean;
}

/** A pin on a place: what it is called, if that is known, and the town it is near to. */
export interface FoundPin extends LatLng {
  readonly label?: string;
  readonly near?: string;
}

/** A row of the organization that a search finds by its name, and the address of its screen. */
export interface OwnRow {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly path: string;
}

/** An entry of the context menu: what begins at a place. */
export interface PlaceItem {
  readonly label: string;
  readonly Icon: ComponentType;
  /** the card of a pin offers it as well */
  readonly isOfPins: boolean;
  readonly act: (place: LatLng) => void;
}

/** The context menu: where on the stage (CSS px) and for which place. */
export interface OpenMenu {
  readonly x: number;
  readonly y: number;
  readonly place: LatLng;
}

/** A place that someone moves, within a circle. */
export interface PlaceHandle {
  /** what is moved: "Incident" */
  readonly label: string;
  /** the middle of the circle that it stays in, and its radius in meters; null: it may be moved anywhere */
  readonly origin: LatLng;
  readonly withinM: number | null;
  /** where it is now */
  readonly place: LatLng;
  /** which way the traffic goes there, degrees clockwise from north; null where that is not known */
  readonly heading: number | null;
  onMove(place: LatLng): void;
}

/** What the controls show; a new object on each change (useSyncExternalStore). */
export interface MapState {
  /**
   * unloaded: the map's own files could not be had, another attempt follows by itself;
   * unsupported: no WebGL2; the stage shows the notice instead of a map.
   */
  readonly phase: 'loading' | 'ready' | 'unloaded' | 'unsupported';
  /** Unsupported is new: there was a map, and the browser gives it no graphics any more. */
  readonly hadMap: boolean;
  /** A first place is on its way: the map stays covered. */
  readonly expectsPlace: boolean;
  readonly zoom: number;
  /** Types on offer; the control shows only when there are two or more. */
  readonly types: readonly MapTypeOption[];
  readonly type: string;
  readonly attribution: readonly string[];
  readonly following: boolean;
  readonly density: boolean;
  readonly finderOpen: boolean;
  readonly findMe: FindMeState;
  readonly notice: MapNotice | null;
  readonly selected: string | null;
  readonly pinned: readonly string[];
  readonly cards: readonly OpenCard[];
  /** What stands in the free room beside the assets: most important first. */
  readonly places: readonly Hit[];
  /** Assets that have just come on scene: their marks pulse. */
  readonly pulsing: readonly string[];
  readonly menu: OpenMenu | null;
  /** Where the user is, after find-me. */
  readonly me: LatLng | null;
  /** The place that was searched for or asked about; its pin stays until it is removed. */
  readonly found: FoundPin | null;
  /** The place that is being moved. */
  readonly handle: PlaceHandle | null;
  /** The place that a form would use, marked by a cross: the middle of what is seen, or another one. */
  readonly aim: 'middle' | LatLng | null;
  /** A form draws, moves or aims at something: cards leave it the room. */
  readonly isPlacing: boolean;
  /** The server tells the what3words address of a place. */
  readonly hasWords: boolean;
  /** The server knows the roads of a region by name. */
  readonly hasRoads: boolean;
}

/** What the map tells: the listener gets the payload. */
export interface MapEvents {
  /** A click or tap on an asset's mark. */
  assetclick: { readonly id: string };
  /** A click or tap on another noun's row; its card opens as well. */
  rowclick: { readonly kind: string; readonly id: string };
  /** The link of a card to its screen. */
  cardlink: { readonly path: string };
  /** A click on empty map. */
  mapclick: LatLng;
  /** Pointer over an asset; null when it left. */
  assethover: { readonly id: string | null };
  /** After each movement of the camera to another place, when it rests. */
  view: MapView;
  /** After the middle of what is seen has come to rest elsewhere: the map was moved, or a panel. */
  middle: LatLng;
  /** The user moved the map by hand while following: following is off now. */
  followend: null;
  ready: null;
}

/** The live picture of the assets on the map. */
export interface AssetsLayer {
  /** One flush of the stream; costs O(changed) plus O(all) typed-array culling. */
  apply(batch: AssetBatch): void;
  /**
   * The filter changed: asks for each asset whether it is displayed; null displays none until the next filter.
   * Batches bring their own answer, so that no asset is looked up by its id while it moves.
   */
  setFilter(shows: ((id: string, row: number) => boolean) | null): void;
  /** Dims all marks: the stream is down and the picture is only "as of". */
  setDimmed(dimmed: boolean): void;
  /** The map is about something else: what alerts as its daily work is not to be taken for that. */
  setBehind(behind: boolean): void;
  readonly size: number;
}

/** The map as the other rooms use it; one object per page, outside React. */
export interface MapControl {
  readonly assets: AssetsLayer;
  /** What stands on the map of a noun, all of it (layers/). */
  setRows<Row extends MapRow>(layer: MapLayer<Row>, rows: readonly Row[]): void;
  /** Assets of a playback, many times a second: they stand above the map, which is not drawn again for them. */
  setHeads(heads: readonly MapHead[]): void;
  setCards(source: CardSource | null): void;
  setConfig(config: MapConfig): void;
  setTheme(theme: ThemeName): void;
  setType(id: string): void;
  setInsets(insets: Insets): void;
  setDensity(on: boolean): void;
  /** Rings the asset (or another noun's row) and keeps it out of the covered room; pan: move to it when it is not well in view. */
  select(id: string | null, options?: { readonly pan?: boolean }): void;
  /** Follow the selected asset (zoom 16.25 at least) until the user moves the map. */
  follow(on: boolean): void;
  /** Goes on with something that is none of the assets and moves, gliding so long (as `follow` does); null: no more. */
  keepUp(place: LatLng | null, glideMs?: number): void;
  pin(id: string, on: boolean): void;
  /** Recent fixes of the selected asset, oldest first; null or fewer than two: no trail. */
  setTrail(points: readonly LatLng[] | null): void;
  /** Marks lines, such as where a closure that is drawn overlaps others; none: no marks. */
  setMarked(lines: readonly MarkedLine[]): void;
  /** Fits everything that is displayed (padding 50 px, zoom at most 17). */
  showAll(): void;
  fitBounds(bounds: LatLngBounds): void;
  /** Keeps the map covered until it goes somewhere for the first time; false: where it stands is right. */
  expectPlace(on: boolean): void;
  goTo(place: LatLng, zoom?: number): void;
  zoomIn(): void;
  zoomOut(): void;
  findMe(): void;
  toggleFinder(): void;
  /** Pins a place that was searched for, and goes there; null removes the pin. */
  find(place: FoundPin | null): void;
  /** Lets someone move a place within a circle, by pointer and by keys; null ends that. */
  setHandle(handle: PlaceHandle | null): void;
  /** Marks the place that a form would use; null ends that. */
  aim(at: 'middle' | LatLng | null): void;
  /** Pins a place where it is seen. */
  pinPlace(place: LatLng): void;
  /** Opens an asset as a click on its mark does. */
  openAsset(id: string): void;
  dismissNotice(): void;
  /** Draws a circle, polygon or line until it is destroyed; until then pointers do nothing else on the map. */
  openDrawing(options: DrawOptions): Promise<Drawing>;
  /** Tries at once to load a map that could not be loaded. */
  retry(): void;
  /** Opens the context menu at a point of the stage, or closes it. */
  openMenu(menu: OpenMenu | null): void;
  view(): MapView | null;
  on<E extends keyof MapEvents>(event: E, listener: (payload: MapEvents[E]) => void): () => void;
  subscribe(listener: () => void): () => void;
  getState(): MapState;
}
