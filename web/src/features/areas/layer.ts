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
import { followSigns } from '~/section/signRows';
import { foldedStations, selection } from '~/section/view';
import { preferences } from '~/session';
import { LayerMark } from './AreaMark';
import { assetsIn, followAssetsIn, subscribeAssetsIn } from './assetsIn';
import { CoverChip } from './CoverChip';
import { areaCard } from './cards';
import { AREAS } from './noun';
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
    const rowFor = rowCache();
    const pinned = () => map.getState().pinned;
    const isStation = (area: Area) => preferences.get().stationView && isFolding(area);
    let shown: readonly Area[] = [];
    const fold = () => {
      const stations = shown.filter(area => isStation(area) && !pinned().includes(area.id));
      const before = foldedStations.get();
      const isSame = stations.length === before.size && stations.every(({ id }) => before.has(id));
      if (!isSame) foldedStations.set(new Set(stations.map(({ id }) => id)));
    };
    const read = () => {
      const { draft, screens, ...filter } = areasView.get();
      const { selected } = selection.get();
      const isWanted = (area: Area) =>
        isLayer ? area.is_active : screens === 0 ? isStation(area) : passesArea(area, filter);
      shown = list().filter(area => area.id !== draft?.id && (isWanted(area) || area.id === selected));
      fold();
      // A row that says the same stays the same object: the map draws only the others again.
      const rows = shown.map(area => rowFor(area, assetsIn(area.id).size, isLayer && !isStation(area)));
      return draft?.row ? [...rows, draft.row] : rows;
    };
    const unfollow = followAssetsIn();
    const views = [subscribeAssetsIn, areasView.subscribe, selection.subscribe, preferences.subscribe];
    const stop = followSigns(map, areaLayer, read, changed, [subscribe, ...views], () => '');
    let before = pinned();
    const unpin = map.subscribe(() => {
      if (pinned() === before) return;
      before = pinned();
      fold();
    });
    return () => {
      for (const off of [unfollow, stop, unpin]) off();
      foldedStations.set(new Set());
    };
  },
});

const layer: SectionLayer = {
  id: 'areas',
  label: 'Areas',
  Mark: LayerMark,
  noun: areasOn(liveStore, true),
  useCount: () => useRows('area').filter(area => area.is_active).length,
};

/** What the section brings to the map. */
export const areasOnMap: SectionMap = { nouns: [areasOn()], Chip: CoverChip, layer, find: findAreas };

/** Areas by name. */
export function findAreas(search: string, store: AreaStore = liveStore): readonly FoundRow[] {
  const found = rowsHolding(store.of('area').list(), search, area => [area.name]);
  return found.map(area => ({ id: area.id, label: area.name, hint: kindText(area), path: AREAS.detail(area.id) }));
}

/** Assets are matched with it, and it is shown as a station. */
const isFolding = (area: Area): boolean => area.isStation && area.is_active && area.area_geom?.type !== 'LineString';

/** A search takes thousands away and brings them back: their rows are the same then, and what the map made of them. */
function rowCache() {
  const known = new WeakMap<Area, MapArea>();
  return (area: Area, units: number, quiet: boolean): MapArea => {
    const was = known.get(area);
    if (was?.units === units && was.quiet === quiet) return was;
    // A large area would be under the pointer everywhere: in the background only its marker opens its card.
    const row = { ...rowOf(area, units), quiet, ...(quiet && { contains: () => false }) };
    known.set(area, row);
    return row;
  };
}

export function rowOf(area: Area, units: number): MapArea {
  const { id, lat, lng, name, is_active, radius_dist: radius, area_geom: geometry } = area;
  const [west, south, east, north] = boxOf(area);
  const isNear = (at: LatLng) => at.lng >= west && at.lng <= east && at.lat >= south && at.lat <= north;
  return {
    id,
    lat,
    lng,
    name,
    family: areaFamily(area),
    active: is_active,
    units,
    radiusM: radius,
    geometry,
    contains: at => isNear(at) && contains(area, at),
  };
}
