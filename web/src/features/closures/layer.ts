import { Construction } from 'lucide-react';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { closureLayer } from '~/map/layers/closure';
import { closureGlyph } from '~/map/layers/closureSign';
import type { MapClosure } from '~/map/types';
import { type Closure, isClosureActive, isClosureEnded, lineOf } from '~/model/closure';
import { type FoundRow, rowsHolding } from '~/section/find';
import { type SectionLayer, signsBehind, signsOn, useActiveCount } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { PlaceAction, SectionMap } from '~/section/section';
import { currentWords } from '~/section/words';
import { LayerMark } from './ClosureMark';
import { closureCard } from './cards';
import { CLOSURES } from './noun';
import { hasLine, isActiveNow, SHOWN } from './shown';
import { timeText, whenText } from './words';

/** The live picture as the map needs it; tests give their own. */
export type ClosureStore = Pick<typeof liveStore, 'of'>;

const closuresOf = (store: ClosureStore) => ({
  layer: closureLayer,
  rows: store.of('closure'),
  sign: signOf,
  path: CLOSURES.detail,
});

/** Closures on the map: those of the list that have not ended, and the one that is open. */
export const closuresOn = (store: ClosureStore = liveStore): MapNoun =>
  signsOn({
    ...closuresOf(store),
    shown: SHOWN,
    stands: isClosureActive,
    isDrawable: hasLine,
    isListed: (closure, now) => !isClosureEnded(closure, now),
    draft: ({ draft }) => (draft === null ? null : { id: draft }),
    card: (closure, now) => closureCard(closure, currentWords(), now),
    // Boards are heard at any time: with one of them each instant may be another.
    turn: (rows, now) =>
      rows.some(({ closure_type: type }) => type === 'automated') ? String(now) : SHOWN.turn(rows, now),
  });

/** The closed roads of the live sections: one that is planned, or has ended, is none. */
export const closuresBehind = (store: ClosureStore = liveStore): MapNoun =>
  signsBehind({
    ...closuresOf(store),
    stands: isActiveNow,
    card: (closure, now) => {
      const words = currentWords();
      const card = closureCard(closure, words, now);
      const since = { label: 'Since', value: timeText(closure.start_time, words, now) };
      return { ...card, lines: [since, ...card.lines] };
    },
    turn: SHOWN.turn,
  });

const layer: SectionLayer = {
  id: 'closures',
  label: 'Closures',
  Mark: LayerMark,
  noun: closuresBehind(),
  useCount: () => useActiveCount('closure', isActiveNow),
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
  const found = rowsHolding(open, search, one => [one.description, one.road_name, one.external_id]);
  return found.map(closure => ({
    id: closure.id,
    label: closure.description,
    hint: ['Closure', whenText(closure, currentWords(), now)].filter(Boolean).join(' · '),
    path: CLOSURES.detail(closure.id),
  }));
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
    glyph: closureGlyph(closure.closure_type),
    text: closure.description,
    shapes: [{ type: 'Feature', geometry: { type: 'LineString', coordinates: line }, properties: {} }],
    contains: () => false,
    line,
    box: [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)],
  };
}
