import { Construction } from 'lucide-react';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { closureLayer } from '~/map/layers/closure';
import { closureGlyph } from '~/map/layers/closureSign';
import type { MapClosure } from '~/map/types';
import { type Closure, isClosureActive, isClosureEnded, lineOf } from '~/model/closure';
import { splitClosures } from '~/model/closureFilter';
import type { Instant } from '~/model/instant';
import { type FoundRow, rowsHolding } from '~/section/find';
import { type SectionLayer, signsBehind } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { PlaceAction, SectionMap } from '~/section/section';
import { followSigns, signCache } from '~/section/signRows';
import { selection } from '~/section/view';
import { currentWords } from '~/section/words';
import { LayerMark } from './ClosureMark';
import { closureCard } from './cards';
import { CLOSURES } from './noun';
import { dayOf, heardAt, standsNow, turnOf, useStandingCount } from './shown';
import { closuresView } from './view';
import { timeText, whenText } from './words';

/** The live picture as the map needs it; tests give their own. */
export type ClosureStore = Pick<typeof liveStore, 'of'>;

/** Closures on the map: those of the list that have not ended, and the one that is open. */
export const closuresOn = (store: ClosureStore = liveStore): MapNoun => ({
  kind: closureLayer.kind,
  layer: closureLayer,
  has: id => isDrawn(store, id),
  path: CLOSURES.detail,
  card: (id, now) => {
    const closure = store.of('closure').get(id);
    return closure ? closureCard(closure, currentWords(), now) : null;
  },
  bind(map, changed) {
    const { list, get, subscribe } = store.of('closure');
    const signs = signCache(signOf);
    const read = () => {
      const { draft, ...filter } = closuresView.get();
      const { selected } = selection.get();
      const now = serverClock.now();
      const shown = splitClosures(list(), filter, dayOf(now, currentWords().timeZone), heardAt).shown;
      const isWanted = (id: string) => id !== draft && (id === selected || !hasEnded(get(id), now));
      const ids = selected && get(selected) && !shown.includes(selected) ? [...shown, selected] : shown;
      return ids.filter(isWanted).flatMap(id => {
        const closure = get(id);
        return closure && lineOf(closure).length > 1 ? [signs(closure, isClosureActive(closure, now))] : [];
      });
    };
    const follows = [subscribe, closuresView.subscribe, selection.subscribe];
    return followSigns(map, closureLayer, read, changed, follows, () => mapTurn(list(), serverClock.now()));
  },
});

/** The closed roads of the live sections: one that is planned, or has ended, is none. */
export const closuresBehind = (store: ClosureStore = liveStore): MapNoun =>
  signsBehind({
    layer: closureLayer,
    rows: store.of('closure'),
    stands: standsNow,
    sign: closure => signOf(closure, true),
    card: (closure, now) => {
      const words = currentWords();
      const card = closureCard(closure, words, now);
      const since = { label: 'Since', value: timeText(closure.startTime, words, now) };
      return { ...card, lines: [since, ...card.lines] };
    },
    path: CLOSURES.detail,
    turn: turnOf,
  });

const layer: SectionLayer = {
  id: 'closures',
  label: 'Closures',
  Mark: LayerMark,
  noun: closuresBehind(),
  useCount: useStandingCount,
};

const here: PlaceAction = {
  label: 'Add closure here',
  Icon: Construction,
  requires: 'ADD_CLOSURE',
  onPhone: 'ADD_CLOSURE_MOBILE',
  isChange: true,
  path: CLOSURES.createAt,
};

/** What the section brings to the map. */
export const closuresOnMap: SectionMap = { nouns: [closuresOn()], layer, here, find: findClosures };

/** Closures that have not ended, by what is said of them, their road, or their id in feeds. */
export function findClosures(search: string, store: ClosureStore = liveStore): readonly FoundRow[] {
  const now = serverClock.now();
  const open = store
    .of('closure')
    .list()
    .filter(closure => !isClosureEnded(closure, now));
  const found = rowsHolding(open, search, one => [one.description, one.roadName, one.wzdxId]);
  return found.map(closure => ({
    id: closure.id,
    label: closure.description,
    hint: ['Closure', whenText(closure, currentWords(), now)].filter(Boolean).join(' · '),
    path: CLOSURES.detail(closure.id),
  }));
}

/** Boards are heard at any time: with one of them each instant may be another. */
const mapTurn = (rows: readonly Closure[], now: Instant): string =>
  rows.some(({ type }) => type === 'automated') ? String(now) : turnOf(rows, now);

const hasEnded = (closure: Closure | undefined, now: Instant): boolean =>
  closure === undefined || isClosureEnded(closure, now);

function isDrawn(store: ClosureStore, id: string): boolean {
  const closure = store.of('closure').get(id);
  return closure !== undefined && lineOf(closure).length > 1;
}

/** Half of the way along a line, by its parts' lengths. */
function middleOf(line: readonly { lat: number; lng: number }[]): { lat: number; lng: number } {
  const squeeze = Math.cos(((line[0]?.lat ?? 0) * Math.PI) / 180);
  const lengths = line.map((to, i) => {
    const from = line[i - 1] ?? to;
    return Math.hypot((to.lng - from.lng) * squeeze, to.lat - from.lat);
  });
  let left = lengths.reduce((sum, one) => sum + one, 0) / 2;
  for (let i = 1; i < line.length; i++) {
    const [from, to, length] = [line[i - 1], line[i], lengths[i] ?? 0];
    if (!from || !to) break;
    if (left <= length && length > 0) {
      const t = left / length;
      return { lat: from.lat + t * (to.lat - from.lat), lng: from.lng + t * (to.lng - from.lng) };
    }
    left -= length;
  }
  return line.at(-1) ?? { lat: 0, lng: 0 };
}

function signOf(closure: Closure, active: boolean): MapClosure {
  const points = lineOf(closure);
  const line = points.map(({ lat, lng }) => [lng, lat] as [number, number]);
  const lngs = points.map(point => point.lng);
  const lats = points.map(point => point.lat);
  return {
    id: closure.id,
    ...middleOf(points),
    active,
    glyph: closureGlyph(closure.type),
    text: closure.description,
    shapes: [{ type: 'Feature', geometry: { type: 'LineString', coordinates: line }, properties: {} }],
    contains: () => false,
    line,
    box: [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)],
  };
}
