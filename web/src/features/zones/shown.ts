import { nextEnd } from '~/model/ending';
import type { Zone } from '~/model/zone';
import { splitZones } from '~/model/zoneFilter';
import type { Listing } from '~/section/listing';
import { type ZonesView, zonesSection } from './view';

const until = (zone: Zone) => (zone.is_active ? zone.active_until : 0);

/** The zones that the section shows. What goes to standby by itself does so at once. */
export const SHOWN: Listing<'zone', ZonesView> = {
  type: 'zone',
  section: zonesSection,
  ids: (rows, view, now) => splitZones(rows, view, now).shown,
  turn: (rows, now) => String(nextEnd(rows, until, now)),
};
