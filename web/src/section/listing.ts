import { useCallback, useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { liveStore, useAtNow, useRows, useWhole } from '~/live';
import { countOf } from '~/model/format';
import type { Instant } from '~/model/instant';
import { searchOf } from '~/model/search';
import { announce } from '~/ui';
import type { FilteredView } from './filterAddress';
import { useListSearch } from './listSearch';
import type { EditedType } from './noun';
import type { RowOf } from './nounRow';
import { useSameIds } from './useSameIds';
import { currentWords, useWords } from './words';

export type ListedType = EditedType | 'location';

/** Which rows of the live picture a section shows, in its list and on its map. */
export interface Listing<Type extends ListedType, View extends object> {
  readonly type: Type;
  readonly section: FilteredView<View>;
  /** The ids that the filters show at an instant, in order. */
  readonly ids: (rows: readonly RowOf<Type>[], view: View, now: Instant, timeZone: string) => readonly string[];
  /** Changes when time alone may change what is shown. */
  readonly turn: (rows: readonly RowOf<Type>[], now: Instant) => string;
  /** rows beyond those that the live picture keeps */
  readonly beyond?: (view: View) => readonly RowOf<Type>[];
}

/** What a section calls its rows: "Zone", "Zones". */
export interface Named {
  readonly what: string;
  readonly many: string;
}

/** The list of a section as it is now; its screen draws it. */
export type Listed<Type extends ListedType> = ReturnType<typeof useListed<Type, object>>;

/** What the list shows, and the search over it. Where the filters know no search text, there is no search. */
export function useListed<Type extends ListedType, View extends object>(
  { what, many }: Named,
  { type, section, ids: idsOf, turn, beyond }: Listing<Type, View>,
) {
  const all = useRows(type);
  const { timeZone } = useWords();
  const view = section.use(now => now);
  const turned = useAtNow(now => turn(all, now));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turned` says that time may have changed what is shown
  const ids = useMemo(() => idsOf(all, view, serverClock.now(), timeZone), [idsOf, all, view, timeZone, turned]);
  const isWhole = useWhole(type);
  const apply = useCallback(
    (text: string) => {
      const search = searchOf(text);
      if (search === searched(section.view.get())) return;
      section.patch({ search } as unknown as Partial<View>);
      const { length } = idsOf(
        liveStore.of(type).list() as readonly RowOf<Type>[],
        section.view.get(),
        serverClock.now(),
        currentWords().timeZone,
      );
      announce(`${countOf(length, what.toLowerCase(), many.toLowerCase())} shown`);
    },
    [type, section, idsOf, what, many],
  );
  const found = beyond?.(view);
  const asked = searched(view);
  const search = useListSearch(asked, apply);
  return {
    type,
    many,
    all,
    /** with those beyond */
    rows: useMemo(() => (found?.length ? [...found, ...all] : all), [found, all]),
    /** in order; another array only when they are others */
    ids: useSameIds(ids),
    /** all rows are known, and so are counts */
    isWhole,
    exists: useCallback(
      (id: string) => liveStore.of(type).get(id) !== undefined || !!found?.some(row => row.id === id),
      [type, found],
    ),
    search,
    hasSearch: asked !== undefined,
    /** what brings rows back that a search hides */
    clear: !!asked && (['Clear search', search.clear] as const),
    /** all that somebody asked for */
    asked: section.said(view),
  };
}

const searched = (view: object): string | undefined => (view as { search?: string }).search;
