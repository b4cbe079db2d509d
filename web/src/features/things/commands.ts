import limits from '@catalog/limits.json';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { api, asFailure, type Schemas, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { useRows, useStreamState } from '~/live';
import { type Command, commandOfWire, isOpen, mergedCommands } from '~/model/command';
import { keepRow } from '~/section/nounRow';
import { thingQuery } from './queries';

const POLL_MS = limits.ui.commandPollMs.value;
/** How many of the last commands are shown. */
const SHOWN = 5;
/** A press is sent again while nobody has answered it, and with the same key: it never acts twice. */
const TRIES = 3;
const AGAIN_MS = 1000;

const historyQuery = (thingId: string) =>
  queryOptions({
    queryKey: ['commands', thingId],
    queryFn: async ({ signal }) => {
      const { data } = await api.request('GET /things/{id}/commands', {
        path: { id: thingId },
        query: { page: 1, per_page: SHOWN },
        signal,
      });
      return data.map(commandOfWire);
    },
    staleTime: 0,
    gcTime: 0,
  });

const NONE: readonly Command[] = [];

export interface Commands {
  /** undefined: not read yet */
  rows: readonly Command[] | undefined;
  failure: string | undefined;
  retry: () => void;
}

/**
 * The last commands to an asset's device: its list, and what the stream says of them since. Without the stream the list
 * is read once a second while a command is open, else as often as the picture. Only who reaches the asset in full may.
 */
export function useCommands(thingId: string, mayRead: boolean): Commands {
  const heard = useRows('command');
  const isLive = useStreamState().phase === 'live';
  const mine = useMemo(() => heard.filter(command => command.thingId === thingId), [heard, thingId]);
  const query = useQuery({
    ...historyQuery(thingId),
    enabled: mayRead,
    refetchInterval: ({ state }) => {
      if (isLive) return limits.lists.refreshMs.value;
      return mergedCommands(state.data ?? NONE, mine).some(isWaiting) ? POLL_MS : limits.stream.pollMs.value;
    },
  });
  const { data, refetch } = query;
  const rows = useMemo(() => mergedCommands(data ?? NONE, mine).slice(0, SHOWN), [data, mine]);
  // What was said while the stream was down has not been heard.
  useEffect(() => {
    if (isLive && mayRead) void refetch();
  }, [isLive, mayRead, refetch]);
  useThingAfter(thingId, rows, isLive);
  return {
    rows: data || mine.length > 0 ? rows : undefined,
    failure: query.error && !data ? say('things.load', query.error) : undefined,
    retry: () => void refetch(),
  };
}

/** The server may need a moment to say that a command has expired. */
const GRACE_MS = 10 * POLL_MS;

/** Whether something may still be said of a command. */
const isWaiting = (command: Command) => isOpen(command) && serverClock.now() < command.expiresAt + GRACE_MS;

/** What becomes of a command may change the asset: without the stream it is read again. */
function useThingAfter(thingId: string, rows: readonly Command[], isLive: boolean): void {
  const client = useQueryClient();
  const open = rows.filter(isOpen).length;
  const before = useRef(open);
  useEffect(() => {
    if (!isLive && open < before.current) void client.prefetchQuery(thingQuery(thingId));
    before.current = open;
  }, [client, thingId, isLive, open]);
}

/** PUT /things/{id}/r2r: the other state of test mode. Throws the client's failure. */
export const toggleTestMode = (thingId: string, idempotencyKey: string) =>
  sent(() => api.data('PUT /things/{id}/r2r', { path: { id: thingId }, idempotencyKey }));

/** PUT /things/{thingId}/light_intensity. Throws the client's failure. */
export const setLightIntensity = (thingId: string, light_intensity: string, idempotencyKey: string) =>
  sent(() =>
    api.data('PUT /things/{thingId}/light_intensity', { path: { thingId }, body: { light_intensity }, idempotencyKey }),
  );

/** Sends a press until it is answered, and takes the command into the live picture at once. */
async function sent(put: () => Promise<Schemas['Commanded']>): Promise<Command> {
  for (let tries = 1; ; tries++) {
    try {
      const { command } = await put();
      keepRow('command', command);
      return commandOfWire(command);
    } catch (failure) {
      if (tries === TRIES || !asFailure(failure).isPassing) throw failure;
      await new Promise(resolve => setTimeout(resolve, AGAIN_MS * tries));
    }
  }
}
