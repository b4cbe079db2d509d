import type { Instant } from '~/model/instant';
import { instantOfLocal, localText } from '~/model/localTime';
import type { TripQuery } from '~/model/trip';

/**
 * A time of the form. The instant stands beside its text: a text of the hour that the change of the clock repeats means
 * two instants, and what an address asks for may have seconds.
 */
export interface DraftTime {
  readonly text: string;
  readonly at: Instant;
}

/** What the form is about to ask. */
export interface TripDraft {
  readonly things: readonly string[];
  readonly from: DraftTime;
  readonly to: DraftTime;
  /** what a preset says of its time */
  readonly note: string;
}

export const draftTime = (at: Instant, timeZone: string): DraftTime => ({ text: localText(at, timeZone), at });

export const typedTime = (text: string, timeZone: string): DraftTime => ({ text, at: instantOfLocal(text, timeZone) });

export const draftOf = ({ things, from, to }: TripQuery, timeZone: string): TripDraft => ({
  things,
  from: draftTime(from, timeZone),
  to: draftTime(to, timeZone),
  note: '',
});

export const queryOf = ({ things, from, to }: TripDraft): TripQuery => ({ things, from: from.at, to: to.at });
