import limits from '@catalog/limits.json';
import type { Closure } from '~/model/closure';
import { everyClosure } from '~/model/closureFilter';
import { countText, NONE } from '~/model/format';
import { AddOnMap } from '~/section/AddOnMap';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListScreen } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { useListed } from '~/section/listing';
import { Segmented } from '~/ui';
import { ClosureFilters } from './ClosureFilters';
import { ClosureRow } from './ClosureRow';
import { useClosureCounts } from './counts';
import { CLOSURES } from './noun';
import { useMayAdd } from './quick';
import { SHOWN } from './shown';
import { patchView, useClosuresView } from './view';
import { TIME_CHOICES } from './words';

const { closureRowPx, closureRowOutOfServicePx } = limits.lists;
const rowPx = ({ is_in_service: inService }: Closure): number =>
  (inService ? closureRowPx : closureRowOutOfServicePx).value;

/** The list screen of the section. */
export function ClosureList() {
  const counts = useClosureCounts();
  const { search, time } = useClosuresView(view => view);
  const listed = useListed(CLOSURES, SHOWN);
  const { all, ids, isWhole } = listed;
  const hasAny = all.length > 0;
  const mayAdd = useMayAdd();
  const count = (n: number | undefined) => (n === undefined ? NONE : countText(n));
  return (
    <ListScreen
      listed={listed}
      px={closureRowPx.value}
      rowPx={rowPx}
      Row={ClosureRow}
      detail={CLOSURES.detail}
      searchLabel="Search for a Closure..."
      head={
        <>
          <div className={`${list.counts} num`}>
            <span className={counts && counts.statuses.active > 0 ? 's-active' : ''}>
              Active <b>{count(counts?.statuses.active)}</b>
            </span>
            <span>
              Hidden by filters <b>{count(isWhole ? all.length - ids.length : undefined)}</b>
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
          value={time}
          onChange={chosen => patchView({ time: chosen })}
          options={TIME_CHOICES}
        />
      }
      nothing={{
        why: hasAny ? whyNone(search) : `No closures yet.${mayAdd ? ' Zoom in and choose + Add.' : ''}`,
        ways: hasAny ? [listed.clear, ['Show all closures', () => patchView(everyClosure(search))]] : [],
      }}
    />
  );
}

const whyNone = (search: string): string =>
  search === ''
    ? 'The filters hide all closures.'
    : 'Try a part of the description, an ID, or the name, VIN, plate, or registry number of the asset.';
