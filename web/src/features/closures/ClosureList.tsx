import limits from '@catalog/limits.json';
import type { Closure } from '~/model/closure';
import { everyClosure } from '~/model/closureFilter';
import { AddOnMap } from '~/section/AddOnMap';
import { ListCounts } from '~/section/ListCounts';
import { ListScreen } from '~/section/ListScreen';
import { useListed } from '~/section/listing';
import { nothingOf } from '~/section/NothingFound';
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
  const mayAdd = useMayAdd();
  return (
    <ListScreen
      listed={listed}
      px={closureRowPx.value}
      rowPx={rowPx}
      Row={ClosureRow}
      detail={CLOSURES.detail}
      searchLabel="Search for a Closure..."
      counts={
        <ListCounts
          counts={[
            { label: 'Active', n: counts?.statuses.active, tone: 's-active' },
            { label: 'Hidden by filters', n: isWhole ? all.length - ids.length : undefined },
          ]}
        />
      }
      tools={
        <>
          <ClosureFilters counts={counts} />
          {mayAdd && <AddOnMap to={CLOSURES.create} onPhone />}
        </>
      }
      segments={{ label: 'When', value: time, onChange: chosen => patchView({ time: chosen }), options: TIME_CHOICES }}
      nothing={nothingOf(
        listed,
        {
          none: `No closures yet.${mayAdd ? ' Zoom in and choose + Add.' : ''}`,
          searched: 'Try a part of the description, an ID, or the name, VIN, plate, or registry number of the asset.',
          filtered: 'The filters hide all closures.',
        },
        [['Show all closures', () => patchView(everyClosure(search))]],
      )}
    />
  );
}
