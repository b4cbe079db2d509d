import type { Instant } from './instant';
import type { Zone } from './zone';

export const ZONE_STATUSES = ['active', 'standby'] as const;
/** Active when isActive, else standby (requirements 4.zone). */
export type ZoneStatus = (typeof ZONE_STATUSES)[number];

/** Whether it is active at an instant: what ends by itself needs nobody to say so. */
export const isZoneActive = ({ is_active, active_until }: Zone, now: Instant): boolean =>
  is_active && (active_until === 0 || active_until > now);

export const zoneStatus = (zone: Zone, now: Instant): ZoneStatus => (isZoneActive(zone, now) ? 'active' : 'standby');

/** What a list of zones shows. */
export interface ZoneFilter {
  /** as `searchOf` makes it */
  search: string;
  /** the types that are not hidden; null = all */
  types: ReadonlySet<string> | null;
  /** null = both */
  status: ZoneStatus | null;
}

/** Which zones a filter shows at an instant, active ones first, and which it hides (requirements 4.zone). */
export function splitZones(zones: readonly Zone[], filter: ZoneFilter, now: Instant) {
  const { search, types, status } = filter;
  const [active, standby, hidden]: string[][] = [[], [], []];
  for (const zone of zones) {
    const is = zoneStatus(zone, now);
    const passes =
      (types === null || types.has(zone.alerting_zone_type_name)) &&
      (status === null || status === is) &&
      (search === '' || zone.searchKey.includes(search));
    (passes ? (is === 'active' ? active : standby) : hidden)?.push(zone.id);
  }
  return { shown: [...(active ?? []), ...(standby ?? [])], hidden: hidden ?? [] };
}
