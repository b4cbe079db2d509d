import { isBehind, streamStore } from '~/live';
import type { MapLayer, MapRow } from '~/map/layers/layer';
import type { CardContent, MapControl } from '~/map/types';
import { homeOf, preferences } from '~/session';
import { type FirstLookParts, firstLook } from './firstLook';
import { mapHolder, selection } from './view';

/** A noun that a section puts on the map: where its rows come from, what its cards say, where a click leads. */
export interface MapNoun {
  /** "asset", or the kind of its layer; ids are unique across all nouns */
  readonly kind: string;
  /** how the map draws it; assets have the map's own */
  readonly layer?: MapLayer<MapRow>;
  /** It stays on the map while another section is shown. */
  readonly stays?: boolean;
  /** How it stays there where it is not what the section is about; without it, unchanged. */
  readonly behind?: MapNoun;
  /**
   * Puts its rows on the map now and keeps them so; `changed` is to be called after each later change, with `anew` when
   * all rows are those of another picture. Returns the way to stop.
   */
  bind(map: MapControl, changed: (anew?: boolean) => void): () => void;
  /** Whether the row is on the map, or hidden there: a screen may be opened before its row has come. */
  has(id: string): boolean;
  /** What its card says now (server time, ms); null closes the card. */
  card?(id: string, now: number): CardContent | null;
  /** The address that a click on the map leads to; without one it opens the card. */
  path?(id: string): string;
  /** The address that its card leads to, where a click does not. */
  detail?(id: string): string;
}

/** What the map is bound to beside the nouns; tests give their own. */
export interface MapParts extends FirstLookParts {
  readonly go: (path: string) => void;
  /** whether the user may go there on this screen; without it, anywhere */
  readonly mayGo?: (path: string) => boolean;
}

export interface BoundMap {
  /** From now on these nouns stand on the map: others go, new ones come, the rest is left as it is. */
  show(nouns: readonly MapNoun[]): void;
  end(): void;
}

/** The parts of the page; `go` navigates. */
export const mapParts = (go: MapParts['go'], mayGo: (path: string) => boolean): MapParts => ({
  go,
  mayGo,
  stream: streamStore,
  home: homeOf,
});

/**
 * Binds the map to whatever sections show on it: their rows, the words of the cards, the selection and where clicks
 * lead; and to what holds for all: dimming while the stream is lost, the density view, and the first look at an
 * organization.
 */
export function bindMap(map: MapControl, parts: MapParts): BoundMap {
  const bound = new Map<MapNoun, () => void>();
  const nounOf = (kind: string) => [...bound.keys()].find(noun => noun.kind === kind);
  const chosen = bindSelection(map, id => [...bound.keys()].some(noun => noun.has(id)));
  const look = firstLook(map, parts, chosen.awaits);
  let isBinding = false;
  const changed = (anew = false) => {
    if (isBinding) return; // what is selected is not known yet: it is looked at once all are bound
    look.changed(anew);
    chosen.changed();
  };
  const open = (kind: string, id: string) => {
    const path = nounOf(kind)?.path?.(id);
    if (path) parts.go(path);
  };
  const cardOf = (kind: string, id: string, now: number): CardContent | null => {
    const noun = nounOf(kind);
    const card = noun?.card?.(id, now) ?? null;
    const path = noun?.detail?.(id);
    return card && path && (parts.mayGo?.(path) ?? true) ? { ...card, path } : card;
  };
  const showStream = () => map.assets.setDimmed(isBehind(parts.stream.get()));
  const showDensity = () => map.setDensity(preferences.get().densityView);
  showStream();
  showDensity();
  const offs = [
    look.end,
    chosen.end,
    parts.stream.subscribe(showStream),
    preferences.subscribe(showDensity),
    map.on('assetclick', ({ id }) => open('asset', id)),
    map.on('rowclick', ({ kind, id }) => open(kind, id)),
    map.on('cardlink', ({ path }) => parts.go(path)),
  ];
  mapHolder.set(map);
  return {
    show(nouns) {
      for (const [noun, stop] of bound) {
        if (nouns.includes(noun)) continue;
        stop();
        bound.delete(noun);
        if (noun.layer) map.setRows(noun.layer, []);
      }
      isBinding = true;
      for (const noun of nouns) if (!bound.has(noun)) bound.set(noun, noun.bind(map, changed));
      isBinding = false;
      map.setCards(cardOf);
      chosen.begin();
      look.begin();
    },
    end() {
      for (const off of [...offs, ...bound.values()]) off();
      map.setCards(null);
      mapHolder.set(null);
    },
  };
}

/** The map shows as selected what the open screen is about. A row that has not come yet is panned to when it does. */
function bindSelection(map: MapControl, has: (id: string) => boolean) {
  let shown: string | null = null;
  let awaited: string | null = null;
  const choose = (id: string | null) => {
    shown = id;
    awaited = id !== null && !has(id) ? id : null;
    map.select(id, { pan: id !== null });
  };
  const follow = () => {
    const { selected } = selection.get();
    if (selected !== shown) choose(selected);
  };
  const changed = () => {
    if (awaited !== null && has(awaited)) choose(awaited);
  };
  let off = selection.subscribe(follow);
  return {
    begin: () => {
      // After the nouns have heard it: one that draws little else draws what is selected then, and it has a place.
      off();
      off = selection.subscribe(follow);
      follow();
      changed();
    },
    changed,
    awaits: () => awaited !== null,
    end: () => off(),
  };
}
