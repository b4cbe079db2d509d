/**
 * The shapes the server sends for assets and incidents (specification sections 3 and 7; the same bodies travel in
 * HTTP lists and in stream messages). Everything that a laxer server may leave out is optional or nullable here, and
 * `thing.ts` and `location.ts` are the only readers.
 */
import type { components } from '~/api/schema.gen';

export interface WireOrganizationRef {
  id: string;
  name: string;
  type?: string;
}

export interface WireRelationship {
  organization_uuid: string;
  organization_name: string;
  relationship_type: 'manager' | 'accessor';
}

export interface WireExternalIdentifier {
  identifier_id: string;
  system_name: string;
  is_deleted?: boolean;
}

export interface WireClosureRef {
  id: string;
  external_id?: string;
}

/** What devices and the clock change: the body of point and heartbeat messages and a part of every thing. */
export interface WireLive {
  id: string;
  lat: number | null;
  lng: number | null;
  course?: number | null;
  /** m/s */
  speed?: number | null;
  /** metres, null when the device did not say */
  accuracy?: number | null;
  street?: string | null;
  status?: string | null;
  status_at?: string | null;
  is_active?: boolean;
  enroute?: boolean;
  heartbeat_datetime?: string | null;
  at?: string | null;
  received_at?: string | null;
  stale_at?: string | null;
  run_id?: string | null;
  run_start_time?: string | null;
  run_points_count?: number;
  location?: { id: string; start_time?: string | null; end_time?: string | null } | null;
  station_id?: string | null;
  closures?: WireClosureRef[] | null;
}

export interface WireThing extends WireLive {
  external_id?: string | null;
  haas_id?: string | null;
  nickname?: string | null;
  vin_number?: string | null;
  license_plate_number?: string | null;
  registry_number?: string | null;
  thing_type_id?: string | null;
  thing_subtype_id?: string | null;
  device_type?: string | null;
  in_service?: boolean;
  is_publicly_alerting?: boolean;
  is_allowed_for_closures?: boolean;
  is_allowed_for_test_mode?: boolean;
  test_mode?: boolean;
  is_responder?: boolean | null;
  is_integration_org?: boolean;
  feed_subscriptions?: string[] | null;
  features?: { r2r?: boolean } | null;
  organization?: WireOrganizationRef | null;
  organization_relationships?: WireRelationship[] | null;
  external_identifiers?: WireExternalIdentifier[] | null;
  version?: number;
  is_deleted?: boolean;
}

export interface WireLocationThing {
  id: string;
  external_id?: string | null;
  haas_id?: string | null;
  nickname?: string | null;
  vin_number?: string | null;
  license_plate_number?: string | null;
  registry_number?: string | null;
  /** seconds */
  runtime?: number;
  start_time?: string | null;
  end_time?: string | null;
}

/** A geometry of a location; coordinates are [lng, lat] in degrees, radius metres. */
export type WireFeature =
  | { type: 'point'; coordinates: [number, number] }
  | { type: 'line'; coordinates: [number, number][] }
  | { type: 'circle'; coordinates: [number, number]; radius: number }
  | { type: 'polygon'; coordinates: [number, number][][] };

export interface WireLocation {
  id: string;
  external_id?: string | null;
  organization_id?: string | null;
  is_active?: boolean;
  lat: number;
  lng: number;
  features?: WireFeature[] | null;
  street?: string | null;
  roadway_heading?: number | null;
  things_active?: WireLocationThing[] | null;
  things_inactive?: WireLocationThing[] | null;
  start_time?: string | null;
  end_time?: string | null;
  alt?: number | null;
  alert_message?: string | null;
  is_geo_marker?: boolean;
  wzdx_id?: string | null;
  version?: number;
  is_deleted?: boolean;
}

/** One stream message; which body is set follows from the type (specification section 7, "Streaming"). */
export interface WireMessage {
  type: 'point' | 'thing' | 'heartbeat' | 'location' | 'closure' | 'admin';
  action?: 'added' | 'removed';
  live?: WireLive | null;
  thing?: WireThing | null;
  location?: WireLocation | null;
}

export interface WireMeta {
  page: number;
  per_page: number;
  total: number;
  as_of?: string | null;
  /** whether the organization is polled (large) or streamed */
  is_large?: boolean;
}

export interface WireList<T> {
  data: T[];
  meta: WireMeta;
}

/** Assets in columns: all that an organization sees, or what has changed (see the server's own words). */
export type WireSnapshot = components['schemas']['Snapshot'];
