import { areaLayer } from './area';
import { closureLayer } from './closure';
import { hazardLayer } from './hazard';
import type { MapLayer, MapRow } from './layer';
import { locationLayer } from './location';
import { tripLayer } from './trip';
import { tripPointLayer } from './tripPoint';
import { zoneLayer } from './zone';

/** What the map shows beside the assets, bottom to top. A new noun is a line here. */
export const MAP_LAYERS: readonly MapLayer<MapRow>[] = [
  areaLayer,
  zoneLayer,
  tripLayer,
  tripPointLayer,
  closureLayer,
  locationLayer,
  hazardLayer,
];
