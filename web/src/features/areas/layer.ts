import { liveStore, useRows } from '~/live';
import { areaLayer } from '~/map/layers/area';
import { areaFamily } from '~/map/layers/areaGlyph';
import type { LatLng, MapArea } from '~/map/types';
import { type Area, passesArea } from '~/model/area';
import { boxOf, contains } from '~/model/areaShape';
import { type FoundRow, rowsHolding } from '~/section/find';
import type { SectionLayer } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { SectionMap } from '~/section/section';
import { foldedStations, selection } from '~/section/view';
import { preferences } from '~/session';
import { LayerMark } from './AreaMark';
import { CoverChip } from './CoverChip';
import { areaCard } from './cards';
import { AREAS } from './noun';
import { followStanding, standingIn, subscribeStanding } from './standing';
import { areasView } from './view';
import { kindText } from './words';

/** The live picture as the map needs it; tests give their own. */
export type AreaStore = Pick<typeof liveStore, 'of'>;

/**
 * Areas on the map. In their own section they are those of the list, and the one that is open; elsewhere, in station
 * view, the active stations, each of which stands for what is at it until its card is pinned. As a layer they are all
 * active ones, in the background but for those stations.
 */
export const areasOn = (store: AreaStore = liveStore, isLayer = false): MapNoun => ({
  kind: areaLayer.kind,
  layer: areaLayer,
  stays: true,
  has: id => store.of('area').get(id) !== undefined,
  ...(isLayer ? { detail: AREAS.detail } : { path: AREAS.detail }),
  card: id => {
    const area = store.of('area').get(id);
    return area ? areaCard(area) : null;
  },
  bind(map, changed) {
    const { list, subscribe } = store.of('area');
    let drawn = new Map<string, Drawn>();
    let pinned = map.getState().pinned;
    const fold = (rows: ReadonlyMap<string, Drawn>, isOn: boolean) => {
      const now = new Set<string>();
      if (isOn)
        for (const { area } of rows.values())
          if (area && isFolding(area) && !pinned.includes(area.id)) now.add(area.id);
      const before = foldedStations.get();
      if (now.size !== before.size || [...now].some(id => !before.has(id))) foldedStations.set(now);
    };
    const show = () => {
      const { draft, screens, ...filter } = areasView.get();
      const { selected } = selection.get();
      const { stationView } = preferences.get();
      const next = new Map<string, Drawn>();
      for (const area of list()) {
        if (area.id === draft?.id) continue;
        const isStation = stationView && isFolding(area);
        const isQuiet = isLayer && !isStation;
        const isWanted = isLayer ? area.isActive : screens === 0 ? isStation : passesArea(area, filter);
        if (!isWanted && area.id !== selected) continue;
        const units = standingIn(area.id).size;
        const was = drawn.get(area.id);
        const isSame = was?.area === area && was.row.units === units && was.row.quiet === isQuiet;
        // A row that says the same stays the same object: the map draws only the others again.
        next.set(area.id, isSame ? was : { area, row: knownRow(area, units, isQuiet) });
      }
      if (draft?.row) {
        const was = drawn.get(draft.id);
        next.set(draft.id, was?.row === draft.row ? was : { row: draft.row });
      }
      fold(next, stationView);
      const isSame = next.size === drawn.size && [...next].every(([id, one]) => drawn.get(id) === one);
      if (isSame) return;
      drawn = next;
      map.setRows(
        areaLayer,
        [...next.values()].map(({ row }) => row),
      );
      changed();
    };
    const unfollow = followStanding();
    show();
    const offs = [
      unfollow,
      subscribe(show),
      subscribeStanding(show),
      areasView.subscribe(show),
      selection.subscribe(show),
      preferences.subscribe(show),
      map.subscribe(() => {
        const now = map.getState().pinned;
        if (now === pinned) return;
        pinned = now;
        fold(drawn, preferences.get().stationView);
      }),
    ];
    return () => {
      for (const off of offs) off();
      foldedStations.set(new Set());
    };
  },
});

const layer: SectionLayer = {
  id: 'areas',
  label: 'Areas',
  Mark: LayerMark,
  noun: areasOn(liveStore, true),
  useCount: () => useRows('area').filter(area => area.isActive).length,
};

/** What the section brings to the map. */
export const areasOnMap: SectionMap = { nouns: [areasOn()], Chip: CoverChip, layer, find: findAreas };

/** Areas by name. */
export function findAreas(search: string, store: AreaStore = liveStore): readonly FoundRow[] {
  const found = rowsHolding(store.of('area').list(), search, area => [area.name]);
  return found.map(area => ({ id: area.id, label: area.name, hint: kindText(area), path: AREAS.detail(area.id) }));
}

/** Assets are matched with it, and it is shown as a station. */
const isFolding = (area: Area): boolean => area.isStation && area.isActive && area.geometry?.type !== 'LineString';

interface Drawn {
  /** none: what is being drawn */
  readonly area?: Area;
  readonly row: MapArea;
}

const known = new WeakMap<Area, MapArea>();

/** A search takes thousands away and brings them back: their rows are the same then, and what the map made of them. */
function knownRow(area: Area, units: number, quiet: boolean): MapArea {
  const was = known.get(area);
  if (was?.units === units && was.quiet === quiet) return was;
  // A large area would be under the pointer everywhere: in the background only its marker opens its card.
  const row = { ...rowOf(area, units), quiet, ...(quiet && { contains: () => false }) };
  known.set(area, row);
  return row;
}

export function rowOf(area: Area, units: number): MapArea {
  const { id, lat, lng, name, isActive, radius, geometry } = area;
  const [west, south, east, north] = boxOf(area);
  const isNear = (at: LatLng) => at.lng >= west && at.lng <= east && at.lat >= south && at.lat <= north;
  return {
    id,
    lat,
    lng,
    name,
    family: areaFamily(area),
    active: isActive,
    units,
    radiusM: radius,
    geometry,
    contains: at => isNear(at) && contains(area, at),
  };
}
