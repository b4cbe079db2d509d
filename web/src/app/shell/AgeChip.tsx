import { serverClock } from '~/lib/clock';
import { useStreamState } from '~/live';
import { LiveChip, type MapController, useMapState } from '~/map';
import { DATE_PATTERNS, whenText } from '~/model/format';
import { useOrganization } from '~/session';
import { ageOf } from './age';

/** How old the picture is. */
export function AgeChip({ controller }: { controller: MapController }) {
  const state = useStreamState();
  const map = useMapState(controller, one => one.phase);
  const { timezone } = useOrganization();
  const { label, isWell, of } = ageOf(state, map);
  const asOf = state.asOf === 0 ? '' : whenText(state.asOf, timezone, serverClock.now(), DATE_PATTERNS.timeSeconds);
  return <LiveChip state={isWell ? 'live' : 'behind'} label={label} asOf={asOf} of={of} />;
}
