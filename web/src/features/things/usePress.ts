import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverClock } from '~/lib/clock';
import { useAtNow } from '~/live';
import { type Command, type Fate, fateOf } from '~/model/command';
import type { Instant } from '~/model/instant';
import { thingQuery } from './queries';

/** What somebody asked of a device, and what became of the call. */
export interface Press<Asked> {
  asked: Asked;
  at: Instant;
  /** what the press is known by when it is sent again */
  key: string;
  /** '' until the call is answered */
  commandId: string;
  /** why the call failed */
  failure: unknown;
}

/** A press of a device action: sent once, with a key of its own. */
export function usePress<Asked>(thingId: string, send: (asked: Asked, key: string) => Promise<Command>) {
  const client = useQueryClient();
  const [press, setPress] = useState<Press<Asked>>();
  const [isAsking, setIsAsking] = useState(false);
  const start = async (asked: Asked) => {
    const key = crypto.randomUUID();
    setPress({ asked, at: serverClock.now(), key, commandId: '', failure: undefined });
    setIsAsking(true);
    const learn = (part: Partial<Press<Asked>>) => setPress(now => (now?.key === key ? { ...now, ...part } : now));
    try {
      learn({ commandId: (await send(asked, key)).id });
      // The stream tells the same a little later.
      await client.prefetchQuery(thingQuery(thingId));
    } catch (failure) {
      learn({ failure });
    }
    setIsAsking(false);
  };
  return { press, isAsking, start };
}

/** What is known of the command of a press; a call that failed counts as failed. '' without a press. */
export function useFate(press: Press<unknown> | undefined, commands: readonly Command[]): Fate | '' {
  const command = press && commands.find(one => one.id === press.commandId);
  return useAtNow(now => {
    if (!press) return '';
    return press.failure ? 'failed' : fateOf(command, press.at, now);
  });
}

/** Whether what is said still stands: it goes after a while, and comes again when something else is said. */
export function useIsCurrent(said: string, clearMs: number): boolean {
  const [cleared, setCleared] = useState('');
  useEffect(() => {
    setCleared('');
    if (said === '') return;
    const timer = setTimeout(() => setCleared(said), clearMs);
    return () => clearTimeout(timer);
  }, [said, clearMs]);
  return said !== '' && cleared !== said;
}
