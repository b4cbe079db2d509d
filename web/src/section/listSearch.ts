import limits from '@catalog/limits.json';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDebounced } from '~/lib/debounce';
import { searchOf } from '~/model/search';
import { useIsPhone, useShortcuts } from '~/session';
import type { SearchFieldProps } from '~/ui';
import type { RowListHandle } from './RowList';
import { selection } from './view';

export interface ListSearch {
  /** of the search field */
  readonly field: Pick<SearchFieldProps, 'value' | 'onChange' | 'onSubmit' | 'onDown' | 'shortcut' | 'inputRef'>;
  readonly list: RefObject<RowListHandle | null>;
  /** Back from a detail the list goes to the row that was open. */
  readonly returning: RefObject<string | null>;
  readonly clear: () => void;
}

/**
 * The search over a section's list: applied 350 ms after the last key, at once by Enter, which opens the first row. `/`
 * leads to it, j and k to the rows. `said` is what is searched for now, undefined in a list without a search; `apply`
 * searches for a text, and stays the same function.
 */
export function useListSearch(said: string | undefined, apply: (text: string) => void): ListSearch {
  const applied = said ?? '';
  const isPhone = useIsPhone();
  const [text, setText] = useState(applied);
  const search = useDebounced(text, limits.ui.searchDebounceMs.value);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<RowListHandle>(null);
  const returning = useRef(selection.get().last);
  const last = useRef(applied);
  const searchFor = useCallback(
    (asked: string) => {
      last.current = searchOf(asked);
      apply(asked);
    },
    [apply],
  );
  const hasSearch = said !== undefined;
  useEffect(() => {
    if (hasSearch) searchFor(search);
  }, [hasSearch, searchFor, search]);
  // It may be cleared elsewhere (a chip, an address): then the field follows.
  useEffect(() => {
    if (applied === last.current) return;
    last.current = applied;
    setText(applied);
  }, [applied]);
  useShortcuts({
    ...(hasSearch && { '/': () => input.current?.focus() }),
    j: () => list.current?.step(1),
    k: () => list.current?.step(-1),
  });
  return {
    field: {
      value: text,
      onChange: setText,
      onSubmit: asked => {
        // What was just asked for must stand in the list before its first row is opened.
        flushSync(() => searchFor(asked));
        if (searchOf(asked) !== '') list.current?.openFirst();
      },
      onDown: () => list.current?.enter(),
      shortcut: isPhone ? undefined : '/',
      inputRef: input,
    },
    list,
    returning,
    clear: () => {
      setText('');
      searchFor('');
    },
  };
}
