import limits from '@catalog/limits.json';
import { useCallback } from 'react';
import { serverClock } from '~/lib/clock';
import { liveStore, useIsLoaded } from '~/live';
import type { Closure } from '~/model/closure';
import { everyClosure, splitClosures } from '~/model/closureFilter';
import { countOf, countText, NONE } from '~/model/format';
import { searchOf } from '~/model/search';
import { AddOnMap } from '~/section/AddOnMap';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListScreen } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { useListSearch } from '~/section/listSearch';
import { currentWords, useWords } from '~/section/words';
import { announce, Segmented } from '~/ui';
import { ClosureFilters } from './ClosureFilters';
import { ClosureRow } from './ClosureRow';
import { useClosureCounts } from './counts';
import { CLOSURES } from './noun';
import { useMayAdd } from './quick';
import { dayOf, heardAt, useShownIds } from './shown';
import { closuresView, patchView, useClosuresView } from './view';
import { TIME_CHOICES } from './words';

const { closureRowPx, closureRowOutOfServicePx, liveAreas } = limits.lists;
const rowPx = ({ inService }: Closure): number => (inService ? closureRowPx : closureRowOutOfServicePx).value;

function applySearch(text: string): void {
  const search = searchOf(text);
  if (search === closuresView.get().search) return;
  patchView({ search });
  const day = dayOf(serverClock.now(), currentWords().timeZone);
  const { length } = splitClosures(liveStore.of('closure').list(), closuresView.get(), day, heardAt).shown;
  announce(`${countOf(length, 'closure')} shown`);
}

/** The list screen of the section. */
export function ClosureList() {
  const words = useWords();
  const isLoaded = useIsLoaded();
  const { ids, hidden } = useShownIds();
  const counts = useClosureCounts();
  const asked = useClosuresView(view => view);
  const search = useListSearch(asked.search, applySearch);
  const mayAdd = useMayAdd();
  const count = (n: number | undefined) => (n === undefined ? NONE : countText(n));
  return (
    <ListScreen
      type="closure"
      title="Closures"
      keep={liveAreas.value}
      operation="closures.load"
      ids={ids}
      asked={asked}
      px={closureRowPx.value}
      rowPx={rowPx}
      renderRow={useCallback((id, isForeign) => <ClosureRow id={id} words={words} isForeign={isForeign} />, [words])}
      pathOf={CLOSURES.detail}
      search={search}
      searchLabel="Search for a Closure..."
      rows={search.list}
      returning={search.returning}
      head={
        <>
          <div className={`${list.counts} num`}>
            <span className={counts && counts.statuses.active > 0 ? 's-active' : ''}>
              Active <b>{count(counts?.statuses.active)}</b>
            </span>
            <span>
              Hidden by filters <b>{count(isLoaded ? hidden : undefined)}</b>
            </span>
          </div>
          <div className={filter.tools}>
            <ClosureFilters counts={counts} />
            {mayAdd && <AddOnMap to={CLOSURES.create} mayAdd onPhone />}
            <ListMenu />
          </div>
        </>
      }
      segments={
        <Segmented
          className={filter.segments ?? ''}
          label="When"
          value={asked.time}
          onChange={time => patchView({ time })}
          options={TIME_CHOICES}
        />
      }
      nothing={hasAny => ({
        why: hasAny ? whyNone(asked.search) : `No closures yet.${mayAdd ? ' Zoom in and choose + Add.' : ''}`,
        ways: hasAny
          ? [
              asked.search !== '' && ['Clear search', search.clear],
              ['Show all closures', () => patchView(everyClosure(asked.search))],
            ]
          : [],
      })}
    />
  );
}

const whyNone = (search: string): string =>
  search === ''
    ? 'The filters hide all closures.'
    : 'Try a part of the description, an ID, or the name, VIN, plate, or registry number of the asset.';
