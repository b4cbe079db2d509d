import type { Schemas } from '~/api';
import { type Timed, timed } from './row';

type Wire = Schemas['Hazard'];

const INSTANTS = ['start_time', 'expires_at', 'confirmed_at', 'ended_at', 'updated_at'] as const;

/** Something on the road that senders, feeds or files reported. `isHazardActive` judges `is_active` at an instant. */
export interface Hazard extends Timed<Omit<Wire, 'features'>, (typeof INSTANTS)[number]> {
  /** its shapes, beside the place */
  shapes: readonly Schemas['Feature'][];
}

/** A hazard of a list row or hazard message. */
export const hazardOfWire = (w: Wire): Hazard => ({ ...timed(w, INSTANTS), shapes: w.features?.features ?? [] });

/** Active first, then the latest first. */
export const compareHazards = (a: Hazard, b: Hazard): number =>
  Number(b.is_active) - Number(a.is_active) || b.start_time - a.start_time || (a.id < b.id ? -1 : 1);
