import type { AnyRouter } from '@tanstack/react-router';
import { instantWord, parseInstant } from '~/model/trip';
import { followAddress as follow } from '~/section/address';
import { askAt, restingAt } from './clock';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { tripParamsView } from './view';

/** Longer than five ids with commas between them. */
const MOST = 1000;

/** A parameter as it stands there. One that says 7 says a number to the router; what is no word at all is not there. */
const wordOf = (said: unknown): string | undefined =>
  typeof said === 'string' || typeof said === 'number' ? String(said).slice(0, MOST) : undefined;

/** The instant that is looked at: one that cannot be read is not there. */
function instantSaid(said: unknown): string | undefined {
  const at = parseInstant(wordOf(said));
  return at === 0 ? undefined : instantWord(at);
}

/** Keeps what is asked and the address of the section the same; returns the way to end that. */
export const followAddress = (router: AnyRouter): (() => void) =>
  follow(
    {
      list: LIST_PATH,
      kept,
      read: ({ things, from, to, at }) => ({
        things: wordOf(things),
        from: wordOf(from),
        to: wordOf(to),
        at: instantSaid(at),
      }),
      now: () => {
        const at = restingAt.get();
        return { ...tripParamsView.get(), at: at === undefined ? undefined : instantWord(at) };
      },
      adopt: ({ things, from, to, at }) => {
        tripParamsView.set({ things, from, to });
        askAt(at === undefined ? undefined : parseInstant(at));
      },
      subscribe: listener => {
        const offs = [tripParamsView.subscribe(listener), restingAt.subscribe(listener)];
        return () => {
          for (const off of offs) off();
        };
      },
    },
    router,
  );
