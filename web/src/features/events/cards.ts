import type { CardContent } from '~/map/types';
import { DATE_PATTERNS, dateText, durationText } from '~/model/format';
import { type Location, timeAtLocation } from '~/model/location';
import type { Words } from '~/model/organization';
import { lengthText, nameOf } from './words';

/** The card of an event: how long, who is there, who has left (specification section 2, Map). */
export function eventCard(location: Location, words: Words, now: number): CardContent {
  const { alertMessage } = location;
  return {
    title: nameOf(location),
    aside: lengthText(location, now),
    directions: true,
    ...(alertMessage && { subtitle: alertMessage }),
    lines: [
      ...location.thingsActive.map(t => ({ label: t.displayName, value: durationText(timeAtLocation(t, now)) })),
      ...location.thingsInactive.map(t => ({
        label: t.displayName,
        value: `left ${dateText(t.endTime, words.timeZone, DATE_PATTERNS.time)}`.trim(),
        past: true,
      })),
    ],
  };
}
