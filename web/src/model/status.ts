import enums from '@catalog/enums.json';
import type { Instant } from './instant';
import { ACTIVE_WINDOW_MS, OFFLINE_AFTER_MS, STALE_AFTER_MS, STANDBY_WINDOW_MS } from './limits';

/** Display states in sorting order (requirements 3.enum). OOS is a flag with a place in filters, never on the wire. */
export const Status = { LOCATION: 0, ACTIVE: 1, STANDBY: 2, STATIONARY: 3, PENDING: 4, OFFLINE: 5, OOS: 6 } as const;
export type Status = (typeof Status)[keyof typeof Status];

/** Every status an asset itself can have, in order. */
export const THING_STATUSES: readonly Status[] = [0, 1, 2, 3, 4, 5];

const byWire = new Map<string, Status>(
  enums.status.filter(s => s.wire !== null).map(s => [s.wire as string, s.rank as Status]),
);

/** Reads a server string (active_location, active, …); undefined when the server gave none that we know. */
export function statusOfWire(text: string | null | undefined): Status | undefined {
  return text ? byWire.get(text) : undefined;
}

/** What the fallback computation looks at. */
export interface StatusFacts {
  hasActiveClosures: boolean;
  isOnIncident: boolean;
  enroute: boolean;
  hasStreet: boolean;
  heartbeatAt: Instant;
}

/** The status when the server gives none (requirements 4.status): the written order stands, no heartbeat is OFFLINE. */
export function computeStatus(facts: StatusFacts, now: Instant): Status {
  if (facts.hasActiveClosures) return Status.ACTIVE;
  if (facts.isOnIncident) return Status.LOCATION;
  if (facts.heartbeatAt === 0) return Status.OFFLINE;
  const age = now - facts.heartbeatAt;
  if (facts.enroute && age <= ACTIVE_WINDOW_MS) return Status.ACTIVE;
  if (!facts.enroute && age <= STANDBY_WINDOW_MS) return facts.hasStreet ? Status.STATIONARY : Status.STANDBY;
  return age < OFFLINE_AFTER_MS ? Status.PENDING : Status.OFFLINE;
}

/** Stale: no heartbeat, or one at least the stale time-out old (requirements 3.thing). */
export function isStaleHeartbeat(heartbeatAt: Instant, now: Instant): boolean {
  return heartbeatAt === 0 || now - heartbeatAt >= STALE_AFTER_MS;
}

/** The word of a status as rows, cards and the detail show it. */
export function statusLabel(status: Status, isResponder: boolean): string {
  switch (status) {
    case Status.LOCATION:
      return isResponder ? 'On-Scene' : 'Active Event';
    case Status.ACTIVE:
      return isResponder ? 'Responding' : 'Active';
    case Status.STANDBY:
    case Status.STATIONARY:
      return 'Standby';
    case Status.PENDING:
      return 'Pending';
    case Status.OFFLINE:
      return 'Offline';
    default:
      return 'Out-of-Service';
  }
}

/** Online, offline or out of service: the three counts of the list header. */
export type ServiceState = 'online' | 'offline' | 'oos';

/** Offline counts as offline; every other status is online; out of service goes before both. */
export function serviceState(status: Status, inService: boolean): ServiceState {
  if (!inService) return 'oos';
  return status === Status.OFFLINE ? 'offline' : 'online';
}

/** Any status above ACTIVE means that the asset's station must be checked (requirements 4.station). */
export function mustCheckStation(status: Status): boolean {
  return status > Status.ACTIVE;
}
