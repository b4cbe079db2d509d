import type { Schemas, WireLocation } from '~/api';
import type { Instant } from './instant';
import { type Timed, timed } from './row';
import { primaryName } from './thing';

const INSTANTS = ['start_time', 'end_time'] as const;

/** An asset at an incident, or one that has left it; `runtime` is in seconds. */
export interface LocationThing extends Timed<Schemas['LocationThing'], (typeof INSTANTS)[number]> {
  displayName: string;
}

/** An incident or event; one that a sender reported (`is_geo_marker`) has no assets and cannot be edited. */
export interface Location
  extends Timed<Omit<WireLocation, 'features' | 'things_active' | 'things_inactive'>, (typeof INSTANTS)[number]>,
    Readonly<Record<'things_active' | 'things_inactive', readonly LocationThing[]>> {
  /** where it began: its marker is moved about there */
  origin: { readonly lat: number; readonly lng: number };
  displayName: string;
  /** the shapes of a reported event */
  shapes: readonly Schemas['Feature'][];
  /** lower-cased fields that the search looks at, one a line */
  searchKey: string;
}

const locationThingOf = (w: Schemas['LocationThing']): LocationThing => ({
  ...timed(w, INSTANTS),
  displayName: primaryName(w.nickname, w.haas_id),
});

/** What the search looks at: external id, street, and what identifies the assets (requirements 5.search). */
function searchKeyOf(w: WireLocation): string {
  const identifiers = [...w.things_active, ...w.things_inactive].flatMap(t => [
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
export const locationOfWire = (w: WireLocation): Location => ({
  ...timed(w, INSTANTS),
  origin: { lat: w.origin_lat, lng: w.origin_lng },
  things_active: w.things_active.map(locationThingOf),
  things_inactive: w.things_inactive.map(locationThingOf),
  displayName: w.street || w.external_id,
  shapes: w.features?.features ?? [],
  searchKey: searchKeyOf(w),
});

/** Milliseconds an asset has spent at a location: until it left, else until now. */
export function timeAtLocation(t: Pick<LocationThing, 'start_time' | 'end_time'>, now: Instant): number {
  if (t.start_time === 0) return 0;
  return Math.max(0, (t.end_time || now) - t.start_time);
}

/** Active first, then the latest start first (requirements 4.events). */
export function compareLocations(a: Location, b: Location): number {
  if (a.is_active !== b.is_active) return a.is_active ? -1 : 1;
  return b.start_time - a.start_time || (a.id < b.id ? -1 : 1);
}

/** Only while it is active, and only where assets of ours made it (requirements 2.events). */
export const isEditable = ({ is_active, is_geo_marker }: Location): boolean => is_active && !is_geo_marker;
