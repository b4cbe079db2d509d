import type { Feature } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { CardSide } from '../placing';
import type { MapTokens } from '../tokens';
import type { LatLng } from '../types';

/** CSS px that a degree takes at a place of the map, and the zoom that this is at. */
export interface PxScale {
  readonly zoom: number;
  readonly perLng: number;
  readonly perLat: number;
}

/** How a row is drawn at the moment. */
export interface Drawn {
  readonly selected: boolean;
  /** the picture is only "as of" */
  readonly faint: boolean;
}

/** Something that stands on the map. Ids are unique across all nouns. */
export interface MapRow {
  readonly id: string;
  /** It stands behind what the map is about: thin and in muted colors, and Show All does not look for it. */
  readonly quiet?: boolean;
}

/**
 * How the map shows a noun: one file a noun, one line in `layers/index.ts`. Source, hit testing, cards, pins and the
 * selection follow from it. The rows come from whoever has them (`MapControl.setRows`), the words of a card from the
 * card source.
 */
export interface MapLayer<Row extends MapRow> {
  /** the noun, in the singular: "location"; its GeoJSON source is `app-location` */
  readonly kind: string;
  /** where a card stands by its row */
  readonly cardSide: CardSide;
  /** What MapLibre draws from the source, bottom to top. Ids begin with the source's. */
  styles(source: string, tokens: MapTokens): LayerSpecification[];
  /** What is drawn above the assets too, as `styles`. */
  above?(source: string, tokens: MapTokens): LayerSpecification[];
  /** What no name may lie on, as `styles`: it is placed before all names, and nothing of it is seen. */
  room?(source: string, tokens: MapTokens): LayerSpecification[];
  /** What is drawn of a row: one feature, or its shapes besides. */
  feature(row: Row, drawn: Drawn): Feature | readonly Feature[];
  /** where the camera goes and a card points to */
  place(row: Row): LatLng;
  /** CSS px between a place and the edge of the row's drawing; below 0 within it */
  distancePx(row: Row, at: LatLng, scale: PxScale): number;
  /** Which goes first where several lie under the pointer: the higher, then the nearer. */
  rank(row: Row): number;
  /** Whether the row's own number says how many assets are at a place: they say no other beside it. */
  counts?(row: Row, at: LatLng, scale: PxScale): boolean;
}

/** From here on signs have names; assets, which are many, from a little nearer. */
export const NAMES_FROM_ZOOM = 12;

/** Where a name may stand by what it names, best first: beside a road in any direction one of them is free. */
export const NAME_SIDES = [
  'top',
  'bottom',
  'left',
  'right',
  'top-left',
  'bottom-left',
  'top-right',
  'bottom-right',
] as const;

/** The GeoJSON source of a noun. */
export const sourceOf = (layer: { readonly kind: string }): `app-${string}` => `app-${layer.kind}`;

/** A property of features that are not drawn now. */
export const HIDDEN = 'hidden';

const SHOWN: ExpressionSpecification = ['!=', ['get', HIDDEN], true];

/** What MapLibre draws of a noun, below the assets or above them, or keeps free of names, without what is hidden. */
export const stylesOf = (
  layer: MapLayer<MapRow>,
  tokens: MapTokens,
  where: 'styles' | 'above' | 'room' = 'styles',
): LayerSpecification[] =>
  (layer[where]?.(sourceOf(layer), tokens) ?? []).map(style => {
    if (style.type === 'background') return style;
    const filter = style.filter ? (['all', style.filter, SHOWN] as ExpressionSpecification) : SHOWN;
    return { ...style, filter } as LayerSpecification;
  });
