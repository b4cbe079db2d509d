import type { CardContent, CardLine } from '~/map/types';
import { describeThing, directionText, speedText } from '~/model/describe';
import { ageText, DATE_PATTERNS, dateText } from '~/model/format';
import type { Words } from '~/model/organization';
import { Status } from '~/model/status';
import type { Thing } from '~/model/thing';

const TEST_MODE = 'Test Mode';

/** The card of an asset: only the lines that apply (requirements 2.map). */
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
  return {
    title: thing.primaryDisplayName,
    statusText: view.label,
    lines,
    ...(thing.isTestModeOn && { tag: TEST_MODE }),
    ...(subtitle && { subtitle }),
  };
}
