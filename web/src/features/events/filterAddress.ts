import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { LOCATION_TIMES, USUAL_TIME } from '~/model/locationFilter';
import { followAddress as follow, saidSearch, searchWord } from '~/section/address';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { eventsView, patchView } from './view';

const schema = z.object({ q: searchWord, time: z.catch(z.optional(z.enum(LOCATION_TIMES)), undefined) });

/** Keeps the time filter, the search and the address of the section the same; returns the way to end that. */
export const followAddress = (router: AnyRouter): (() => void) =>
  follow(
    {
      list: LIST_PATH,
      kept,
      read: search => {
        const { q, time } = schema.parse({ q: search.q, time: search.time });
        return { q: saidSearch(q), time: time === USUAL_TIME ? undefined : time };
      },
      now: () => {
        const { time, search } = eventsView.get();
        return { q: saidSearch(search), time: time === USUAL_TIME ? undefined : time };
      },
      adopt: ({ q, time }) =>
        patchView({ search: q ?? '', time: LOCATION_TIMES.find(one => one === time) ?? USUAL_TIME }),
      subscribe: eventsView.subscribe,
    },
    router,
  );
