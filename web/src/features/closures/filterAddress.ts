import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { CLOSURE_STATUSES, CLOSURE_TYPES } from '~/model/closure';
import { CLOSURE_TIMES, type ClosureFilter, DEFAULT_CLOSURES, DEFAULT_STATUSES } from '~/model/closureFilter';
import { followAddress as follow, kindsOf, kindsWord, saidKinds, saidSearch, searchWord } from '~/section/address';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { closuresView, patchView } from './view';

const SHOWN = 'show';
const schema = z.object({
  q: searchWord,
  type: kindsWord(CLOSURE_TYPES),
  status: kindsWord(CLOSURE_STATUSES),
  oos: z.catch(z.optional(z.literal(SHOWN)), undefined),
  time: z.catch(z.optional(z.enum(CLOSURE_TIMES)), undefined),
});

const DEFAULT_SAID = saidKinds(DEFAULT_STATUSES);
const unlessDefault = <T>(said: T, usual: T): T | undefined => (said === usual ? undefined : said);

/** Keeps the filters, the search and the address of the section the same; returns the way to end that. */
export const followAddress = (router: AnyRouter): (() => void) =>
  follow(
    {
      list: LIST_PATH,
      kept,
      read: ({ q, type, status, oos, time }) => {
        const said = schema.parse({ q, type, status, oos, time });
        return {
          ...said,
          q: saidSearch(said.q),
          status: unlessDefault(said.status, DEFAULT_SAID),
          time: unlessDefault(said.time, DEFAULT_CLOSURES.time),
        };
      },
      now: () => {
        const { search, types, statuses, outOfService, time } = closuresView.get();
        return {
          q: saidSearch(search),
          type: saidKinds(types),
          status: unlessDefault(saidKinds(statuses), DEFAULT_SAID),
          oos: outOfService ? SHOWN : undefined,
          time: unlessDefault(time, DEFAULT_CLOSURES.time),
        };
      },
      adopt: ({ q, type, status, oos, time }) =>
        patchView({
          search: q ?? '',
          types: kindsOf(type) as ClosureFilter['types'],
          statuses: (kindsOf(status) ?? DEFAULT_STATUSES) as ClosureFilter['statuses'],
          outOfService: oos === SHOWN,
          time: CLOSURE_TIMES.find(one => one === time) ?? DEFAULT_CLOSURES.time,
        }),
      subscribe: closuresView.subscribe,
    },
    router,
  );
