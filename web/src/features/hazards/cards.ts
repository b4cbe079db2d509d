import type { CardContent } from '~/map/types';
import { ageText } from '~/model/format';
import type { Hazard } from '~/model/hazard';
import type { Instant } from '~/model/instant';
import { confirmationText, expiresText, sourceText, typeText } from './words';

/** The card of a hazard that stands: what, how old, how long still, who says so. */
export function hazardCard(hazard: Hazard, now: Instant): CardContent {
  const lines = [
    ['Description', hazard.description],
    ['Street', hazard.street],
    ['Source', sourceText(hazard)],
    ['Confirmed', confirmationText(hazard, now)],
  ] as const;
  return {
    title: typeText(hazard.type),
    aside: ageText(hazard.start_time, now),
    subtitle: expiresText(hazard, now),
    lines: lines.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value })),
    directions: true,
  };
}
