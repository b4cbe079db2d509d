import { areaLayer } from './area';
import type { MapLayer, MapRow } from './layer';
import { locationLayer } from './location';

/** What the map shows beside the assets, bottom to top. A new noun is a line here. */
export const MAP_LAYERS: readonly MapLayer<MapRow>[] = [areaLayer, locationLayer];
