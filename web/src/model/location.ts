import type { Schemas, WireLocation } from '~/api';
import { type Instant, instantOf } from './instant';
import { primaryName } from './thing';

/** An asset at an incident, or one that has left it. */
export interface LocationThing {
  id: string;
  externalId: string;
  haasId: string;
  displayName: string;
  startTime: Instant;
  endTime: Instant;
  /** seconds */
  runtime: number;
}

/** An incident or event. Units: degrees, meters, milliseconds (0 = none). */
export interface Location {
  id: string;
  externalId: string;
  organizationId: string;
  isActive: boolean;
  lat: number;
  lng: number;
  street: string;
  roadwayHeading: number | null;
  thingsActive: readonly LocationThing[];
  thingsInactive: readonly LocationThing[];
  startTime: Instant;
  endTime: Instant;
  alertMessage: string;
  displayName: string;
  wzdxId: string;
  version: number;
}

function locationThingOf(w: Schemas['LocationThing']): LocationThing {
  const haasId = w.haas_id ?? '';
  return {
    id: w.id,
    externalId: w.external_id ?? '',
    haasId,
    displayName: primaryName(w.nickname ?? '', haasId),
    startTime: instantOf(w.start_time),
    endTime: instantOf(w.end_time),
    runtime: w.runtime ?? 0,
  };
}

/** An incident of a list row or location message. */
export function locationOfWire(w: WireLocation): Location {
  const street = w.street ?? '';
  return {
    id: w.id,
    externalId: w.external_id ?? '',
    organizationId: w.organization_id ?? '',
    isActive: w.is_active ?? false,
    lat: w.lat,
    lng: w.lng,
    street,
    roadwayHeading: w.roadway_heading ?? null,
    thingsActive: (w.things_active ?? []).map(locationThingOf),
    thingsInactive: (w.things_inactive ?? []).map(locationThingOf),
    startTime: instantOf(w.start_time),
    endTime: instantOf(w.end_time),
    alertMessage: w.alert_message ?? '',
    displayName: street || w.external_id || '',
    wzdxId: w.wzdx_id ?? '',
    version: w.version ?? 0,
  };
}

/** Milliseconds an asset has spent at a location: until it left, else until now. */
export function timeAtLocation(t: Pick<LocationThing, 'startTime' | 'endTime'>, now: Instant): number {
  if (t.startTime === 0) return 0;
  return Math.max(0, (t.endTime || now) - t.startTime);
}

/** Active first, then the latest start first (specification section 4, Events). */
export function compareLocations(a: Location, b: Location): number {
  if (a.isActive !== b.isActive) return a.isActive ? -1 : 1;
  return b.startTime - a.startTime || (a.id < b.id ? -1 : 1);
}
