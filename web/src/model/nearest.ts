import type { Instant } from './instant';
import { Status } from './status';
import { isStale, type Thing } from './thing';

interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

/** A unit and how far it is from a place, in a straight line. */
export interface Near {
  readonly id: string;
  readonly meters: number;
}

/** The nearest units: those that are heard, and those whose place is only where they were last. */
export interface Nearest {
  readonly live: readonly Near[];
  readonly silent: readonly Near[];
}

type Facts = Pick<Thing, 'id' | 'lat' | 'lng' | 'hasPosition' | 'inService' | 'status' | 'heartbeatAt' | 'staleAt'>;

/** Whether it is not known where a unit is now, only where it was. */
export const isSilent = (thing: Pick<Thing, 'status' | 'heartbeatAt' | 'staleAt'>, now: Instant): boolean =>
  thing.status >= Status.PENDING || isStale(thing, now);

const EARTH_M = 6_371_008.8;
const RAD = Math.PI / 180;

/** Along the sphere, also where that is far. */
function metersTo(place: LatLng, { lat, lng }: LatLng): number {
  const north = Math.sin(((lat - place.lat) * RAD) / 2);
  const east = Math.sin(((lng - place.lng) * RAD) / 2);
  const a = north * north + Math.cos(lat * RAD) * Math.cos(place.lat * RAD) * east * east;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** The few nearest of many: no more than those are ever sorted. */
class Fewest {
  readonly rows: Near[] = [];
  constructor(readonly most: number) {}

  /** Meters from which on nobody is among them any more. */
  get end(): number {
    return this.rows.length < this.most ? Number.POSITIVE_INFINITY : (this.rows[this.most - 1]?.meters ?? 0);
  }

  take(id: string, meters: number): void {
    const { rows, most } = this;
    if (meters >= this.end) return;
    let at = rows.length;
    while (at > 0 && (rows[at - 1]?.meters ?? 0) > meters) at--;
    rows.splice(at, 0, { id, meters });
    if (rows.length > most) rows.pop();
  }
}

/** Goes once through all units; what is out of service is none to send. */
export function nearestOf(
  each: (visit: (thing: Facts) => void) => void,
  place: LatLng,
  now: Instant,
  most: { readonly live: number; readonly silent: number },
): Nearest {
  const live = new Fewest(most.live);
  const silent = new Fewest(most.silent);
  each(thing => {
    if (!thing.hasPosition || !thing.inService) return;
    // As far north or south as it is, it is at least away: of a large fleet that settles nearly all.
    const least = Math.abs(thing.lat - place.lat) * RAD * EARTH_M;
    if (least >= live.end && least >= silent.end) return;
    const few = isSilent(thing, now) ? silent : live;
    if (least < few.end) few.take(thing.id, metersTo(place, thing));
  });
  return { live: live.rows, silent: silent.rows };
}
