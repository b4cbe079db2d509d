import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { AREA_TYPES } from '~/model/area';
import { followAddress as follow, kindsOf, kindsWord, saidKinds, saidSearch, searchWord } from '~/section/address';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { areasView, patchView } from './view';

const schema = z.object({ q: searchWord, type: kindsWord(AREA_TYPES.map(type => type.name)) });

/** Keeps the type filter, the search and the address of the section the same; returns the way to end that. */
export const followAddress = (router: AnyRouter): (() => void) =>
  follow(
    {
      list: LIST_PATH,
      kept,
      read: search => {
        const { q, type } = schema.parse({ q: search.q, type: search.type });
        return { q: saidSearch(q), type };
      },
      now: () => {
        const { search, types } = areasView.get();
        return { q: saidSearch(search), type: saidKinds(types) };
      },
      adopt: ({ q, type }) => patchView({ search: q ?? '', types: kindsOf(type) }),
      subscribe: areasView.subscribe,
    },
    router,
  );
