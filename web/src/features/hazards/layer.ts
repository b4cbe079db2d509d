import { TriangleAlert } from 'lucide-react';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { hazardLayer } from '~/map/layers/hazard';
import { signGlyph } from '~/map/layers/signs';
import type { LatLng } from '~/map/types';
import { isWithin } from '~/model/features';
import type { Hazard } from '~/model/hazard';
import { isHazardActive, shownHazards } from '~/model/hazardFilter';
import { type SectionLayer, signsBehind } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { PlaceAction, SectionMap } from '~/section/section';
import { followSigns, signCache } from '~/section/signRows';
import { selection } from '~/section/view';
import { hazardCard } from './cards';
import { LayerMark } from './HazardMark';
import { HAZARDS } from './noun';
import { turnOf, useStandingCount } from './shown';
import { hazardsView } from './view';
import { typeText } from './words';

/** The live picture as the map needs it; tests give their own. */
export type HazardStore = Pick<typeof liveStore, 'of'>;

/** Hazards on the map: those of the types that the list shows, and the one that is open; never one that has ended. */
export const hazardsOn = (store: HazardStore = liveStore): MapNoun => ({
  kind: hazardLayer.kind,
  layer: hazardLayer,
  has: id => standing(store, id) !== undefined,
  path: HAZARDS.detail,
  card: (id, now) => {
    const hazard = standing(store, id, now);
    return hazard ? hazardCard(hazard, now) : null;
  },
  bind(map, changed) {
    const { list, subscribe } = store.of('hazard');
    const signs = signCache(signOf);
    const read = () => {
      const { types } = hazardsView.get();
      const { selected } = selection.get();
      const shown = shownHazards(list(), { types, ended: false }, serverClock.now());
      const open = selected ? standing(store, selected) : undefined;
      return (open && !shown.includes(open) ? [...shown, open] : shown).map(hazard => signs(hazard, true));
    };
    return followSigns(map, hazardLayer, read, changed, [subscribe, hazardsView.subscribe, selection.subscribe]);
  },
});

/** The hazards of the live sections: those that stand, of every type. */
export const hazardsBehind = (store: HazardStore = liveStore): MapNoun =>
  signsBehind({
    layer: hazardLayer,
    rows: store.of('hazard'),
    stands: isHazardActive,
    sign: hazard => signOf(hazard, true),
    card: hazardCard,
    path: HAZARDS.detail,
    turn: turnOf,
  });

const layer: SectionLayer = {
  id: 'hazards',
  label: 'Hazards',
  Mark: LayerMark,
  noun: hazardsBehind(),
  useCount: useStandingCount,
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

function standing(store: HazardStore, id: string, now = serverClock.now()): Hazard | undefined {
  const hazard = store.of('hazard').get(id);
  return hazard && isHazardActive(hazard, now) ? hazard : undefined;
}

const signOf = ({ id, lat, lng, type, features }: Hazard, active: boolean) => ({
  id,
  lat,
  lng,
  active,
  glyph: signGlyph(type),
  text: typeText(type),
  shapes: features,
  contains: (at: LatLng) => isWithin(features, at),
});
