import { DATE_PATTERNS, dateText, speedIn } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Words } from '~/model/organization';
import { type Place, placeAt, type Stretch, stretchAt, stretchesOf, type Track } from './track';
import type { ThingTrips } from './wire';

export type TripState = ThingTrips['spans'][number]['state'];

export interface StateStretch extends Stretch {
  readonly state: TripState;
}

/** When an asset did what, in ms. */
export interface States {
  readonly spans: readonly StateStretch[];
  readonly lights: readonly Stretch[];
}

export const statesOf = ({ spans, lights }: Pick<ThingTrips, 'spans' | 'lights'>): States => ({
  spans: stretchesOf(spans).map((span, i) => ({ ...span, state: spans[i]?.state ?? 'silent' })),
  lights: stretchesOf(lights),
});

/** An asset at an instant. */
export interface Head {
  /** where it was seen last; null before it was seen at all */
  readonly place: Place | null;
  readonly state: TripState | undefined;
  readonly isLit: boolean;
  /** Nothing is known of the instant since then; null where it is known. */
  readonly unknownSince: Instant | null;
}

/** What an asset was doing at an instant. A gap between its points is a gap, unless it is known to have stood. */
export function headAt(track: Track, { spans, lights }: States, at: Instant): Head {
  const place = placeAt(track, at);
  const last = spans.at(-1);
  // The clock goes to the end of what was asked, which is in no stretch.
  const span = stretchAt(spans, at) ?? (last?.end === at ? last : undefined);
  const isKnown = span ? span.state !== 'silent' && !(span.state === 'moving' && place?.isInGap) : !place?.isInGap;
  const since = span?.state === 'silent' ? span.start : (place?.seen ?? at);
  return {
    place,
    state: span?.state,
    isLit: stretchAt(lights, at) !== undefined,
    unknownSince: isKnown ? null : since,
  };
}

export const STATE_WORDS: Readonly<Record<TripState, string>> = {
  moving: 'Moving',
  standing: 'Standing',
  on_scene: 'On-Scene',
  silent: 'No data',
};

const timeText = (at: Instant, { timeZone }: Words): string => dateText(at, timeZone, DATE_PATTERNS.time);

/** Since when nothing is known: "No data since 10:42 AM". */
export const unknownText = (since: Instant, words: Words): string => `No data since ${timeText(since, words)}`;

/** An asset at an instant in words: "Moving · 34 mph · Lights on". */
export function headText({ place, state, isLit, unknownSince }: Head, words: Words): string {
  if (unknownSince !== null) return unknownText(unknownSince, words);
  const speed = place && state === 'moving' ? `${speedIn(words.speedUnit, place.speed)} ${words.speedUnit}` : '';
  const text = [state ? STATE_WORDS[state] : '', speed, isLit ? 'Lights on' : ''].filter(Boolean).join(' · ');
  return text || 'No data';
}
