import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { signGlyph } from '~/map/layers/signs';
import { zoneLayer } from '~/map/layers/zone';
import { boxAround, isWithin, middleOf } from '~/model/features';
import { countOf } from '~/model/format';
import type { Zone } from '~/model/zone';
import { isZoneActive, splitZones } from '~/model/zoneFilter';
import { type SectionLayer, signsBehind } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { SectionMap } from '~/section/section';
import { followSigns, signCache } from '~/section/signRows';
import { selection } from '~/section/view';
import { currentWords } from '~/section/words';
import { zoneCard } from './cards';
import { ZONES } from './noun';
import { turnOf, useStandingCount } from './shown';
import { zonesView } from './view';
import { statusText } from './words';
import { LayerMark } from './ZoneMark';

/** The live picture as the map needs it; tests give their own. */
export type ZoneStore = Pick<typeof liveStore, 'of'>;

/** Zones on the map: those of the list, and the one that is open. */
export const zonesOn = (store: ZoneStore = liveStore): MapNoun => ({
  kind: zoneLayer.kind,
  layer: zoneLayer,
  has: id => store.of('zone').get(id) !== undefined,
  path: ZONES.detail,
  card: (id, now) => {
    const zone = store.of('zone').get(id);
    return zone ? zoneCard(zone, currentWords(), now) : null;
  },
  bind(map, changed) {
    const { list, get, subscribe } = store.of('zone');
    const signs = signCache(signOf);
    const read = () => {
      const { draft, ...filter } = zonesView.get();
      const { selected } = selection.get();
      const now = serverClock.now();
      const shown = new Set(splitZones(list(), filter, now).shown);
      if (selected && get(selected)) shown.add(selected);
      if (draft) shown.delete(draft.id);
      const rows = [...shown].flatMap(id => {
        const zone = get(id);
        return zone ? [signs(zone, isZoneActive(zone, now))] : [];
      });
      return draft?.row ? [...rows, draft.row] : rows;
    };
    return followSigns(map, zoneLayer, read, changed, [subscribe, zonesView.subscribe, selection.subscribe]);
  },
});

/** The zones of the live sections: those that are active. */
export const zonesBehind = (store: ZoneStore = liveStore): MapNoun =>
  signsBehind({
    layer: zoneLayer,
    rows: store.of('zone'),
    stands: isZoneActive,
    sign: zone => ({ ...signOf(zone, true), text: zone.description }),
    card: (zone, now) => zoneCard(zone, currentWords(), now),
    path: ZONES.detail,
    turn: turnOf,
  });

const layer: SectionLayer = {
  id: 'zones',
  label: 'Zones',
  Mark: LayerMark,
  noun: zonesBehind(),
  useCount: useStandingCount,
};

/** What the section brings to the map. */
export const zonesOnMap: SectionMap = { nouns: [zonesOn()], layer };

function signOf({ id, type, description, features, things }: Zone, active: boolean) {
  const [west, south, east, north] = boxAround(features);
  const names = things.map(thing => thing.displayName);
  const who = names.length > 2 ? countOf(names.length, 'Asset') : names.join(', ');
  return {
    id,
    ...middleOf(features),
    active,
    glyph: signGlyph(type),
    text: active ? [description, statusText('active'), who].filter(Boolean).join('\n') : description,
    shapes: features,
    contains: (at: { lat: number; lng: number }) =>
      at.lng >= west && at.lng <= east && at.lat >= south && at.lat <= north && isWithin(features, at),
  };
}
