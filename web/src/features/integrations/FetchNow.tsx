import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Instant, instantOf } from '~/model/instant';
import { sayMarked } from '~/office';
import { Button, toast } from '~/ui';
import { problemText } from './health';
import { type Integration, useIntegrationMutations } from './integration';

/** A slow provider is waited for no longer than this; what comes later shows all the same. */
const PATIENCE_MS = 90_000;

/** Waits for another fetch than the one at `awaited`, the last when it was asked for, and says what came of it. */
export function useArrival(awaited: Instant | undefined, row: Integration | undefined, onDone: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of waiting is of one press
  useEffect(() => {
    if (awaited === undefined) return;
    const end = setTimeout(onDone, PATIENCE_MS);
    return () => clearTimeout(end);
  }, [awaited]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once, when the answer comes
  useEffect(() => {
    if (awaited === undefined || !row || instantOf(row.last_fetched_at) <= awaited) return;
    onDone();
    toast(row.problem ? problemText(row) : 'Fetched', row.problem ? { tone: 'danger' } : {});
  }, [awaited, row]);
}

interface FetchNowProps {
  row: Integration;
  isAwaiting: boolean;
  /** another fetch than the last of this row is waited for */
  onAwait: (row: Integration) => void;
}

/** Has the provider asked at once instead of when it is due. */
export function FetchNow({ row, isAwaiting, onAwait }: FetchNowProps) {
  const mutations = useIntegrationMutations();
  const [isSent, setSent] = useState(false);
  const press = async () => {
    setSent(true);
    try {
      onAwait(await mutations.fetchNow(row.id));
    } catch (error) {
      toast(sayMarked('generic')(error), { tone: 'danger' });
    } finally {
      setSent(false);
    }
  };
  return (
    <Button
      icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden="true" />}
      isPending={isSent || isAwaiting}
      onPress={() => void press()}
    >
      Fetch now
    </Button>
  );
}
