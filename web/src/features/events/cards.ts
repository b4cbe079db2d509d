import type { CardContent } from '~/map/types';
import { DATE_PATTERNS, dateText, durationText } from '~/model/format';
import { type Location, type LocationThing, timeAtLocation } from '~/model/location';
import type { Words } from '~/model/organization';
import { lengthText, nameOf } from './words';

/** So many lines are as high as a list on a card may be. */
const LINES_IN_SIGHT = 9;

/** The assets that have left and are not back, each once: when it left last. */
function goneOf({ thingsActive, thingsInactive }: Location): readonly LocationThing[] {
  const last = new Map<string, LocationThing>();
  for (const stay of thingsInactive) if (stay.endTime >= (last.get(stay.id)?.endTime ?? 0)) last.set(stay.id, stay);
  for (const { id } of thingsActive) last.delete(id);
  return [...last.values()];
}

/** The card of an event: how long, who is there, who has left (requirements 2.map). */
export function eventCard(location: Location, words: Words, now: number): CardContent {
  const { alertMessage, thingsActive } = location;
  const gone = goneOf(location);
  return {
    title: nameOf(location),
    aside: lengthText(location, now),
    directions: true,
    ...(thingsActive.length + gone.length > LINES_IN_SIGHT && { isList: true }),
    ...(alertMessage && { subtitle: alertMessage }),
    lines: [
      ...thingsActive.map(t => ({ label: t.displayName, value: durationText(timeAtLocation(t, now)) })),
      ...gone.map(t => ({
        label: t.displayName,
        value: `left ${dateText(t.endTime, words.timeZone, DATE_PATTERNS.time)}`.trim(),
        past: true,
      })),
    ],
  };
}
