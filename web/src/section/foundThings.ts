import { useMemo, useSyncExternalStore } from 'react';
import { liveStore } from '~/live';
import { searchOf } from '~/model/search';
import type { Thing } from '~/model/thing';

/** So many are offered: who looks for another one types more of its name. */
const OFFERED = 50;
/** So many are put in order before anything is typed, and looked at for those that an organization owns. */
const SORTED = 5000;

/**
 * The assets for a text; for none those that a list would begin with. With `owner` only those of that organization. The
 * list stays while assets only move.
 */
export function useFoundThings(text: string, owner?: string): readonly Thing[] {
  const size = useSyncExternalStore(liveStore.subscribeCounts, liveStore.size, liveStore.size);
  return useMemo(() => {
    const search = searchOf(text);
    if (size === 0) return [];
    const isOwned = (thing: Thing) => owner === undefined || thing.organization.id === owner;
    if (search !== '')
      return liveStore
        .find(search, owner === undefined ? OFFERED : SORTED)
        .filter(isOwned)
        .slice(0, OFFERED);
    const all = [...liveStore.ids()].slice(0, SORTED).flatMap(id => liveStore.thing(id) ?? []);
    return all
      .filter(isOwned)
      .sort((a, b) => (a.nameKey < b.nameKey ? -1 : 1))
      .slice(0, OFFERED);
  }, [text, size, owner]);
}
