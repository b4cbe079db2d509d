import { useQuery } from '@tanstack/react-query';
import { asFailure, type Operation, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { askedId } from '~/lib/uuid';
import { liveStore, useGoneAt, useIsLoaded, useRow } from '~/live';
import type { WireRow } from '~/live/collection';
import type { CollectionOf, NounType } from '~/live/nouns';
import type { Shown } from './shown';

export type RowOf<Type extends NounType> = ReturnType<CollectionOf<Type>['list']>[number];

interface ReadAlone<Row> {
  /** Reads the row on its own; throws the client's failure. */
  read: (id: string, signal: AbortSignal) => Promise<Row>;
  operation: Operation;
}

/**
 * The row of a detail: from the live picture, else read on its own once the list is there. Kept for 0 s: the live
 * picture is the cache.
 */
export function useShownRow<Type extends NounType>(
  type: Type,
  id: string,
  { read, operation }: ReadAlone<RowOf<Type>>,
): Shown<RowOf<Type>> {
  const live = useRow(type, id);
  const isLoaded = useIsLoaded();
  // What was read before it went says nothing of now.
  const goneAt = useGoneAt(type, id);
  const query = useQuery({
    queryKey: [type, id, goneAt],
    queryFn: ({ signal }) => read(askedId(id), signal),
    staleTime: 0,
    gcTime: 0,
    enabled: !live && isLoaded,
  });
  const row = live ?? query.data;
  if (row) return { state: 'shown', row, isComplete: true };
  if (!query.error) return { state: 'loading' };
  const failure = asFailure(query.error);
  const isMissing = failure.status === 404;
  return {
    state: 'failed',
    text: isMissing ? failure.message : say(operation, query.error),
    isMissing,
    retry: () => void query.refetch(),
  };
}

/** Takes a row that the server answered into the live picture at once: its message may come later. */
export function keepRow(type: NounType, row: WireRow): void {
  const rows = liveStore.of(type);
  rows.merge([row] as never, 0, serverClock.now());
  rows.tell();
}

/** Takes a row that has gone out of the live picture at once. */
export function dropRow(type: NounType, id: string): void {
  const rows = liveStore.of(type);
  rows.lack([id], serverClock.now());
  rows.tell();
}
