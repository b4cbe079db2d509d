import type { CardContent, CardLine } from '~/map/types';
import { describeThing, directionText, speedText } from '~/model/describe';
import { ageText, DATE_PATTERNS, dateText, durationText } from '~/model/format';
import { type Location, timeAtLocation } from '~/model/location';
import type { Words } from '~/model/organization';
import { Status } from '~/model/status';
import type { Thing } from '~/model/thing';

/** The card of an asset: only the lines that apply (specification section 2, Map). */
export function assetCard(thing: Thing, words: Words, now: number): CardContent {
  const view = describeThing(thing, words, now);
  const moves = thing.status === Status.ACTIVE || thing.speed > 0;
  const motion = [moves ? directionText(thing, now) : '', speedText(thing, words, now)].filter(Boolean).join(' · ');
  const arrived =
    thing.status === Status.LOCATION ? dateText(thing.incidentStartAt, words.timeZone, DATE_PATTERNS.time) : '';
  const lines: CardLine[] = [
    { label: 'Street', value: thing.street },
    { label: 'Direction · Speed', value: motion },
    { label: 'Arrived', value: arrived },
    { label: 'Last heartbeat', value: ageText(thing.heartbeatAt, now) || 'never' },
  ].filter(line => line.value !== '');
  const subtitle = thing.secondaryDisplayName;
  return { title: thing.primaryDisplayName, statusText: view.label, lines, ...(subtitle ? { subtitle } : {}) };
}

/** The card of a location: how long, who is there, who has left. */
export function locationCard(location: Location, words: Words, now: number): CardContent {
  return {
    title: location.displayName,
    aside: durationText(timeAtLocation(location, now)),
    directions: true,
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
