import { assetsText } from '~/map/layers/area';
import type { CardContent } from '~/map/types';
import type { Area } from '~/model/area';
import { statusLabel } from '~/model/status';
import { namedAssets } from './assetsIn';
import { kindText } from './words';

/** The card of an area: its type, how many assets are in it, and which. */
export function areaCard(area: Area): CardContent {
  const things = namedAssets(area.id);
  return {
    title: area.name,
    subtitle: kindText(area),
    ...(things.length > 0 && { aside: assetsText(things.length), isList: true }),
    lines: things.map(t => ({ label: t.primaryDisplayName, value: statusLabel(t.status, t.isResponderType) })),
    directions: true,
  };
}
