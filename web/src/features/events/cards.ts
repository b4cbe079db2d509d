import type { CardContent } from '~/map/types';
import { DATE_PATTERNS, dateText, durationText } from '~/model/format';
import { type Location, type LocationThing, timeAtLocation } from '~/model/location';
import type { Words } from '~/model/organization';
import { lengthText, nameOf } from './words';

/** So many lines are as high as a list on a card may be. */
const LINES_IN_SIGHT = 9;

/** The assets that have left and are not back, each once: when it left last. */
function goneOf({ things_active, things_inactive }: Location): readonly LocationThing[] {
  const last = new Map<string, LocationThing>();
  for (const stay of things_inactive) if (stay.end_time >= (last.get(stay.id)?.end_time ?? 0)) last.set(stay.id, stay);
  for (const { id } of things_active) last.delete(id);
  return [...last.values()];
}

/** The card of an event: how long, who is there, who has left (requirements 2.map). */
export function eventCard(location: Location, words: Words, now: number): CardContent {
  const { alert_message, things_active } = location;
  const gone = goneOf(location);
  return {
    title: nameOf(location),
    aside: lengthText(location, now),
    directions: true,
    ...(things_active.length + gone.length > LINES_IN_SIGHT && { isList: true }),
    ...(alert_message && { subtitle: alert_message }),
    lines: [
      ...things_active.map(t => ({ label: t.displayName, value: durationText(timeAtLocation(t, now)) })),
      ...gone.map(t => ({
        label: t.displayName,
        value: `left ${dateText(t.end_time, words.timeZone, DATE_PATTERNS.time)}`.trim(),
        past: true,
      })),
    ],
  };
}
