import type { Schemas } from '~/api';
import { type Instant, instantOf } from './instant';
import { compareNames } from './sort';
import { primaryName } from './thing';

type Wire = Schemas['Zone'];

/** An alerting asset that stands in a zone. */
export interface ZoneThing {
  id: string;
  haasId: string;
  displayName: string;
  /** when it was first seen inside with its lights on */
  since: Instant;
}

/** A place that becomes active while an alerting asset stands in it. Units: degrees, seconds, milliseconds (0 = none). */
export interface Zone {
  id: string;
  externalId: string;
  organizationId: string;
  organizationName: string;
  /** one of the catalog's zoneTypes */
  type: string;
  alertMessage: string;
  description: string;
  /** its shapes; a circle is a point with `radius_dist` in meters */
  features: readonly Schemas['Feature'][];
  /** as the server said it; `isZoneActive` judges it at an instant */
  isActive: boolean;
  things: readonly ZoneThing[];
  /** when it goes to standby by itself; 0 while an asset is inside, and on standby */
  activeUntil: Instant;
  /** how long it stays active after the last asset has left, in seconds */
  expiryS: number;
  /** the last edit or change of activity */
  updatedAt: Instant;
  /** of what people edit; activity does not raise it */
  version: number;
  /** what the search looks through, one a line: zone id, description, thing id, name */
  searchKey: string;
}

/** A zone of a list row or zone message. */
export function zoneOfWire(w: Wire): Zone {
  const things = w.active_things.map(t => ({
    id: t.id,
    haasId: t.haas_id,
    displayName: primaryName(t.nickname, t.haas_id),
    since: instantOf(t.since),
  }));
  const names = things.flatMap(t => [t.id, t.haasId, t.displayName]);
  return {
    id: w.id,
    externalId: w.external_id,
    organizationId: w.organization_id,
    organizationName: w.organization_name,
    type: w.alerting_zone_type_name,
    alertMessage: w.alert_message,
    description: w.description,
    features: w.features?.features ?? [],
    isActive: w.is_active,
    things,
    activeUntil: instantOf(w.active_until),
    expiryS: w.active_locations.default_expiry,
    updatedAt: instantOf(w.updated_at),
    version: w.version,
    searchKey: [w.id, w.external_id, w.description, ...names].join('\n').toLowerCase(),
  };
}

/** Active first, then by their descriptions. */
export const compareZones = (a: Zone, b: Zone): number =>
  Number(b.isActive) - Number(a.isActive) || compareNames(a.description, b.description) || (a.id < b.id ? -1 : 1);
