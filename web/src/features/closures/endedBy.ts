import { useQuery } from '@tanstack/react-query';
import { serverClock } from '~/lib/clock';
import { type Closure, madeOf } from '~/model/closure';
import { instantOf } from '~/model/instant';
import { useFullReach } from '~/section/reach';
import { authorOf } from '~/section/undo';
import { useCan } from '~/session';

/** As long as a change is listed with who made it. */
const LISTED_MS = 24 * 60 * 60_000;

/** Who ended it by hand, as long as that is known: its last change must be that end. '' else. */
export function useEndedBy(closure: Closure): string {
  const { id, organization_id, version, end_reason, ended_at } = closure;
  const mayKnow = useCan('UNDO_ON_MAP');
  const acts = useFullReach(organization_id);
  const now = serverClock.now();
  const { data } = useQuery({
    queryKey: ['ended by', id, version],
    queryFn: async () => (await authorOf('closure', { id, organization_id }, 'changed')) ?? null,
    enabled: mayKnow && acts && end_reason === 'ended' && now - ended_at < LISTED_MS,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!data || madeOf(closure, instantOf(data.at), now) !== 'ended') return '';
  return data.by === 'You' ? 'you' : data.by;
}
