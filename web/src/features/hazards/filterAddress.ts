import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { followAddress as follow, kindsOf, kindsWord, saidKinds } from '~/section/address';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { hazardsView, patchView } from './view';
import { HAZARD_TYPES } from './words';

const ENDED = 'ended';
const schema = z.object({
  type: kindsWord(HAZARD_TYPES.map(type => type.id)),
  show: z.catch(z.optional(z.literal(ENDED)), undefined),
});

/** Keeps the filters and the address of the section the same; returns the way to end that. */
export const followAddress = (router: AnyRouter): (() => void) =>
  follow(
    {
      list: LIST_PATH,
      kept,
      read: search => {
        const { type, show } = schema.parse({ type: search.type, show: search.show });
        // None of the types is nothing that can be asked for.
        return { type: type === 'none' ? undefined : type, show };
      },
      now: () => {
        const { types, ended } = hazardsView.get();
        return { type: saidKinds(types), show: ended ? ENDED : undefined };
      },
      adopt: ({ type, show }) => patchView({ types: kindsOf(type), ended: show === ENDED }),
      subscribe: hazardsView.subscribe,
    },
    router,
  );
