import { liveStore } from '~/live';
import { signGlyph } from '~/map/layers/signs';
import { zoneLayer } from '~/map/layers/zone';
import { boxAround, isWithin, middleOf } from '~/model/features';
import { countOf } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Zone } from '~/model/zone';
import { isZoneActive } from '~/model/zoneFilter';
import { type SectionLayer, signsBehind, signsOn, useActiveCount } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { SectionMap } from '~/section/section';
import { currentWords } from '~/section/words';
import { zoneCard } from './cards';
import { ZONES } from './noun';
import { SHOWN } from './shown';
import { statusText } from './words';
import { LayerMark } from './ZoneMark';

/** The live picture as the map needs it; tests give their own. */
export type ZoneStore = Pick<typeof liveStore, 'of'>;

const zonesOf = (store: ZoneStore) => ({
  layer: zoneLayer,
  rows: store.of('zone'),
  stands: isZoneActive,
  card: (zone: Zone, now: Instant) => zoneCard(zone, currentWords(), now),
  path: ZONES.detail,
  turn: SHOWN.turn,
});

/** Zones on the map: those of the list, and the one that is open. */
export const zonesOn = (store: ZoneStore = liveStore): MapNoun =>
  signsOn({ ...zonesOf(store), shown: SHOWN, sign: signOf, draft: view => view.draft });

/** The zones of the live sections: those that are active. */
export const zonesBehind = (store: ZoneStore = liveStore): MapNoun =>
  signsBehind({ ...zonesOf(store), sign: zone => ({ ...signOf(zone, true), text: zone.description }) });

const layer: SectionLayer = {
  id: 'zones',
  label: 'Zones',
  Mark: LayerMark,
  noun: zonesBehind(),
  useCount: () => useActiveCount('zone', isZoneActive),
};

/** What the section brings to the map. */
export const zonesOnMap: SectionMap = { nouns: [zonesOn()], layer };

function signOf(
  { id, alerting_zone_type_name: type, description, shapes: features, active_things: things }: Zone,
  active: boolean,
) {
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
