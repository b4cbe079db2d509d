import type { CardContent } from '~/map/types';
import { agoText } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Words } from '~/model/organization';
import type { Zone } from '~/model/zone';
import { isZoneActive, zoneStatus } from '~/model/zoneFilter';
import { insideText, statusText, typeText, whyText } from './words';

/** The card of a zone: whether it is active and why, and which alerting assets are inside. */
export function zoneCard(zone: Zone, words: Words, now: Instant): CardContent {
  const things = isZoneActive(zone, now) ? zone.active_things : [];
  const why = things.length > 0 ? '' : whyText(zone, words, now);
  return {
    title: zone.description,
    subtitle: [statusText(zoneStatus(zone, now)), why, typeText(zone)].filter(Boolean).join(' · '),
    ...(things.length > 0 && { aside: insideText(things.length), isList: true }),
    lines: [
      ...(zone.alert_message ? [{ label: 'Message', value: zone.alert_message }] : []),
      ...things.map(thing => ({ label: thing.displayName, value: agoText(thing.since, now) })),
    ],
    directions: true,
  };
}
