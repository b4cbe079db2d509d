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
  /** where it began: its marker is moved about there */
  origin: { readonly lat: number; readonly lng: number };
  street: string;
  /** of the traffic, degrees clockwise from north; null where it is not known */
  roadwayHeading: number | null;
  thingsActive: readonly LocationThing[];
  thingsInactive: readonly LocationThing[];
  startTime: Instant;
  endTime: Instant;
  alertMessage: string;
  displayName: string;
  wzdxId: string;
  /** A sender reported it, without assets: it cannot be edited. */
  isGeoMarker: boolean;
  /** meters */
  alt: number | null;
  /** the shapes of a reported event */
  features: readonly Schemas['Feature'][];
  /** drivers who were shown an alert of its assets, each once; null = not measured */
  driversAlerted: number | null;
  version: number;
  /** lower-cased fields that the search looks at, one a line */
  searchKey: string;
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

/** What the search looks at: external id, street, and what identifies the assets (requirements 5.search). */
function searchKeyOf(w: WireLocation): string {
  const identifiers = [...(w.things_active ?? []), ...(w.things_inactive ?? [])].flatMap(t => [
    t.nickname,
    t.haas_id,
    t.external_id,
    t.vin_number,
    t.license_plate_number,
    t.registry_number,
  ]);
  return [w.external_id, w.street, ...identifiers].join('\n').toLowerCase();
}

/** An incident of a list row or location message. */
export function locationOfWire(w: WireLocation): Location {
  const street = w.street ?? '';
  const externalId = w.external_id ?? '';
  return {
    id: w.id,
    externalId,
    organizationId: w.organization_id ?? '',
    isActive: w.is_active ?? false,
    lat: w.lat,
    lng: w.lng,
    origin: { lat: w.origin_lat, lng: w.origin_lng },
    street,
    roadwayHeading: w.roadway_heading ?? null,
    thingsActive: (w.things_active ?? []).map(locationThingOf),
    thingsInactive: (w.things_inactive ?? []).map(locationThingOf),
    startTime: instantOf(w.start_time),
    endTime: instantOf(w.end_time),
    alertMessage: w.alert_message ?? '',
    displayName: street || externalId,
    wzdxId: w.wzdx_id ?? '',
    isGeoMarker: w.is_geo_marker ?? false,
    alt: w.alt ?? null,
    features: w.features?.features ?? [],
    driversAlerted: w.drivers_alerted ?? null,
    version: w.version ?? 0,
    searchKey: searchKeyOf(w),
  };
}

/** Milliseconds an asset has spent at a location: until it left, else until now. */
export function timeAtLocation(t: Pick<LocationThing, 'startTime' | 'endTime'>, now: Instant): number {
  if (t.startTime === 0) return 0;
  return Math.max(0, (t.endTime || now) - t.startTime);
}

/** Active first, then the latest start first (requirements 4.events). */
export function compareLocations(a: Location, b: Location): number {
  if (a.isActive !== b.isActive) return a.isActive ? -1 : 1;
  return b.startTime - a.startTime || (a.id < b.id ? -1 : 1);
}

/** Only while it is active, and only where assets of ours made it (requirements 2.events). */
export const isEditable = ({ isActive, isGeoMarker }: Location): boolean => isActive && !isGeoMarker;
