import type { SectionLayer } from '~/section/layer';
import { LAYERS, type LayerId, type Profile } from '~/session';
import { shownSections } from '../guards';
import type { OnMap } from './sectionMaps';

/** The live sections are about all that alerts. */
export const isLive = (maps: readonly OnMap[], shown: string): boolean =>
  maps.some(map => map.id === shown && map.showsLayers);

/**
 * The layers that the section which is shown offers, as far as the user may see what they show. A phone has them all: it
 * lacks the room for their sections, not the right.
 */
export function layersOf(maps: readonly OnMap[], shown: string, profile: Profile): readonly SectionLayer[] {
  if (!isLive(maps, shown)) return [];
  const offered = shownSections(profile, false, maps).flatMap(({ layer }) => layer ?? []);
  return LAYERS.flatMap(id => offered.filter(layer => layer.id === id));
}

/**
 * What stands on the map: all of the section that is shown, the layers that are on, and what stays of the other sections
 * that the user may see.
 */
export function visibleMaps(
  maps: readonly OnMap[],
  shown: string,
  { profile, isPhone, on }: { profile: Profile; isPhone: boolean; on: readonly LayerId[] },
): readonly OnMap[] {
  const open = shownSections(profile, isPhone, maps);
  const layers = layersOf(maps, shown, profile).filter(({ id }) => on.includes(id));
  return maps.flatMap(map => {
    if (map.id === shown) return map;
    const layer = layers.find(one => one === map.layer);
    const staying = open.includes(map) ? map.nouns.filter(noun => noun.stays) : [];
    const stays = isLive(maps, shown) ? staying : staying.map(noun => noun.behind ?? noun);
    const nouns = layer ? [layer.noun] : stays;
    return nouns.length > 0 ? { ...map, nouns } : [];
  });
}
