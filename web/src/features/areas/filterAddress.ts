import type { AnyRouter } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { AREA_TYPES } from '~/model/area';
import { followAddress as follow, saidSearch, searchWord } from '~/section/address';
import { kept } from './keptSearch';
import { LIST_PATH } from './paths';
import { areasView, patchView } from './view';

const one = `(?:${AREA_TYPES.map(type => type.name).join('|')})`;
/** Names with dots between them, which need no escape in an address; "none" for none of them. */
const types = z.string().check(z.regex(new RegExp(`^(?:none|${one}(?:\\.${one}){0,${AREA_TYPES.length - 1}})$`)));
const schema = z.object({ q: searchWord, type: z.catch(z.optional(types), undefined) });

const said = (names: ReadonlySet<string> | null) => names && ([...names].sort().join('.') || 'none');

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
        const { search, types: names } = areasView.get();
        return { q: saidSearch(search), type: said(names) ?? undefined };
      },
      adopt: ({ q, type }) =>
        patchView({
          search: q ?? '',
          types: type === undefined ? null : new Set(type === 'none' ? [] : type.split('.')),
        }),
      subscribe: areasView.subscribe,
    },
    router,
  );
