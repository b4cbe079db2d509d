import type { ComponentType } from 'react';
import { serverClock } from '~/lib/clock';
import { useAtNow, useRows } from '~/live';
import type { MapLayer } from '~/map/layers/layer';
import type { CardContent, MapSign } from '~/map/types';
import type { Instant } from '~/model/instant';
import type { LayerId } from '~/session';
import type { ListedType, Listing } from './listing';
import type { MapNoun } from './map';
import type { RowOf } from './nounRow';
import { followSigns, signCache } from './signRows';
import { selection } from './view';
import { currentWords } from './words';

/**
 * A layer: what a section puts behind the assets on the maps of the live sections, once somebody has switched it on. It
 * shows what is so now, whatever the filters of its own section show.
 */
export interface SectionLayer {
  readonly id: LayerId;
  /** its rows, in the plural: "Closures" */
  readonly label: string;
  /** how one of them looks there */
  readonly Mark: ComponentType;
  readonly noun: MapNoun;
  /** how many of them there are now */
  readonly useCount: () => number;
}

/** The live rows that a layer of signs draws. */
interface LayerRows<Row> {
  list(): readonly Row[];
  get(id: string): Row | undefined;
  subscribe(listener: () => void): () => void;
}

export interface SignsOf<Row extends { readonly id: string }, Sign extends MapSign> {
  readonly layer: MapLayer<Sign>;
  readonly rows: LayerRows<Row>;
  /** whether it is so at an instant, by the noun's law */
  readonly stands: (row: Row, now: Instant) => boolean;
  readonly sign: (row: Row, isActive: boolean) => Sign;
  readonly card: (row: Row, now: Instant) => CardContent;
  readonly path: (id: string) => string;
  /** changes when time alone makes rows stand or not */
  readonly turn: (rows: readonly Row[], now: Instant) => string;
}

interface OwnSigns<Type extends ListedType, View extends object, Sign extends MapSign>
  extends SignsOf<RowOf<Type>, Sign> {
  readonly shown: Listing<Type, View>;
  /** whether the map can show it; else it can any */
  readonly isDrawable?: (row: RowOf<Type>, now: Instant) => boolean;
  /** whether it is on the map though no screen is about it; else all of the list are */
  readonly isListed?: (row: RowOf<Type>, now: Instant) => boolean;
  /** what is being drawn: its own row gives way, to what is not drawn of it at the moment or to nothing */
  readonly draft?: (view: View) => { readonly id: string; readonly row?: MapSign | null } | null;
}

const always = () => true;

/** How many rows of a noun stand now. */
export function useActiveCount<Type extends ListedType>(
  type: Type,
  stands: (row: RowOf<Type>, now: Instant) => boolean,
) {
  const rows = useRows(type);
  return useAtNow(now => rows.filter(row => stands(row, now)).length);
}

/** What a row's sign and card need of it, while `holds` is true of it. */
const holding =
  <Row>(rows: LayerRows<Row>, holds: (row: Row, now: Instant) => boolean) =>
  (id: string, now = serverClock.now()): Row | undefined => {
    const row = rows.get(id);
    return row && holds(row, now) ? row : undefined;
  };

/** The noun of a section of signs: those of its list, and the one that is open. */
export function signsOn<Type extends ListedType, View extends object, Sign extends MapSign>(
  noun: OwnSigns<Type, View, Sign>,
): MapNoun {
  const { layer, rows, shown, stands, sign, card, path, turn, isDrawable = always, isListed = always, draft } = noun;
  const { view } = shown.section;
  const drawable = holding(rows, isDrawable);
  const listed = holding(rows, isListed);
  return {
    kind: layer.kind,
    layer: layer as unknown as MapLayer<MapSign>,
    has: id => drawable(id) !== undefined,
    path,
    card: (id, now) => {
      const row = drawable(id, now);
      return row ? card(row, now) : null;
    },
    bind(map, changed) {
      const signs = signCache(sign);
      const read = () => {
        const now = serverClock.now();
        const drawing = draft?.(view.get());
        const { selected } = selection.get();
        const all = shown.ids(rows.list(), view.get(), now, currentWords().timeZone);
        const ids = new Set(all.filter(id => listed(id, now)));
        if (selected) ids.add(selected);
        if (drawing) ids.delete(drawing.id);
        const drawn: MapSign[] = [...ids].flatMap(id => {
          const row = drawable(id, now);
          return row ? [signs(row, stands(row, now))] : [];
        });
        return drawing?.row ? [...drawn, drawing.row] : drawn;
      };
      const follows = [rows.subscribe, view.subscribe, selection.subscribe];
      return followSigns(map, layer as never, read, changed, follows, () => turn(rows.list(), serverClock.now()));
    },
  };
}

/** The noun of a layer of signs. A large shape would be under the pointer everywhere: only the sign opens its card. */
export function signsBehind<Row extends { readonly id: string }, Sign extends MapSign>({
  layer,
  rows,
  stands,
  sign,
  card,
  path,
  turn,
}: SignsOf<Row, Sign>): MapNoun {
  const standing = holding(rows, stands);
  return {
    kind: layer.kind,
    layer: layer as unknown as MapLayer<MapSign>,
    has: id => standing(id) !== undefined,
    detail: path,
    card: (id, now) => {
      const row = standing(id, now);
      return row ? card(row, now) : null;
    },
    bind(map, changed) {
      const signs = signCache((row: Row) => ({ ...sign(row, true), quiet: true, contains: (): boolean => false }));
      const read = () => {
        const now = serverClock.now();
        return rows
          .list()
          .filter(row => stands(row, now))
          .map(row => signs(row, true));
      };
      return followSigns(map, layer, read, changed, [rows.subscribe], () => turn(rows.list(), serverClock.now()));
    },
  };
}
