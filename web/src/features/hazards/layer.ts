import { TriangleAlert } from 'lucide-react';
import { liveStore } from '~/live';
import { hazardLayer } from '~/map/layers/hazard';
import { signGlyph } from '~/map/layers/signs';
import type { LatLng } from '~/map/types';
import { isWithin } from '~/model/features';
import type { Hazard } from '~/model/hazard';
import { isHazardActive } from '~/model/hazardFilter';
import { type SectionLayer, signsBehind, signsOn, useActiveCount } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { PlaceAction, SectionMap } from '~/section/section';
import { hazardCard } from './cards';
import { LayerMark } from './HazardMark';
import { HAZARDS } from './noun';
import { SHOWN } from './shown';
import { typeText } from './words';

/** The live picture as the map needs it; tests give their own. */
export type HazardStore = Pick<typeof liveStore, 'of'>;

const hazardsOf = (store: HazardStore) => ({
  layer: hazardLayer,
  rows: store.of('hazard'),
  stands: isHazardActive,
  sign: signOf,
  card: hazardCard,
  path: HAZARDS.detail,
  turn: SHOWN.turn,
});

/** Whatever the list shows, one that has ended is not on the map. */
const standing: typeof SHOWN = {
  ...SHOWN,
  ids: (rows, view, ...at) => SHOWN.ids(rows, { ...view, ended: false }, ...at),
};

/** Hazards on the map: those of the types that the list shows, and the one that is open; never one that has ended. */
export const hazardsOn = (store: HazardStore = liveStore): MapNoun =>
  signsOn({ ...hazardsOf(store), shown: standing, isDrawable: isHazardActive });

/** The hazards of the live sections: those that stand, of every type. */
export const hazardsBehind = (store: HazardStore = liveStore): MapNoun => signsBehind(hazardsOf(store));

const layer: SectionLayer = {
  id: 'hazards',
  label: 'Hazards',
  Mark: LayerMark,
  noun: hazardsBehind(),
  useCount: () => useActiveCount('hazard', isHazardActive),
};

const here: PlaceAction = {
  label: 'Add hazard here',
  Icon: TriangleAlert,
  requires: 'ADD_HAZARD',
  isChange: true,
  path: HAZARDS.createAt,
};

/** What the section brings to the map. */
export const hazardsOnMap: SectionMap = { nouns: [hazardsOn()], layer, here };

function signOf({ id, lat, lng, type, shapes: features }: Hazard, active: boolean) {
  return {
    id,
    lat,
    lng,
    active,
    glyph: signGlyph(type),
    text: typeText(type),
    shapes: features,
    contains: (at: LatLng) => isWithin(features, at),
  };
}
