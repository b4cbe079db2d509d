import type { Schemas } from '~/api';
import { type Instant, instantOf } from './instant';

type Wire = Schemas['Hazard'];

/** Something on the road that senders, feeds or files reported. Units: degrees, milliseconds (0 = none). */
export interface Hazard {
  id: string;
  externalId: string;
  organizationId: string;
  organizationName: string;
  type: Wire['type'];
  lat: number;
  lng: number;
  street: string;
  description: string;
  /** who reported it: the name of a key, a feed or a file */
  source: string;
  /** who reported it by hand; null: nobody did */
  reportedBy: string | null;
  startTime: Instant;
  expiresAt: Instant;
  /** as the server said it; `isHazardActive` judges it at an instant */
  isActive: boolean;
  /** its shapes, beside the place */
  features: readonly Schemas['Feature'][];
  confirmedAt: Instant;
  confirmedBy: string;
  endedAt: Instant;
  endReason: Wire['end_reason'];
  endedBy: Wire['ended_by'];
  updatedAt: Instant;
  version: number;
}

/** A hazard of a list row or hazard message. */
export const hazardOfWire = (w: Wire): Hazard => ({
  id: w.id,
  externalId: w.external_id,
  organizationId: w.organization_id,
  organizationName: w.organization_name,
  type: w.type,
  lat: w.lat,
  lng: w.lng,
  street: w.street,
  description: w.description,
  source: w.source,
  reportedBy: w.reported_by,
  startTime: instantOf(w.start_time),
  expiresAt: instantOf(w.expires_at),
  isActive: w.is_active,
  features: w.features?.features ?? [],
  confirmedAt: instantOf(w.confirmed_at),
  confirmedBy: w.confirmed_by ?? '',
  endedAt: instantOf(w.ended_at),
  endReason: w.end_reason,
  endedBy: w.ended_by,
  updatedAt: instantOf(w.updated_at),
  version: w.version,
});

/** Active first, then the latest first. */
export const compareHazards = (a: Hazard, b: Hazard): number =>
  Number(b.isActive) - Number(a.isActive) || b.startTime - a.startTime || (a.id < b.id ? -1 : 1);
