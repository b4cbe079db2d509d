import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ZONE_STATUSES } from '~/model/zoneFilter';
import { followAddress as follow, kindsOf, kindsWord, saidKinds, saidSearch, searchWord } from '~/section/address';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { patchView, zonesView } from './view';
import { ZONE_TYPES } from './words';

const schema = z.object({
  q: searchWord,
  type: kindsWord(ZONE_TYPES.map(type => type.id)),
  status: z.catch(z.optional(z.enum(ZONE_STATUSES)), undefined),
});

/** Keeps the filters, the search and the address of the section the same; returns the way to end that. */
export const followAddress = (router: AnyRouter): (() => void) =>
  follow(
    {
      list: LIST_PATH,
      kept,
      read: search => {
        const { q, type, status } = schema.parse({ q: search.q, type: search.type, status: search.status });
        return { q: saidSearch(q), type, status };
      },
      now: () => {
        const { search, types, status } = zonesView.get();
        return { q: saidSearch(search), type: saidKinds(types), status: status ?? undefined };
      },
      adopt: ({ q, type, status }) =>
        patchView({
          search: q ?? '',
          types: kindsOf(type),
          status: ZONE_STATUSES.find(one => one === status) ?? null,
        }),
      subscribe: zonesView.subscribe,
    },
    router,
  );
