import { type Ref, type RefObject, useCallback } from 'react';
import { useTextScale } from '~/lib/textScale';
import { liveStore, useFilter, useVisibleIds } from '~/live';
import type { Thing } from '~/model/thing';
import { useGo } from '~/section/paths';
import { RowList, type RowListHandle } from '~/section/RowList';
import { useWords } from '~/section/words';
import { useIsPhone, useOrganization, usePreference } from '~/session';
import { GroupHead } from './GroupHead';
import { NothingFound } from './NothingFound';
import { detailPath } from './paths';
import { isGroupKey, type ListRows, listRows } from './rows';
import { ThingRow } from './ThingRow';
import { toggleFold, useThingsView } from './view';

/** Reads the assets of an order: all at once where it is that of the live picture. */
function readerOf(ids: readonly string[]): (id: string, index: number) => Thing | undefined {
  const visible = liveStore.visibleAssets();
  if (ids !== visible.ids) return liveStore.thing;
  const { things } = visible;
  return (_, index) => things[index];
}

const exists = (id: string) => liveStore.thing(id) !== undefined;

interface ThingListProps {
  ref?: Ref<RowListHandle>;
  /** the asset that was open before the list came; the list goes to its row, and empties it */
  returning: RefObject<string | null>;
  onClearSearch: () => void;
}

/** The list of displayed assets. It renders when the order changes, never for a message. */
export function ThingList({ ref, returning, onClearSearch }: ThingListProps) {
  const go = useGo();
  const words = useWords();
  const organization = useOrganization();
  const isPhone = useIsPhone();
  const scale = useTextScale();
  const isGrouped = usePreference('groupView');
  const folded = useThingsView(view => view.folded);
  const subscribed = isGrouped ? organization : null;
  const layout = useCallback(
    (ids: readonly string[]) => listRows({ ids, get: readerOf(ids), subscribed, folded, isPhone, scale }),
    [subscribed, folded, isPhone, scale],
  );
  const open = useCallback(
    (key: string) => {
      if (isGroupKey(key)) toggleFold(key);
      else go(detailPath(key));
    },
    [go],
  );
  const isUnfolded = (key: string) => (isGroupKey(key) ? !folded.has(key) : undefined);
  const renderRow = useCallback(
    (key: string, rows: ListRows) => {
      const group = rows.groups.get(key);
      return group ? (
        <GroupHead group={group} isFolded={folded.has(key)} words={words} />
      ) : (
        <ThingRow id={key} words={words} />
      );
    },
    [folded, words],
  );
  return (
    <RowList
      ref={ref}
      label="Assets"
      ids={useVisibleIds()}
      exists={exists}
      asked={useFilter()}
      layout={layout}
      renderRow={renderRow}
      onOpen={open}
      isUnfolded={isUnfolded}
      empty={<NothingFound onClearSearch={onClearSearch} />}
      returning={returning}
    />
  );
}
