import type { SectionMap } from '~/section/section';
import { headsOn } from './headsOnMap';
import { pointsOn } from './pointsOnMap';
import { tripsOn } from './tripsOnMap';

/** What the section brings to the map: the trips, their points from near by, and where their assets are at the clock's instant. */
export const tripsOnMap: SectionMap = { nouns: [tripsOn, pointsOn, headsOn] };
