import type { ComponentType } from 'react';
import { serverClock } from '~/lib/clock';
import type { MapLayer } from '~/map/layers/layer';
import type { CardContent, MapSign } from '~/map/types';
import type { Instant } from '~/model/instant';
import type { LayerId } from '~/session';
import type { MapNoun } from './map';
import { followSigns, signCache } from './signRows';

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
  readonly sign: (row: Row) => Sign;
  readonly card: (row: Row, now: Instant) => CardContent;
  readonly path: (id: string) => string;
  /** changes when time alone makes rows stand or not */
  readonly turn: (rows: readonly Row[], now: Instant) => string;
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
  const standing = (id: string, now: Instant): Row | undefined => {
    const row = rows.get(id);
    return row && stands(row, now) ? row : undefined;
  };
  return {
    kind: layer.kind,
    layer: layer as unknown as MapLayer<MapSign>,
    has: id => standing(id, serverClock.now()) !== undefined,
    detail: path,
    card: (id, now) => {
      const row = standing(id, now);
      return row ? card(row, now) : null;
    },
    bind(map, changed) {
      const signs = signCache((row: Row) => ({ ...sign(row), quiet: true, contains: () => false }));
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
